// SPDX-License-Identifier: GPL-2.0
#include "cmd/words/record_words.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define TRACING "/sys/kernel/tracing/"

/* The words of a file of tracefs, which @separators divide; @usual where it cannot be read. */
static void offer_file(FILE *out, const char *path, const char *separators, const char *usual)
{
	FILE *file = fopen(path, "re");
	char *line = NULL, *rest, *word;
	size_t room = 0;

	if (!file) {
		fputs(usual, out);
		return;
	}
	while (getline(&line, &room, file) >= 0) {
		for (rest = line; (word = strtok_r(rest, separators, &rest));)
			fprintf(out, "%s\n", word);
	}
	free(line);
	fclose(file);
}

void record_words_offer_tracepoints(FILE *out)
{
	offer_file(out, TRACING "available_events", ":\n", "sched\nirq\nsyscalls\n");
}

void record_words_offer_clocks(FILE *out)
{
	offer_file(out, TRACING "trace_clock", "[] \n", "mono\nlocal\nglobal\nboot\n");
}

void record_words_offer_compressions(FILE *out)
{
	fputs("zstd\nzlib\nnone\n", out);
}

void record_words_offer_pids(FILE *out)
{
	DIR *processes = opendir("/proc");
	const struct dirent *entry;

	while (processes && (entry = readdir(processes))) {
		if (*entry->d_name >= '0' && *entry->d_name <= '9')
			fprintf(out, "%s\n", entry->d_name);
	}
	if (processes)
		closedir(processes);
}
