// SPDX-License-Identifier: GPL-2.0
#include "trace/print/filter_fields.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include <event-parse.h>

static bool is_of_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static bool is_quote(char c)
{
	return c == '"' || c == '\'';
}

/* Behind the quote that ends what the one at @text begins. */
static const char *skip_quoted(const char *text)
{
	char quote = *text++;

	while (*text && *text != quote)
		text += *text == '\\' && text[1] ? 2 : 1;
	return *text ? text + 1 : text;
}

/* CPU and COMM, in capitals, are of any event. */
static bool is_known(struct tep_event *event, const char *word)
{
	return isdigit((unsigned char)*word) || !strcmp(word, "CPU") || !strcmp(word, "COMM") ||
	       tep_find_any_field(event, word);
}

bool filter_fields_find_unknown(struct tep_event *event, const char *expression, char *word,
				size_t nr_bytes)
{
	const char *at = expression;

	while (*at) {
		const char *start = at;

		if (is_quote(*at)) {
			at = skip_quoted(at);
			continue;
		}
		while (is_of_word(*at))
			at++;
		if (at == start) {
			at++;
			continue;
		}
		snprintf(word, nr_bytes, "%.*s", (int)(at - start), start);
		if (!is_known(event, word))
			return true;
	}
	return false;
}

bool filter_fields_has_glob(const char *expression)
{
	const char *at = expression;
	char before = ' ';

	while (*at) {
		if (is_quote(*at)) {
			at = skip_quoted(at);
			continue;
		}
		if (*at == '~' && before != '=' && before != '!' &&
		    is_quote(at[1 + strspn(at + 1, " ")]))
			return true;
		before = *at++;
	}
	return false;
}
