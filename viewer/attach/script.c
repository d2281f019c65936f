// SPDX-License-Identifier: GPL-2.0
#include "attach/script.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "util/program_path.h"

/* The kernel reads so much (BINPRM_BUF_SIZE). */
#define LINE_BYTES 256

/* The first line without "#!"; "" if it does not begin so. Returns 0, or -1: that is no text. */
static int read_first_line(const char *script, char line[LINE_BYTES + 1])
{
	FILE *file = fopen(script, "re");
	size_t bytes;

	if (!file)
		return -1;
	bytes = fread(line, 1, LINE_BYTES, file);
	fclose(file);
	line[bytes] = '\0';
	if (strncmp(line, "#!", 2)) {
		bool is_text = strlen(line) == bytes;

		line[0] = '\0';
		return is_text ? 0 : -1;
	}
	line[strcspn(line, "\n")] = '\0';
	memmove(line, line + 2, strlen(line + 2) + 1);
	return 0;
}

/* The program that the rest of a line "/usr/bin/env [OPTION...] [NAME=VALUE...] PROGRAM" names, or NULL. */
static const char *skip_env(char *rest)
{
	char *word;

	while ((word = strtok_r(rest, " \t", &rest))) {
		if (*word != '-' && !strchr(word, '='))
			return word;
	}
	return NULL;
}

int script_find_interpreter(const char *script, char interpreter[PATH_MAX])
{
	char line[LINE_BYTES + 1];
	const char *slash, *program;
	char *rest, *word;

	if (read_first_line(script, line))
		return -1;
	word = strtok_r(line, " \t", &rest);
	snprintf(interpreter, PATH_MAX, "%s", word ? word : "/bin/sh");
	slash = strrchr(interpreter, '/');
	if (!word || !slash || strcmp(slash, "/env"))
		return 0;
	program = skip_env(rest);
	return program && program_path_find(program, interpreter) ? -1 : 0;
}
