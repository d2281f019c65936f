// SPDX-License-Identifier: MIT
#include "gomp_runtime.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../object_of_address.h"

#define AN_OLD_FUNCTION "GOMP_barrier" /* all have it */

struct gomp_runtime gomp_runtimes[GOMP_NR_RUNTIMES];
static unsigned int nr_runtimes; /* their numbers begin with 1 */
static int runtimes_lock;

__thread const struct gomp_runtime *gomp_runtime_current;

/* The code of this shared object. */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char etext[] __attribute__((visibility("hidden")));

static bool is_ours(const void *address)
{
	return (const char *)address >= __ehdr_start && (const char *)address < etext;
}

/*
 * The runtime's function, as the loader finds it: among what is visible to all, else among what the caller's object
 * brought.
 */
static void *find_function(const void *return_address)
{
	void *function = dlsym(RTLD_NEXT, AN_OLD_FUNCTION), *object = NULL;
	Dl_info info;

	if (function)
		return function;
	if (dladdr(return_address, &info))
		object = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
	if (!object)
		return NULL;
	function = dlsym(object, AN_OLD_FUNCTION);
	dlclose(object);
	return is_ours(function) ? NULL : function;
}

/* The runtime's object. It stays loaded: its threads do, too. */
static void *open_runtime(const void *return_address)
{
	void *function = find_function(return_address);
	Dl_info info;

	if (function && dladdr(function, &info))
		return dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
	/* The call returns to somebody else, or the function comes from dlsym(). */
	return nr_runtimes ? NULL : dlopen("libgomp.so.1", RTLD_LAZY | RTLD_NODELETE);
}

/* Of the functions of locks, there may be two. */
static void *function_of(void *object, const char *name)
{
	void *function = NULL;

	if (!strncmp(name, "omp_", 4))
		function = dlvsym(object, name, "OMP_3.0");
	return function ? function : dlsym(object, name);
}

static void look_up_functions(struct gomp_runtime *runtime, void *object)
{
	runtime->is_told = !dlsym(object, "ompt_start_tool") && !dlsym(object, "__kmpc_fork_call");
#define GOMP_FUNCTION(type, name, parameters) *(void **)&runtime->name = function_of(object, #name);
#include "gomp_functions.def"
}

/* The calls of those that find no room go to the first. No other lock is taken meanwhile: see gomp_runtime_find(). */
static unsigned int remember_runtime(const struct gomp_runtime *runtime)
{
	unsigned int number;

	while (__atomic_exchange_n(&runtimes_lock, 1, __ATOMIC_ACQUIRE))
		;
	for (number = 1; number <= nr_runtimes; number++) {
		if (gomp_runtimes[number].GOMP_barrier == runtime->GOMP_barrier)
			break;
	}
	if (number == GOMP_NR_RUNTIMES) {
		number = 1;
	} else if (number > nr_runtimes) {
		gomp_runtimes[number] = *runtime;
		nr_runtimes = number;
	}
	__atomic_store_n(&runtimes_lock, 0, __ATOMIC_RELEASE);
	return number;
}

static unsigned int number_of_caller(const void *return_address)
{
	void *object = open_runtime(return_address);
	struct gomp_runtime runtime;
	unsigned int number = 1;

	if (object) {
		look_up_functions(&runtime, object);
		number = remember_runtime(&runtime);
	} else if (!nr_runtimes) {
		fprintf(stderr, "annot: no library has %s\n", AN_OLD_FUNCTION);
		abort();
	}
	/* What was not found is no error of the program's. */
	dlerror();
	return number;
}

/*
 * dlsym() and dlopen() wait for any dlopen() to end, whose constructors may wait for threads that come to here.
 * An object whose runtime is known is found without them. A team's first thread has called by then.
 */
const struct gomp_runtime *gomp_runtime_find(uintptr_t return_address)
{
	struct loaded_object object = { 0 };
	int saved_errno = errno;
	unsigned int number;

	if (is_ours((const void *)return_address))
		return gomp_runtime_current;
	object_of_address(return_address - 1, &object);
	number = gomp_callers_number_of_object(object.bias);
	if (!number) {
		number = number_of_caller((const void *)(return_address - 1));
		gomp_callers_remember_object(object.bias, number);
	}
	gomp_callers_remember(return_address, number);
	errno = saved_errno;
	return &gomp_runtimes[number];
}
