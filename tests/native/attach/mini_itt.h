/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The program's side of ITT, as the static library ittnotify has it: a table of functions, filled in by the
 * collector that INTEL_LIBITTNOTIFY64 names. Each file that includes this is a copy of its own.
 */
#ifndef ATTACH_MINI_ITT_H
#define ATTACH_MINI_ITT_H

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

typedef struct {
	unsigned long long d1, d2, d3;
} mini_itt_id;

struct mini_itt_domain {
	volatile int flags;
	const char *name;
};

struct mini_itt_string {
	const char *text;
};

#define MINI_ITT_EACH(F)                                                                           \
	F(struct mini_itt_domain *, domain_create, (const char *name))                             \
	F(struct mini_itt_string *, string_handle_create, (const char *text))                      \
	F(void, task_begin,                                                                        \
	  (const struct mini_itt_domain *, mini_itt_id, mini_itt_id, struct mini_itt_string *))    \
	F(void, task_begin_fn, (const struct mini_itt_domain *, mini_itt_id, mini_itt_id, void *)) \
	F(void, task_end, (const struct mini_itt_domain *))                                        \
	F(void, task_begin_overlapped,                                                             \
	  (const struct mini_itt_domain *, mini_itt_id, mini_itt_id, struct mini_itt_string *))    \
	F(void, task_end_overlapped, (const struct mini_itt_domain *, mini_itt_id))                \
	F(void, frame_begin_v3, (const struct mini_itt_domain *, mini_itt_id *))                   \
	F(void, frame_end_v3, (const struct mini_itt_domain *, mini_itt_id *))                     \
	F(void, region_begin,                                                                      \
	  (const struct mini_itt_domain *, mini_itt_id, mini_itt_id, struct mini_itt_string *))    \
	F(void, region_end, (const struct mini_itt_domain *, mini_itt_id))                         \
	F(void, marker,                                                                            \
	  (const struct mini_itt_domain *, mini_itt_id, struct mini_itt_string *, int))            \
	F(void, thread_set_name, (const char *))                                                   \
	F(void *, counter_create, (const char *, const char *))                                    \
	F(void *, counter_create_typed, (const char *, const char *, int))                         \
	F(void, counter_inc, (void *))                                                             \
	F(void, counter_inc_delta, (void *, unsigned long long))                                   \
	F(void, counter_dec_delta, (void *, unsigned long long))                                   \
	F(void, counter_set_value, (void *, void *))                                               \
	F(void, counter_inc_v3, (const struct mini_itt_domain *, struct mini_itt_string *))        \
	F(void, sync_create, (void *, const char *, const char *, int))                            \
	F(void, sync_destroy, (void *))                                                            \
	F(void, sync_prepare, (void *))                                                            \
	F(void, sync_cancel, (void *))                                                             \
	F(void, sync_acquired, (void *))                                                           \
	F(void, sync_releasing, (void *))                                                          \
	F(int, event_create, (const char *, int))                                                  \
	F(void, pause, (void))

/* Until ittnotify is initialized, its functions do that. */
static void mini_itt_not_initialized(void)
{
	abort();
}

static struct {
#define MINI_ITT_POINTER(type, name, arguments) type(*name) arguments;
	MINI_ITT_EACH(MINI_ITT_POINTER)
} mini_itt;

struct mini_itt_function {
	const char *name;
	void **pointer;
	void *init, *null;
	int group;
};

static struct mini_itt_function mini_itt_functions[] = {
#define MINI_ITT_FUNCTION(type, name, arguments)                                           \
	{ "__itt_" #name, (void **)&mini_itt.name, (void *)mini_itt_not_initialized, NULL, \
	  0x7fffffff },
	MINI_ITT_EACH(MINI_ITT_FUNCTION){ 0 }
};

static struct {
	unsigned char magic[8];
	unsigned long version[3];
	volatile long initialized, mutex_initialized, counter;
	pthread_mutex_t mutex;
	void *lib;
	void *error_handler;
	const char **dll_path;
	struct mini_itt_function *functions;
	void *next, *threads, *domains, *strings;
	int state;
	void *counters;
	unsigned int collect_events;
	void *histograms;
} mini_itt_global = { .functions = mini_itt_functions };

static inline void mini_itt_init(void)
{
	const char *path = getenv("INTEL_LIBITTNOTIFY64");
	void (*init)(void *, int);

	for (struct mini_itt_function *function = mini_itt_functions; function->name; function++)
		*function->pointer = path ? function->init : function->null;
	if (!path)
		return;
	mini_itt_global.lib = dlopen(path, RTLD_LAZY);
	if (!mini_itt_global.lib)
		abort();
	init = (void (*)(void *, int))dlsym(mini_itt_global.lib, "__itt_api_init");
	init(&mini_itt_global, 0x7fffffff);
}

/* As the macros of ittnotify.h do. */
#define MINI_ITT(function, ...)                         \
	do {                                            \
		if (mini_itt.function)                  \
			mini_itt.function(__VA_ARGS__); \
	} while (0)
#define MINI_ITT_OF(domain, function, ...)                            \
	do {                                                          \
		if ((domain) && (domain)->flags && mini_itt.function) \
			mini_itt.function(domain, ##__VA_ARGS__);     \
	} while (0)

#endif /* ATTACH_MINI_ITT_H */
