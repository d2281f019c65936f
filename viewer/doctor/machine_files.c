// SPDX-License-Identifier: GPL-2.0
#include "doctor/machine_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLANKS " \t\n"

char *machine_file_path(const struct machine *machine, const char *path, char *full)
{
	snprintf(full, PATH_MAX, "%s%s", machine->root, path);
	return full;
}

static FILE *open_file(const struct machine *machine, const char *path)
{
	char full[PATH_MAX];

	return fopen(machine_file_path(machine, path, full), "re");
}

bool machine_file_exists(const struct machine *machine, const char *path)
{
	char full[PATH_MAX];

	return !access(machine_file_path(machine, path, full), F_OK);
}

bool machine_file_line(const struct machine *machine, const char *path, char *line, size_t size)
{
	FILE *file = open_file(machine, path);
	bool is_read = file && fgets(line, (int)size, file);

	if (file)
		fclose(file);
	line[is_read ? strcspn(line, "\n") : 0] = '\0';
	return is_read;
}

bool machine_file_number(const struct machine *machine, const char *path, long long *number)
{
	char line[64];
	char *end;
	long long value;

	if (!machine_file_line(machine, path, line, sizeof(line)))
		return false;
	value = strtoll(line, &end, 10);
	if (end == line || *end)
		return false;
	*number = value;
	return true;
}

bool machine_file_value(const struct machine *machine, const char *path, const char *key,
			char *value, size_t size)
{
	FILE *file = open_file(machine, path);
	size_t length = strlen(key);
	char *line = NULL;
	size_t room = 0;
	bool found = false;

	*value = '\0';
	while (file && !found && getline(&line, &room, file) >= 0) {
		const char *rest = line + length;

		if (strncmp(line, key, length))
			continue;
		rest += strspn(rest, BLANKS);
		snprintf(value, size, "%.*s", (int)strcspn(rest, "\n"), rest);
		found = true;
	}
	free(line);
	if (file)
		fclose(file);
	return found;
}

bool machine_text_has_word(const char *text, const char *word)
{
	size_t length = strlen(word);

	for (text += strspn(text, BLANKS); *text; text += strspn(text, BLANKS)) {
		size_t end = strcspn(text, BLANKS);

		if (end == length && !strncmp(text, word, length))
			return true;
		text += end;
	}
	return false;
}

bool machine_file_has_word(const struct machine *machine, const char *path, const char *word)
{
	FILE *file = open_file(machine, path);
	char *line = NULL;
	size_t room = 0;
	bool found = false;

	while (file && !found && getline(&line, &room, file) >= 0)
		found = machine_text_has_word(line, word);
	free(line);
	if (file)
		fclose(file);
	return found;
}
