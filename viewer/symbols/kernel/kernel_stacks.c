// SPDX-License-Identifier: GPL-2.0
#include "symbols/kernel/kernel_stacks.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/file/kallsyms.h"
#include "symbols/kernel/wait_causes.h"
#include "util/xalloc.h"

#define MOST_FRAMES 64
#define FUNCTION_BYTES 64 /* what is longer is cut */

struct kernel_stacks {
	struct trace *trace;
	pthread_mutex_t lock;
	struct kallsyms *symbols; /* NULL: not read yet, or none; read once, with the lock */
	bool is_read;
};

struct kernel_stacks *kernel_stacks_new(struct trace *trace)
{
	struct kernel_stacks *stacks = xcalloc(1, sizeof(*stacks));

	stacks->trace = trace;
	pthread_mutex_init(&stacks->lock, NULL);
	return stacks;
}

void kernel_stacks_free(struct kernel_stacks *stacks)
{
	if (!stacks)
		return;
	kallsyms_free(stacks->symbols);
	pthread_mutex_destroy(&stacks->lock);
	free(stacks);
}

static void read_symbols(struct kernel_stacks *stacks)
{
	char *text;

	pthread_mutex_lock(&stacks->lock);
	if (!stacks->is_read) {
		text = trace_kallsyms(stacks->trace);
		if (text)
			stacks->symbols = kallsyms_new(text);
		stacks->is_read = true;
	}
	pthread_mutex_unlock(&stacks->lock);
}

/* Return addresses lie behind the call, which may be the last thing in a function. */
static bool name_function(const struct kernel_stacks *stacks, uint64_t ip, char *name)
{
	struct kernel_symbol symbol;
	size_t length;

	if (!stacks->symbols || !ip || !kallsyms_find(stacks->symbols, ip - 1, &symbol) ||
	    !symbol.is_code) {
		snprintf(name, FUNCTION_BYTES, "%#" PRIx64, ip);
		return false;
	}
	length = symbol.name_bytes < FUNCTION_BYTES ? symbol.name_bytes : FUNCTION_BYTES - 1;
	memcpy(name, symbol.name, length);
	name[length] = '\0';
	/* "futex_wait.isra.0", "do_wait.constprop.0": not of the source. */
	name[strcspn(name, ".")] = '\0';
	return true;
}

bool kernel_function_is_of_switch(const char *name)
{
	static const char *const beginnings[] = {
		"trace_event_raw_event_",
		"__traceiter_",
		"trace_event_buffer_",
		"event_triggers_",
		"stacktrace_",
		"__trace_stack",
		"ftrace_",
	};

	for (size_t i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++) {
		if (!strncmp(name, beginnings[i], strlen(beginnings[i])))
			return true;
	}
	return !strcmp(name, "__schedule");
}

static char *join(char (*names)[FUNCTION_BYTES], size_t nr)
{
	char *text = xcalloc(nr + 1, FUNCTION_BYTES + 3);
	size_t length = 0;

	for (size_t i = 0; i < nr; i++)
		length += (size_t)sprintf(text + length, "%s%s", i ? " < " : "", names[i]);
	return text;
}

struct trace_stack_text kernel_stacks_get(void *context, const uint64_t *ips, size_t nr)
{
	struct kernel_stacks *stacks = context;
	char names[MOST_FRAMES][FUNCTION_BYTES];
	const char *functions[MOST_FRAMES];
	struct trace_stack_text shown = { 0 };
	size_t nr_named = 0, nr_own = 0;

	read_symbols(stacks);
	nr = nr < MOST_FRAMES ? nr : MOST_FRAMES;
	for (size_t i = 0; i < nr; i++) {
		if (name_function(stacks, ips[i], names[i]))
			functions[nr_named++] = names[i];
	}
	while (nr_own < nr && kernel_function_is_of_switch(names[nr_own]))
		nr_own++;
	shown.frames = join(names + nr_own, nr - nr_own);
	shown.cause = wait_cause_of(functions, nr_named);
	return shown;
}
