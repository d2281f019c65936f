// SPDX-License-Identifier: GPL-2.0
#include "cmd/input_trace.h"

#include <stddef.h>

#include "symbols/place_names.h"

/* Two traces of one program, as of annot diff, name the same files: what is wrong with one is said once. */
static struct {
	struct place_names *names;
	int nr_open;
} shared;

static char *resolve_name(void *context, const char *name)
{
	return place_names_get(context, name);
}

int input_trace_open(const char *path, struct trace **out)
{
	if (trace_open(path, out) < 0)
		return -1;
	if (!shared.nr_open++)
		shared.names = place_names_new();
	trace_use_name_resolver(*out, resolve_name, shared.names);
	return 0;
}

void input_trace_close(struct trace *trace)
{
	if (!trace)
		return;
	trace_close(trace);
	if (--shared.nr_open)
		return;
	place_names_free(shared.names);
	shared.names = NULL;
}
