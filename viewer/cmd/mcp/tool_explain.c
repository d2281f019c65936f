// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "cmd/mcp/tools.h"
#include "report/catalogue.h"
#include "util/diag.h"
#include "util/text/nearest.h"

static void write_kind(struct json *json, const struct mcp_call *call, const void *context,
		       size_t i)
{
	enum finding_kind kind = (enum finding_kind)i;

	(void)call;
	(void)context;
	json_begin_object(json);
	json_key_string(json, "kind", finding_kind_name(kind));
	json_key_string(json, "title", catalogue_entry(kind)->title);
	json_end_object(json);
}

static int list_kinds(struct mcp_call *call)
{
	return mcp_answer_rows(call, &(struct mcp_rows){
					     .key = "kinds",
					     .nr = NR_FINDING_KINDS,
					     .write = write_kind,
				     });
}

static void write_cure(struct json *json, const struct mcp_call *call, const void *context,
		       size_t i)
{
	const struct catalogue_entry *entry = context;

	(void)call;
	json_string(json, entry->cures[i]);
}

static int explain_kind(struct mcp_call *call, enum finding_kind kind)
{
	const struct catalogue_entry *entry = catalogue_entry(kind);
	struct mcp_rows cures = { .key = "cures", .write = write_cure, .context = entry };

	while (entry->cures[cures.nr])
		cures.nr++;
	json_key_string(&call->json, "kind", finding_kind_name(kind));
	json_key_string(&call->json, "title", entry->title);
	json_key_string(&call->json, "what", entry->what);
	json_key_string(&call->json, "definition", entry->definition);
	json_key_string(&call->json, "how_to_see", entry->how_to_see);
	return mcp_answer_rows(call, &cures);
}

static int explain(struct mcp_call *call)
{
	const char *name = mcp_text(call->arguments, "kind"), *nearest;
	const char *names[NR_FINDING_KINDS + 1] = { NULL };

	if (!name)
		return list_kinds(call);
	for (int kind = 0; kind < NR_FINDING_KINDS; kind++) {
		names[kind] = finding_kind_name((enum finding_kind)kind);
		if (!strcmp(names[kind], name))
			return explain_kind(call, (enum finding_kind)kind);
	}
	nearest = nearest_word(name, names);
	return diag_error("no such finding: '%.64s'%s%s%s; without an argument, explain lists all",
			  name, nearest ? "; did you mean '" : "", nearest ? nearest : "",
			  nearest ? "'?" : "");
}

static const struct mcp_argument arguments[] = {
	{ "kind", MCP_TEXT, false, "The kind of a finding; without it, all kinds are listed." },
	MCP_CURSOR_ARGUMENT,
	{ 0 },
};

const struct mcp_tool mcp_tool_explain = {
	.name = "explain",
	.title = "What a finding means",
	.description =
		"Tells of a kind of finding what it is, how annot finds it, how to see it, and the known cures.",
	.arguments = arguments,
	.call = explain,
};
