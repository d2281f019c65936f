// SPDX-License-Identifier: GPL-2.0
#include "cmd/mcp/progress.h"

#include <stdarg.h>
#include <stdlib.h>

#include "util/text/json.h"
#include "util/xalloc.h"

static void write_params(struct json *json, const struct mcp_progress *progress, const char *step)
{
	json_key(json, "params");
	json_begin_object(json);
	json_key(json, "progressToken");
	if (json_value_type(progress->token) == JSON_VALUE_TEXT)
		json_string(json, json_value_text(progress->token));
	else
		json_i64(json, json_value_whole(progress->token));
	json_key_u64(json, "progress", progress->nr_begun);
	json_key_string(json, "message", step);
	json_end_object(json);
}

static char *notification(const struct mcp_progress *progress, const char *step)
{
	struct json json;
	char *text;
	size_t bytes;
	FILE *out = xmemstream(&text, &bytes);

	json_init(&json, out, JSON_COMPACT);
	json_begin_object(&json);
	json_key_string(&json, "jsonrpc", "2.0");
	json_key_string(&json, "method", "notifications/progress");
	write_params(&json, progress, step);
	json_end_object(&json);
	fclose(out);
	return text;
}

void mcp_progress_begin_step(struct mcp_progress *progress, const char *format, ...)
{
	va_list arguments;
	char *step;

	if (!progress->send || !progress->token)
		return;
	va_start(arguments, format);
	step = xvasprintf(format, arguments);
	va_end(arguments);
	/* If nobody reads it, the answer cannot be sent either, which is told then. */
	if (progress->send(notification(progress, step)))
		progress->send = NULL;
	progress->nr_begun++;
	free(step);
}
