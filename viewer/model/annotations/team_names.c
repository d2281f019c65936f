// SPDX-License-Identifier: GPL-2.0
#include "model/annotations/team_names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "model/annotations/thread_local_name.h"
#include "util/xalloc.h"

/* "@WORD", up to the end. Places in code have a path there, and are none. */
static bool is_reader_word(const char *text)
{
	const char *letter = text + 1;

	if (text[0] != '@' || !*letter)
		return false;
	while (isalnum((unsigned char)*letter) || *letter == '_')
		letter++;
	return !*letter;
}

static bool is_team_word(const char *text)
{
	return is_reader_word(text) && !strncmp(text, "@team_", strlen("@team_"));
}

static enum team_name_kind kind_of_word(const char *word)
{
	if (is_team_word(word))
		return TEAM_NAME_MARK;
	if (!strcmp(word, "@object_bytes"))
		return TEAM_NAME_OBJECT_BYTES;
	if (!strcmp(word, "@object_end"))
		return TEAM_NAME_OBJECT_END;
	if (!strcmp(word, "@thread_local_end"))
		return TEAM_NAME_THREAD_LOCAL_END;
	return strcmp(word, "@rank") ? TEAM_NAME_NOTE : TEAM_NAME_RANK;
}

static bool is_object_word(const char *text)
{
	return !strncmp(text, TEAM_NAME_OBJECT_WORD, strlen(TEAM_NAME_OBJECT_WORD));
}

/* "@object " alone: the library was given no name. */
static void classify_object(struct trace *trace, const char *text, struct team_name *class)
{
	const char *end = strrchr(text, '\n'), *start = text + strlen(TEAM_NAME_OBJECT_WORD);
	char *name;

	if (!end || end < start || !is_object_word(end + 1))
		end = text + strlen(text);
	else
		class->recorded = trace_intern(trace, end + 1);
	name = xstrndup(start, (size_t)(end - start));
	class->kind = TEAM_NAME_OBJECT;
	class->shown = trace_intern(trace, *name ? name : "?");
	free(name);
}

static struct team_name classify_name(struct trace *trace, uint32_t name)
{
	const char *text = trace_string(trace, name), *space = strrchr(text, ' ');
	struct team_name class = { .known = true, .mark = name, .shown = name };
	char *shown;

	if (is_object_word(text)) {
		classify_object(trace, text, &class);
	} else if (thread_local_name_is(text)) {
		class.kind = TEAM_NAME_THREAD_LOCAL;
	} else if (is_reader_word(text)) {
		class.kind = kind_of_word(text);
	} else if (space && space > text && is_team_word(space + 1)) {
		class.kind = TEAM_NAME_WAIT;
		shown = xstrndup(text, (size_t)(space - text));
		class.mark = trace_intern(trace, text + (space + 1 - text));
		class.shown = trace_intern(trace, shown);
		free(shown);
	}
	return class;
}

const struct team_name *team_name_get(struct team_names *names, struct trace *trace, uint32_t name)
{
	static const struct team_name ordinary = { .known = true };

	if (!trace)
		return &ordinary;
	if (name >= names->nr) {
		size_t nr = grown_capacity(names->nr, (size_t)name + 1);

		names->names = xrealloc_array(names->names, nr, sizeof(*names->names));
		memset(names->names + names->nr, 0, (nr - names->nr) * sizeof(*names->names));
		names->nr = nr;
	}
	if (!names->names[name].known)
		names->names[name] = classify_name(trace, name);
	return &names->names[name];
}

void team_names_free(struct team_names *names)
{
	free(names->names);
	*names = (struct team_names){ 0 };
}
