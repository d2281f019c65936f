// SPDX-License-Identifier: GPL-2.0
#include "report/schema/report_schema.h"

#include "report/analysis_list.h"
#include "report/report_json.h"
#include "report/schema/document_schema.h"
#include "report/schema/report_members.h"
#include "report/schema/table_schema.h"

static void write_types(struct json *json, const struct analysis_desc *desc)
{
	json_key(json, "type");
	json_begin_array(json);
	json_string(json, "object");
	if (desc->may_be_null)
		json_string(json, "null");
	json_end_array(json);
}

static void write_analysis(struct json *json, const struct analysis_desc *desc)
{
	json_key(json, desc->name);
	json_begin_object(json);
	json_key_string(json, "description", desc->help);
	write_types(json, desc);
	json_key(json, "properties");
	json_begin_object(json);
	if (desc->members)
		json_schema_members(json, desc->members);
	if (desc->tables)
		table_schema_members(desc, json);
	json_end_object(json);
	json_key(json, "required");
	json_begin_array(json);
	if (desc->members)
		json_schema_required(json, desc->members);
	if (desc->tables)
		table_schema_required(desc, json);
	json_end_array(json);
	json_key_bool(json, "additionalProperties", false);
	json_end_object(json);
}

static void write_properties(struct json *json)
{
	json_key(json, "properties");
	json_begin_object(json);
	json_schema_members(json, report_members);
	for (const struct analysis_desc *const *desc = analysis_descs(); *desc; desc++)
		write_analysis(json, *desc);
	json_end_object(json);
}

static void write_required(struct json *json)
{
	json_key(json, "required");
	json_begin_array(json);
	json_schema_required(json, report_members);
	for (const struct analysis_desc *const *desc = analysis_descs(); *desc; desc++)
		json_string(json, (*desc)->name);
	json_end_array(json);
}

void report_schema(FILE *out)
{
	struct json json;
	char title[64];

	snprintf(title, sizeof(title), "annot report --json, version %d", REPORT_JSON_VERSION);
	document_schema_begin(&json, title, out);
	json_key_string(&json, "type", "object");
	write_properties(&json);
	write_required(&json);
	json_key_bool(&json, "additionalProperties", false);
	json_end_object(&json);
}
