// SPDX-License-Identifier: GPL-2.0
/* While the shim of Fortran copies a name, a signal handler annotates with another one that has the same place. */
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <annot/annot.h>

#define OP_MARK_WITH_VALUE 0x103
/* Addresses that differ by this have the same place. */
#define DISTANCE 512

void annot_fortran_put(int op, const char *name, size_t nr_bytes, int64_t value);
void *__real_memcpy(void *to, const void *from, size_t nr_bytes);
void *__wrap_memcpy(void *to, const void *from, size_t nr_bytes);

static char names[2 * DISTANCE];
static int is_armed;

static void mark(const char *name, int64_t value)
{
	annot_fortran_put(OP_MARK_WITH_VALUE, name, 5, value);
}

static void interrupt(int signal)
{
	(void)signal;
	mark(names + DISTANCE, 2);
}

void *__wrap_memcpy(void *to, const void *from, size_t nr_bytes)
{
	void *copy = __real_memcpy(to, from, nr_bytes);

	if (is_armed) {
		is_armed = 0;
		raise(SIGUSR1);
	}
	return copy;
}

int main(void)
{
	strcpy(names, "outer");
	strcpy(names + DISTANCE, "inner");
	signal(SIGUSR1, interrupt);
	is_armed = 1;
	mark(names, 1);
	mark(names, 3);
	mark(names + DISTANCE, 4);
	annot_flush();
	return 0;
}
