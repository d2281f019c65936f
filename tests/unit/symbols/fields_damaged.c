// SPDX-License-Identifier: GPL-2.0
/*
 * Where the variables of fields_damaged.S are, and what can be told of them.
 */
#include "fields_tell.h"

#define BYTES 64

/* Named by its offset. */
#define UNTOLD(variable)                               \
	do {                                           \
		extern char variable[BYTES];           \
		INSIDE(#variable "+0x0", variable, 0); \
		INSIDE(#variable "+0x9", variable, 9); \
	} while (0)

extern char sound[BYTES], as_large_as_memory[BYTES], within_and_behind[BYTES];

int main(void)
{
	tell_maps();
	INSIDE("sound.first", sound, 7);
	INSIDE("sound.second", sound, 8);
	UNTOLD(names_of_names);
	UNTOLD(within_itself);
	UNTOLD(array_of_itself);
	UNTOLD(many_ways);
	UNTOLD(larger_than_memory);
	INSIDE("as_large_as_memory[2]", as_large_as_memory, 16);
	INSIDE("within_and_behind.second", within_and_behind, 8);
	UNTOLD(of_nothing);
	UNTOLD(no_elements);
	UNTOLD(far_away);
	UNTOLD(followed_by_itself);
	UNTOLD(no_type);
	UNTOLD(type_in_a_number);
	UNTOLD(long_name);
	UNTOLD(its_own_example);
	return 0;
}
