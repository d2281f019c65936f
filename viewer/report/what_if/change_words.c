// SPDX-License-Identifier: GPL-2.0
#include "report/what_if/change_words.h"

#include "util/text/shell_word.h"

#define WORD_BYTES 32

/* The words: the option, and its value in @value or elsewhere; NULL: it has none. */
static const char *value_of(const struct model *model, const struct run_change *change, char *value)
{
	if (change->kind == CHANGE_CPUS) {
		snprintf(value, WORD_BYTES, "%d", change->nr_cpus);
		return value;
	}
	return change->name == TRACE_NO_STRING ? NULL : trace_string(model->trace, change->name);
}

void change_words_print(const struct model *model, const struct run_change *change, FILE *out)
{
	char buffer[WORD_BYTES];
	const char *value = value_of(model, change, buffer);

	fprintf(out, "--%s", run_change_name(change->kind));
	if (!value)
		return;
	putc(' ', out);
	shell_word_print(value, out);
}

void change_words_json(struct json *json, const struct model *model,
		       const struct run_change *change)
{
	char buffer[WORD_BYTES], option[WORD_BYTES];
	const char *value = value_of(model, change, buffer);

	if (change->kind == CHANGE_NONE) {
		json_null(json);
		return;
	}
	snprintf(option, sizeof(option), "--%s", run_change_name(change->kind));
	json_begin_array(json);
	json_string(json, option);
	if (value)
		json_string(json, value);
	json_end_array(json);
}
