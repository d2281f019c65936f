// SPDX-License-Identifier: GPL-2.0
#include "trace/annotations/atrace.h"

#include <string.h>

#include "util/text/scan.h"

/* Takes the last field off @rest, unless it is the only one: that is the name. */
static bool last_field(struct scan_text rest, struct scan_text *last)
{
	const char *bar = memrchr(rest.start, '|', (size_t)(rest.end - rest.start));

	if (!bar)
		return false;
	*last = (struct scan_text){ bar + 1, rest.end };
	return true;
}

/* "tgid" or "tgid|...": leaves in @rest what follows the bar. */
static bool parse_tgid(struct scan_text *rest, struct atrace *atrace)
{
	const char *bar = memchr(rest->start, '|', (size_t)(rest->end - rest->start));
	struct scan_text tgid = { rest->start, bar ? bar : rest->end };
	int64_t value;

	if (!scan_integer(tgid, &value) || value < 0 || value > INT32_MAX)
		return false;
	atrace->tgid = (int32_t)value;
	rest->start = bar ? bar + 1 : rest->end;
	return true;
}

/* name[|wait][|value] */
static bool parse_name(struct scan_text rest, struct atrace *atrace)
{
	struct scan_text last;

	if (last_field(rest, &last) && scan_integer(last, &atrace->value)) {
		atrace->has_value = true;
		rest.end = last.start - 1;
	}
	if (atrace->type == 'B' && last_field(rest, &last) && scan_is(last, "wait")) {
		atrace->is_wait = true;
		rest.end = last.start - 1;
	}
	atrace->name = rest.start;
	atrace->name_bytes = (size_t)(rest.end - rest.start);
	/* A span without a name is still one: its end will come. */
	return atrace->type == 'B' ||
	       (atrace->name_bytes && (atrace->type == 'I' || atrace->has_value));
}

/* The id that @rest ends in, taken off it with its bar. */
static bool take_last_id(struct scan_text *rest, int32_t *id)
{
	struct scan_text last;
	int64_t value;

	if (!last_field(*rest, &last) || !scan_integer(last, &value) || value <= 0 ||
	    value > INT32_MAX)
		return false;
	*id = (int32_t)value;
	rest->end = last.start - 1;
	return true;
}

bool atrace_session(const char *text, size_t bytes, int32_t *tgid, int32_t *tid)
{
	struct scan_text rest = scan_trim(text, bytes);

	*tgid = 0;
	*tid = 0;
	if (scan_is(rest, ATRACE_SESSION))
		return true;
	return take_last_id(&rest, tid) && take_last_id(&rest, tgid) &&
	       scan_is(rest, ATRACE_SESSION);
}

bool atrace_parse(const char *text, size_t bytes, struct atrace *atrace)
{
	struct scan_text rest = scan_trim(text, bytes);

	*atrace = (struct atrace){ 0 };
	if (rest.start == rest.end || !memchr("BEIC", *rest.start, 4))
		return false;
	atrace->type = *rest.start++;
	if (rest.start == rest.end)
		return atrace->type == 'E';
	if (*rest.start++ != '|')
		return false;
	if (!parse_tgid(&rest, atrace))
		return false;
	return atrace->type == 'E' || parse_name(rest, atrace);
}
