// SPDX-License-Identifier: GPL-2.0
#include "cmd/mcp/answer.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/loss_words.h"
#include "report/table/row_json.h"
#include "util/diag.h"
#include "util/text/figure.h"
#include "util/xalloc.h"

/* For what follows the rows: how many there are, and the cursor. */
#define TAIL_BYTES 100

/* What the page shows around an interval, as a share of it. */
#define AROUND_SHARE 10

struct mcp_trace *mcp_call_trace(const struct mcp_call *call, const char *argument,
				 uint64_t otherwise)
{
	uint64_t number = mcp_number(call->arguments, argument, otherwise);
	struct mcp_trace *trace;

	if (!number || number > call->traces->nr) {
		diag_error("there is no trace %" PRIu64 ": they are numbered from 1 to %zu", number,
			   call->traces->nr);
		return NULL;
	}
	trace = &call->traces->rows[number - 1];
	return mcp_trace_read(trace) ? NULL : trace;
}

/* Returns -1 after one line on stderr. */
static int read_cursor(const struct mcp_call *call, size_t nr, size_t *first)
{
	const char *cursor = mcp_text(call->arguments, "cursor");
	char *end;

	*first = 0;
	if (!cursor)
		return 0;
	if (isdigit((unsigned char)*cursor) && strlen(cursor) < sizeof("1234567890")) {
		*first = strtoul(cursor, &end, 10);
		if (!*end && *first < nr)
			return 0;
	}
	return diag_error("the cursor is none of this answer's");
}

/* What a row takes; it is written to nowhere for that. */
static size_t row_bytes(const struct mcp_call *call, const struct mcp_rows *rows, size_t i)
{
	struct json json;
	char *text = NULL;
	size_t bytes;
	FILE *out = xmemstream(&text, &bytes);

	json_init(&json, out, JSON_COMPACT);
	rows->write(&json, call, rows->context, i);
	fclose(out);
	free(text);
	return bytes + strlen(",");
}

static void write_row(struct mcp_call *call, const struct mcp_rows *rows, size_t i, bool has_room)
{
	if (has_room) {
		rows->write(&call->json, call, rows->context, i);
		return;
	}
	json_begin_object(&call->json);
	json_key_bool(&call->json, "too_long", true);
	json_end_object(&call->json);
}

/* Returns the first row that is left out. One that would have no room on any page is not shown there either. */
static size_t write_rows(struct mcp_call *call, const struct mcp_rows *rows, size_t first)
{
	size_t i, taken = TAIL_BYTES + (size_t)ftello(call->out);
	size_t room = MCP_ANSWER_BYTES > taken ? MCP_ANSWER_BYTES - taken : 0;

	for (i = first; i < rows->nr; i++) {
		size_t bytes = row_bytes(call, rows, i);

		if (i > first && bytes > room)
			break;
		write_row(call, rows, i, bytes <= room);
		room -= bytes <= room ? bytes : 0;
	}
	return i;
}

int mcp_answer_rows(struct mcp_call *call, const struct mcp_rows *rows)
{
	struct json *json = &call->json;
	size_t first, end;
	char cursor[32];

	if (read_cursor(call, rows->nr, &first))
		return -1;
	json_key_u64(json, "nr", rows->nr);
	json_key(json, rows->key);
	json_begin_array(json);
	fflush(call->out);
	end = write_rows(call, rows, first);
	json_end_array(json);
	if (end < rows->nr) {
		snprintf(cursor, sizeof(cursor), "%zu", end);
		json_key_string(json, "next_cursor", cursor);
	}
	return 0;
}

void mcp_answer_losses(struct json *json, const char *key, const struct mcp_trace *trace)
{
	const struct trace_losses losses = trace_losses_of(trace->trace);
	char *words, *note;

	if (!trace_losses_are_any(&losses))
		return;
	words = loss_words(&losses);
	note = xasprintf("%s; figures are lower bounds", words);
	json_key_string(json, key, note);
	free(note);
	free(words);
}

/* As page/js/ui/address.js reads it: what is in sight, and the part that is marked. */
static void write_link(struct json *json, const struct mcp_call *call,
		       const struct mcp_trace *trace, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t around_ns = (to_ns - from_ns) / AROUND_SHARE + 1;
	uint64_t start_ns = from_ns > around_ns ? from_ns - around_ns : 0;
	uint64_t end_ns = to_ns + around_ns;
	char *link;

	if (end_ns > trace->model->duration_ns)
		end_ns = trace->model->duration_ns;
	link = xasprintf("%s#t=%" PRIu64 "-%" PRIu64 "&r=%" PRIu64 "-%" PRIu64,
			 trace->number == 1 ? call->traces->page : "", start_ns, end_ns, from_ns,
			 to_ns);
	json_key_string(json, "page", link);
	free(link);
}

void mcp_answer_interval(struct json *json, const struct mcp_call *call,
			 const struct mcp_trace *trace, uint64_t from_ns, uint64_t to_ns)
{
	json_key_u64(json, "from_ns", from_ns);
	json_key_u64(json, "to_ns", to_ns);
	json_key_string(json, "from", figure_ns(from_ns, " ").text);
	json_key_string(json, "length", figure_ns(to_ns - from_ns, " ").text);
	write_link(json, call, trace, from_ns, to_ns);
}

void mcp_answer_span(struct json *json, const char *key, const struct mcp_call *call,
		     const struct mcp_trace *trace, uint32_t thread, uint64_t from_ns,
		     uint64_t to_ns)
{
	json_key(json, key);
	json_begin_object(json);
	row_json_thread(json, trace->model, thread);
	mcp_answer_interval(json, call, trace, from_ns, to_ns);
	json_end_object(json);
}
