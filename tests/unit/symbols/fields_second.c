// SPDX-License-Identifier: GPL-2.0
/*
 * Has variables of the names that those of fields_program.c have, of other types.
 */
#include "fields_tell.h"

struct state {
	char name[8];
	struct {
		long first;
		long second;
	} pair;
};

static volatile struct state state = { .name = "second" };

void tell_second(void)
{
	state.pair.first++;
	FIELD(state.name[3]);
	FIELD(state.pair.first);
	FIELD(state.pair.second);
}
