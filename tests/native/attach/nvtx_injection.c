// SPDX-License-Identifier: GPL-2.0
/*
 * A library for NVTX that counts what it hears, and writes that into the file that HEARD names. Its handles are of its
 * own kind, and it does not implement all.
 */
#include <stdio.h>

#include "mini_nvtx.h"

#define HANDLE(number) ((void *)(uintptr_t)(0x1000 + (number)))

static int pushes, pops, started, ended, of_domain, strange;

int InitializeInjectionNvtx2(const void *(*export_table)(uint32_t));

static int count(int *counter)
{
	return __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

static int push(const char *text)
{
	(void)text;
	count(&pushes);
	return 1000;
}

static int pop(void)
{
	count(&pops);
	return 1000;
}

static uint64_t start(const char *text)
{
	(void)text;
	return (uint64_t)count(&started) + 1000000;
}

static void end(uint64_t id)
{
	if (id < 1000000)
		count(&strange);
	count(&ended);
}

static void *domain_create(const char *name)
{
	(void)name;
	return HANDLE(1);
}

static void *string_register(void *domain, const char *text)
{
	(void)text;
	if (domain != HANDLE(1))
		count(&strange);
	return HANDLE(2);
}

static int domain_push(void *domain, const mini_nvtx_event *event)
{
	if (domain != HANDLE(1) ||
	    (event->message_type == 3 && event->message.registered != HANDLE(2)))
		count(&strange);
	return count(&of_domain);
}

int InitializeInjectionNvtx2(const void *(*export_table)(uint32_t))
{
	const struct {
		size_t bytes;
		int (*module_table)(int module, mini_nvtx_function ***table, unsigned int *nr);
	} *callbacks = export_table(1);
	mini_nvtx_function **table;
	unsigned int nr;

	callbacks->module_table(MINI_NVTX_CORE, &table, &nr);
	*table[5] = (mini_nvtx_function)start;
	*table[7] = (mini_nvtx_function)end;
	*table[9] = (mini_nvtx_function)push;
	*table[11] = (mini_nvtx_function)pop;
	callbacks->module_table(MINI_NVTX_CORE2, &table, &nr);
	*table[4] = (mini_nvtx_function)domain_push;
	*table[10] = (mini_nvtx_function)string_register;
	*table[12] = (mini_nvtx_function)domain_create;
	return 1;
}

__attribute__((destructor)) static void say(void)
{
	FILE *heard = getenv("HEARD") ? fopen(getenv("HEARD"), "w") : NULL;

	if (heard) {
		fprintf(heard,
			"%d pushes, %d pops, %d started, %d ended, %d of the domain, %d strange\n",
			pushes, pops, started, ended, of_domain, strange);
		fclose(heard);
	}
}
