// SPDX-License-Identifier: GPL-2.0
#include "report/schema/document_schema.h"

void document_schema_begin(struct json *json, const char *title, FILE *out)
{
	json_init(json, out, JSON_INDENTED);
	json_begin_object(json);
	json_key_string(json, "$schema", "https://json-schema.org/draft/2020-12/schema");
	json_key_string(json, "title", title);
	json_key_string(json, "description",
			"Closed: what annot " ANNOT_VERSION " writes. A later one may add keys.");
}

void document_schema(const char *title, const struct schema_member *members, FILE *out)
{
	struct json json;

	document_schema_begin(&json, title, out);
	json_schema_object(&json, members);
	json_end_object(&json);
}
