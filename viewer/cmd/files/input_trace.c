// SPDX-License-Identifier: GPL-2.0
#include "cmd/files/input_trace.h"

#include <stddef.h>
#include <stdlib.h>

#include "symbols/kernel/kernel_stacks.h"
#include "symbols/place_names.h"
#include "util/xalloc.h"

/* What is known of an open trace. */
struct input_trace {
	struct input_trace *next;
	const struct trace *trace;
	struct kernel_stacks *stacks;
};

/* Two traces of one program, as of annot diff, name the same files: what is wrong with one is said once. */
static struct {
	struct place_names *names;
	struct input_trace *open;
} shared;

static char *resolve_name(void *context, const char *name)
{
	return place_names_get(context, name);
}

int input_trace_open(const char *path, struct trace **out)
{
	struct input_trace *input;

	if (trace_open(path, out) < 0)
		return -1;
	if (!shared.open)
		shared.names = place_names_new();
	input = xcalloc(1, sizeof(*input));
	*input = (struct input_trace){
		.next = shared.open,
		.trace = *out,
		.stacks = kernel_stacks_new(*out),
	};
	shared.open = input;
	trace_use_name_resolver(*out, resolve_name, shared.names);
	trace_use_stack_resolver(*out, kernel_stacks_get, input->stacks);
	return 0;
}

void input_trace_close(struct trace *trace)
{
	struct input_trace **at = &shared.open, *input;

	if (!trace)
		return;
	while ((*at)->trace != trace)
		at = &(*at)->next;
	input = *at;
	*at = input->next;
	trace_close(trace);
	kernel_stacks_free(input->stacks);
	free(input);
	if (shared.open)
		return;
	place_names_free(shared.names);
	shared.names = NULL;
}
