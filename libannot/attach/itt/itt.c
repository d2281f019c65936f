// SPDX-License-Identifier: MIT
/*
 * The front of programs that speak ITT: TBB, oneDNN, PyTorch, Julia. ittnotify loads it because of
 * INTEL_LIBITTNOTIFY64. ANNOT_ATTACH_NEXT_ITT names a further collector, which hears all of it, too.
 *
 * Tasks, frames, regions and locks that are waited for are spans of the thread that begins them. A frame or
 * region that ends in another thread ends in its own when the next of its kind begins there. Overlapped
 * tasks and markers are marks. What comes with times of the program's own is not told.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../object_of_address.h"
#include "../key_map.h"
#include "../sink.h"
#include "../spans.h"
#include "itt_api.h"
#include "itt_handles.h"

__attribute__((visibility("default"))) void __itt_api_init(struct itt_global *global, int groups);

/* What the next collector implements of these. */
static struct {
	struct itt_domain *(*domain_create)(const char *name);
	struct itt_string *(*string_handle_create)(const char *text);
	void (*task_begin)(const struct itt_domain *domain, struct itt_id id, struct itt_id parent,
			   struct itt_string *name);
	void (*task_begin_fn)(const struct itt_domain *domain, struct itt_id id,
			      struct itt_id parent, void *function);
	void (*task_end)(const struct itt_domain *domain);
	void (*task_begin_overlapped)(const struct itt_domain *domain, struct itt_id id,
				      struct itt_id parent, struct itt_string *name);
	void (*frame_begin_v3)(const struct itt_domain *domain, struct itt_id *id);
	void (*frame_end_v3)(const struct itt_domain *domain, struct itt_id *id);
	void (*region_begin)(const struct itt_domain *domain, struct itt_id id,
			     struct itt_id parent, struct itt_string *name);
	void (*region_end)(const struct itt_domain *domain, struct itt_id id);
	void (*marker)(const struct itt_domain *domain, struct itt_id id, struct itt_string *name,
		       int scope);
	void (*thread_set_name)(const char *name);
	void *(*counter_create)(const char *name, const char *domain);
	void *(*counter_create_typed)(const char *name, const char *domain, enum itt_type type);
	void (*counter_destroy)(void *counter);
	void (*counter_inc)(void *counter);
	void (*counter_inc_delta)(void *counter, unsigned long long delta);
	void (*counter_dec)(void *counter);
	void (*counter_dec_delta)(void *counter, unsigned long long delta);
	void (*counter_set_value)(void *counter, void *value);
	void (*counter_set_value_ex)(void *counter, struct itt_clock_domain *clock,
				     unsigned long long time, void *value);
	void (*counter_inc_v3)(const struct itt_domain *domain, struct itt_string *name);
	void (*counter_inc_delta_v3)(const struct itt_domain *domain, struct itt_string *name,
				     unsigned long long delta);
	void (*counter_dec_v3)(const struct itt_domain *domain, struct itt_string *name);
	void (*counter_dec_delta_v3)(const struct itt_domain *domain, struct itt_string *name,
				     unsigned long long delta);
	void (*sync_create)(void *object, const char *type, const char *name, int attribute);
	void (*sync_rename)(void *object, const char *name);
	void (*sync_destroy)(void *object);
	void (*sync_prepare)(void *object);
	void (*sync_cancel)(void *object);
	void (*sync_acquired)(void *object);
} next;

#define FORWARD(function, ...)                      \
	do {                                        \
		if (next.function)                  \
			next.function(__VA_ARGS__); \
	} while (0)

/* Spans of one kind and domain, or of one object that threads wait for. */
enum span_kind {
	SPAN_TASK,
	SPAN_FRAME,
	SPAN_REGION,
	SPAN_WAIT,
};

static struct attach_span_key key_of(enum span_kind kind, const void *owner,
				     const struct itt_id *id)
{
	struct attach_span_key key = { .owner = (uintptr_t)owner, .id = kind };

	for (int i = 0; id && i < 3; i++)
		key.id = (key.id ^ id->words[i]) * UINT64_C(0x9e3779b97f4a7c15);
	return key;
}

static struct itt_domain *on_domain_create(const char *name)
{
	return next.domain_create ? next.domain_create(name) : itt_domain_of_name(name);
}

static struct itt_string *on_string_handle_create(const char *text)
{
	return next.string_handle_create ? next.string_handle_create(text) :
					   itt_string_of_text(text);
}

static struct place *place_of_domain(const char *word, const struct itt_domain *domain)
{
	char text[128];

	if (!domain || !domain->name)
		return place_of_name(word);
	snprintf(text, sizeof(text), "%s %s", word, domain->name);
	return place_of_name(text);
}

static struct place *place_of_string(const char *word, const struct itt_domain *domain,
				     const struct itt_string *name)
{
	if (!name || !name->text || !*name->text)
		return place_of_domain(word, domain);
	return place_of_name(name->text);
}

static void on_task_begin(const struct itt_domain *domain, struct itt_id id, struct itt_id parent,
			  struct itt_string *name)
{
	attach_span_begin(key_of(SPAN_TASK, domain, NULL),
			  attach_is_recording() ? place_of_string("task", domain, name) : NULL);
	FORWARD(task_begin, domain, id, parent, name);
}

static void on_task_begin_fn(const struct itt_domain *domain, struct itt_id id,
			     struct itt_id parent, void *function)
{
	attach_span_begin(key_of(SPAN_TASK, domain, NULL),
			  attach_is_recording() ?
				  place_of_address("task", PLACE_FUNCTION, function) :
				  NULL);
	FORWARD(task_begin_fn, domain, id, parent, function);
}

static void on_task_end(const struct itt_domain *domain)
{
	attach_span_end(key_of(SPAN_TASK, domain, NULL));
	FORWARD(task_end, domain);
}

static void on_task_begin_overlapped(const struct itt_domain *domain, struct itt_id id,
				     struct itt_id parent, struct itt_string *name)
{
	if (attach_is_recording())
		attach_mark(place_of_string("task", domain, name));
	FORWARD(task_begin_overlapped, domain, id, parent, name);
}

/* One that is still open was ended by another thread. */
static void begin_anew(struct attach_span_key key, struct place *place)
{
	attach_span_end(key);
	attach_span_begin(key, place);
}

static void on_frame_begin_v3(const struct itt_domain *domain, struct itt_id *id)
{
	begin_anew(key_of(SPAN_FRAME, domain, id),
		   attach_is_recording() ? place_of_domain("frame", domain) : NULL);
	FORWARD(frame_begin_v3, domain, id);
}

static void on_frame_end_v3(const struct itt_domain *domain, struct itt_id *id)
{
	attach_span_end(key_of(SPAN_FRAME, domain, id));
	FORWARD(frame_end_v3, domain, id);
}

static void on_region_begin(const struct itt_domain *domain, struct itt_id id, struct itt_id parent,
			    struct itt_string *name)
{
	begin_anew(key_of(SPAN_REGION, domain, &id),
		   attach_is_recording() ? place_of_string("region", domain, name) : NULL);
	FORWARD(region_begin, domain, id, parent, name);
}

static void on_region_end(const struct itt_domain *domain, struct itt_id id)
{
	attach_span_end(key_of(SPAN_REGION, domain, &id));
	FORWARD(region_end, domain, id);
}

static void on_marker(const struct itt_domain *domain, struct itt_id id, struct itt_string *name,
		      int scope)
{
	if (attach_is_recording())
		attach_mark(place_of_string("marker", domain, name));
	FORWARD(marker, domain, id, name, scope);
}

/* A mark: its name for the kernel may be in use for something else. */
static void on_thread_set_name(const char *name)
{
	char text[128];

	if (name && attach_is_recording()) {
		snprintf(text, sizeof(text), "thread %s", name);
		attach_mark(place_of_name(text));
	}
	FORWARD(thread_set_name, name);
}

static void *on_counter_create(const char *name, const char *domain)
{
	return itt_counter_make(name, itt_u64,
				next.counter_create ? next.counter_create(name, domain) : NULL);
}

static void *on_counter_create_typed(const char *name, const char *domain, enum itt_type type)
{
	return itt_counter_make(name, type,
				next.counter_create_typed ?
					next.counter_create_typed(name, domain, type) :
					NULL);
}

/* The handle stays: the program may use it in another thread. */
static void on_counter_destroy(void *handle)
{
	struct itt_counter *counter = itt_counter_of_handle(handle);
	void *forwarded = counter ? __atomic_exchange_n(&counter->next, NULL, __ATOMIC_ACQ_REL) :
				    NULL;

	if (forwarded)
		FORWARD(counter_destroy, forwarded);
}

static void counter_set(struct itt_counter *counter, int64_t value)
{
	__atomic_store_n(&counter->value, value, __ATOMIC_RELAXED);
	if (attach_is_recording())
		attach_counter(counter->place, value);
}

static void counter_add(struct itt_counter *counter, int64_t delta)
{
	int64_t value;

	if (!counter)
		return;
	value = __atomic_add_fetch(&counter->value, delta, __ATOMIC_RELAXED);
	if (attach_is_recording())
		attach_counter(counter->place, value);
}

/* Tells that by which the counter of @handle changes; @function is what the next collector has for it. */
#define COUNTER_CHANGES(handle, change, function, ...)                               \
	do {                                                                         \
		struct itt_counter *counter = itt_counter_of_handle(handle);         \
                                                                                     \
		counter_add(counter, change);                                        \
		if (counter && counter->next)                                        \
			FORWARD(function, counter->next __VA_OPT__(, ) __VA_ARGS__); \
	} while (0)

static void on_counter_inc(void *handle)
{
	COUNTER_CHANGES(handle, 1, counter_inc);
}

static void on_counter_inc_delta(void *handle, unsigned long long delta)
{
	COUNTER_CHANGES(handle, (int64_t)delta, counter_inc_delta, delta);
}

static void on_counter_dec(void *handle)
{
	COUNTER_CHANGES(handle, -1, counter_dec);
}

static void on_counter_dec_delta(void *handle, unsigned long long delta)
{
	COUNTER_CHANGES(handle, -(int64_t)delta, counter_dec_delta, delta);
}

static int64_t value_of_type(enum itt_type type, const void *value)
{
	switch (type) {
	case itt_u32:
		return *(const uint32_t *)value;
	case itt_s32:
		return *(const int32_t *)value;
	case itt_u16:
		return *(const uint16_t *)value;
	case itt_s16:
		return *(const int16_t *)value;
	case itt_float:
		return (int64_t) * (const float *)value;
	case itt_double:
		return (int64_t) * (const double *)value;
	default:
		return *(const int64_t *)value;
	}
}

static void on_counter_set_value(void *handle, void *value)
{
	struct itt_counter *counter = itt_counter_of_handle(handle);

	if (!counter || !value)
		return;
	counter_set(counter, value_of_type(counter->type, value));
	if (counter->next)
		FORWARD(counter_set_value, counter->next, value);
}

static void on_counter_set_value_ex(void *handle, struct itt_clock_domain *clock,
				    unsigned long long time, void *value)
{
	struct itt_counter *counter = itt_counter_of_handle(handle);

	if (!counter || !value)
		return;
	counter_set(counter, value_of_type(counter->type, value));
	if (counter->next)
		FORWARD(counter_set_value_ex, counter->next, clock, time, value);
}

static struct itt_counter *counter_of_string(const struct itt_domain *domain,
					     const struct itt_string *name)
{
	return itt_counter_of_place(place_of_string("counter", domain, name));
}

static void on_counter_inc_v3(const struct itt_domain *domain, struct itt_string *name)
{
	counter_add(counter_of_string(domain, name), 1);
	FORWARD(counter_inc_v3, domain, name);
}

static void on_counter_inc_delta_v3(const struct itt_domain *domain, struct itt_string *name,
				    unsigned long long delta)
{
	counter_add(counter_of_string(domain, name), (int64_t)delta);
	FORWARD(counter_inc_delta_v3, domain, name, delta);
}

static void on_counter_dec_v3(const struct itt_domain *domain, struct itt_string *name)
{
	counter_add(counter_of_string(domain, name), -1);
	FORWARD(counter_dec_v3, domain, name);
}

static void on_counter_dec_delta_v3(const struct itt_domain *domain, struct itt_string *name,
				    unsigned long long delta)
{
	counter_add(counter_of_string(domain, name), -(int64_t)delta);
	FORWARD(counter_dec_delta_v3, domain, name, delta);
}

/* What threads wait for, by its address: "wait NAME". */
static struct key_map objects;

static void object_name(const void *object, const char *name)
{
	char text[128];

	if (!name || !*name) {
		key_map_take(&objects, (uintptr_t)object);
		return;
	}
	snprintf(text, sizeof(text), "wait %s", name);
	key_map_put(&objects, (uintptr_t)object, place_of_name(text));
}

static struct place *place_of_wait(const void *object)
{
	struct place *place = key_map_get(&objects, (uintptr_t)object);

	return place ? place : place_of_name("wait");
}

static void on_sync_create(void *object, const char *type, const char *name, int attribute)
{
	object_name(object, name && *name ? name : type);
	FORWARD(sync_create, object, type, name, attribute);
}

static void on_sync_rename(void *object, const char *name)
{
	object_name(object, name);
	FORWARD(sync_rename, object, name);
}

static void on_sync_destroy(void *object)
{
	key_map_take(&objects, (uintptr_t)object);
	FORWARD(sync_destroy, object);
}

static void on_sync_prepare(void *object)
{
	struct attach_span_key key = key_of(SPAN_WAIT, object, NULL);

	attach_span_end(key);
	attach_span_wait_begin(key, attach_is_recording() ? place_of_wait(object) : NULL,
			       (int64_t)(intptr_t)object);
	FORWARD(sync_prepare, object);
}

static void on_sync_cancel(void *object)
{
	attach_span_end(key_of(SPAN_WAIT, object, NULL));
	FORWARD(sync_cancel, object);
}

static void on_sync_acquired(void *object)
{
	attach_span_end(key_of(SPAN_WAIT, object, NULL));
	FORWARD(sync_acquired, object);
}

#define IMPLEMENTATION(function)                                                   \
	{                                                                          \
		"__itt_" #function, (void *)on_##function, (void **)&next.function \
	}

static const struct {
	const char *name;
	void *ours;
	void **next;
} implementations[] = {
	IMPLEMENTATION(domain_create),
	IMPLEMENTATION(string_handle_create),
	IMPLEMENTATION(task_begin),
	IMPLEMENTATION(task_begin_fn),
	IMPLEMENTATION(task_end),
	IMPLEMENTATION(task_begin_overlapped),
	IMPLEMENTATION(frame_begin_v3),
	IMPLEMENTATION(frame_end_v3),
	IMPLEMENTATION(region_begin),
	IMPLEMENTATION(region_end),
	IMPLEMENTATION(marker),
	IMPLEMENTATION(thread_set_name),
	IMPLEMENTATION(counter_create),
	IMPLEMENTATION(counter_create_typed),
	IMPLEMENTATION(counter_destroy),
	IMPLEMENTATION(counter_inc),
	IMPLEMENTATION(counter_inc_delta),
	IMPLEMENTATION(counter_dec),
	IMPLEMENTATION(counter_dec_delta),
	IMPLEMENTATION(counter_set_value),
	IMPLEMENTATION(counter_set_value_ex),
	IMPLEMENTATION(counter_inc_v3),
	IMPLEMENTATION(counter_inc_delta_v3),
	IMPLEMENTATION(counter_dec_v3),
	IMPLEMENTATION(counter_dec_delta_v3),
	IMPLEMENTATION(sync_create),
	IMPLEMENTATION(sync_rename),
	IMPLEMENTATION(sync_destroy),
	IMPLEMENTATION(sync_prepare),
	IMPLEMENTATION(sync_cancel),
	IMPLEMENTATION(sync_acquired),
};

#define NR_IMPLEMENTATIONS (sizeof(implementations) / sizeof(implementations[0]))

/* Collectors of the first version have no __itt_api_init(). */
static void next_fill_in(struct itt_global *global, void *collector)
{
	for (struct itt_function *function = global->functions; function->name; function++) {
		void *found = dlsym(collector, function->name);

		if (found)
			*function->pointer = found;
	}
}

/* The next collector takes from the object that is told to be loaded what it implements. */
static void next_init(struct itt_global *global, int groups)
{
	const char *path = getenv("ANNOT_ATTACH_NEXT_ITT");
	void *collector = path && *path ? dlopen(path, RTLD_LAZY) : NULL;
	void *loaded = global->collector;
	void (*init)(struct itt_global *, int);

	if (!collector)
		return;
	init = (void (*)(struct itt_global *, int))dlsym(collector, "__itt_api_init");
	if (!init) {
		next_fill_in(global, collector);
		return;
	}
	global->collector = collector;
	init(global, groups);
	global->collector = loaded;
}

static bool is_implemented(const struct itt_function *function)
{
	return *function->pointer != function->until_initialized &&
	       *function->pointer != function->without_collector;
}

static void take_over(const struct itt_function *function)
{
	for (size_t i = 0; i < NR_IMPLEMENTATIONS; i++) {
		if (strcmp(implementations[i].name, function->name))
			continue;
		if (is_implemented(function) && *function->pointer != implementations[i].ours)
			*implementations[i].next = *function->pointer;
		*function->pointer = implementations[i].ours;
		return;
	}
}

/* LLVM's OpenMP runtime, and Intel's, tell the same by OMPT, and more. */
static bool is_told_by_ompt(const struct itt_global *global)
{
	const char *tools = getenv("OMP_TOOL_LIBRARIES");
	struct loaded_object object;
	const char *file;

	if (!tools || !strstr(tools, "ompt.so") || !object_of_address((uintptr_t)global, &object))
		return false;
	file = strrchr(object.path, '/');
	file = file ? file + 1 : object.path;
	return !strncmp(file, "libomp", 6) || !strncmp(file, "libiomp", 7);
}

/* Once for each copy of ittnotify in the process. */
void __itt_api_init(struct itt_global *global, int groups)
{
	int saved_errno = errno;
	bool is_ours;

	if (!global || !global->functions)
		return;
	is_ours = !is_told_by_ompt(global);
	next_init(global, groups);
	for (struct itt_function *function = global->functions; function->name; function++) {
		if (!is_implemented(function))
			*function->pointer = function->without_collector;
		if (is_ours)
			take_over(function);
	}
	errno = saved_errno;
}
