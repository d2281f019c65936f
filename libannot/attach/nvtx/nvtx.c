// SPDX-License-Identifier: MIT
/*
 * The front of programs that speak NVTX version 3: CUDA's libraries, PyTorch, RAPIDS. NVTX loads it because of
 * NVTX_INJECTION64_PATH; no GPU is needed. ANNOT_ATTACH_NEXT_NVTX names a further library of that kind,
 * which hears all of it, too.
 *
 * A range that is pushed is a span of its thread until it is popped. One that is started may end in another
 * thread: its start and its end are the marks "NAME begin" and "NAME end", with its number as their value.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../key_map.h"
#include "../sink.h"
#include "../spans.h"
#include "nvtx_api.h"
#include "nvtx_text.h"

__attribute__((visibility("default"))) int InitializeInjectionNvtx2(nvtx_export_table export_table);

/* What the next library implements. */
static struct {
	void (*MarkEx)(const struct nvtx_event *event);
	void (*MarkA)(const char *text);
	void (*MarkW)(const wchar_t *text);
	uint64_t (*RangeStartEx)(const struct nvtx_event *event);
	uint64_t (*RangeStartA)(const char *text);
	uint64_t (*RangeStartW)(const wchar_t *text);
	void (*RangeEnd)(uint64_t id);
	int (*RangePushEx)(const struct nvtx_event *event);
	int (*RangePushA)(const char *text);
	int (*RangePushW)(const wchar_t *text);
	int (*RangePop)(void);
	void (*NameOsThreadA)(uint32_t tid, const char *text);
	void (*NameOsThreadW)(uint32_t tid, const wchar_t *text);
	void (*DomainMarkEx)(void *domain, const struct nvtx_event *event);
	uint64_t (*DomainRangeStartEx)(void *domain, const struct nvtx_event *event);
	void (*DomainRangeEnd)(void *domain, uint64_t id);
	int (*DomainRangePushEx)(void *domain, const struct nvtx_event *event);
	int (*DomainRangePop)(void *domain);
	void *(*DomainRegisterStringA)(void *domain, const char *text);
	void *(*DomainRegisterStringW)(void *domain, const wchar_t *text);
	void *(*DomainCreateA)(const char *name);
	void *(*DomainCreateW)(const wchar_t *name);
	void *(*DomainSyncUserCreate)(void *domain, const struct nvtx_sync_attributes *attributes);
	void (*DomainSyncUserDestroy)(void *sync);
	void (*DomainSyncUserAcquireStart)(void *sync);
	void (*DomainSyncUserAcquireFailed)(void *sync);
	void (*DomainSyncUserAcquireSuccess)(void *sync);
} next;

#define FORWARD(function, ...)                      \
	do {                                        \
		if (next.function)                  \
			next.function(__VA_ARGS__); \
	} while (0)

/* What a message and a payload say. */
struct told {
	struct place *place;
	struct nvtx_number number;
};

/* Of the strings that the next library registered: its handles. */
static struct key_map strings;

static struct told told_of_text(const char *text, const char *word)
{
	char name[NVTX_TEXT_BYTES];
	struct told told;

	strncpy(name, text && *text ? text : word, sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	told.number = nvtx_text_cut_number(name);
	told.place = place_of_name(name);
	return told;
}

static struct told told_of_wide(const wchar_t *wide, const char *word)
{
	char text[NVTX_TEXT_BYTES] = "";

	if (wide)
		nvtx_text_of_wide(text, wide);
	return told_of_text(text, word);
}

static struct told told_of_registered(void *handle, const char *word)
{
	struct place *place = handle;

	if (next.DomainRegisterStringA || next.DomainRegisterStringW)
		place = key_map_get(&strings, (uintptr_t)handle);
	return (struct told){ .place = place ? place : place_of_name(word) };
}

static struct told told_of_message(int32_t type, union nvtx_message message, const char *word)
{
	switch (type) {
	case nvtx_message_ascii:
		return told_of_text(message.ascii, word);
	case nvtx_message_wide:
		return told_of_wide(message.wide, word);
	case nvtx_message_registered:
		return told_of_registered(message.registered, word);
	default:
		return (struct told){ .place = place_of_name(word) };
	}
}

static struct nvtx_number number_of_payload(const struct nvtx_event *event)
{
	switch (event->payload_type) {
	case nvtx_payload_u64:
	case nvtx_payload_i64:
		return (struct nvtx_number){ true, event->payload.i64 };
	case nvtx_payload_u32:
		return (struct nvtx_number){ true, event->payload.u32 };
	case nvtx_payload_i32:
		return (struct nvtx_number){ true, event->payload.i32 };
	case nvtx_payload_double:
		return (struct nvtx_number){ true, (int64_t)event->payload.real };
	case nvtx_payload_float:
		return (struct nvtx_number){ true, (int64_t)event->payload.short_real };
	default:
		return (struct nvtx_number){ false, 0 };
	}
}

static struct told told_of_event(const struct nvtx_event *event, const char *word)
{
	struct nvtx_number payload;
	struct told told;

	if (!event)
		return (struct told){ .place = place_of_name(word) };
	told = told_of_message(event->message_type, event->message, word);
	payload = number_of_payload(event);
	if (payload.is_there)
		told.number = payload;
	return told;
}

static void tell_mark(struct told told)
{
	if (told.number.is_there)
		attach_mark_value(told.place, told.number.value);
	else
		attach_mark(told.place);
}

/* Ranges of one domain. */
static struct attach_span_key key_of_domain(const void *domain)
{
	return (struct attach_span_key){ .owner = (uintptr_t)domain, .id = 0 };
}

static struct attach_span_key key_of_sync(const void *sync)
{
	return (struct attach_span_key){ .owner = (uintptr_t)sync, .id = 1 };
}

/* Returns how many ranges of the domain it is in, as NVTX has it. */
static int push(const void *domain, struct told told)
{
	struct attach_span_key key = key_of_domain(domain);
	int level = (int)attach_span_count(key);

	if (told.number.is_there)
		attach_span_begin_value(key, told.place, told.number.value);
	else
		attach_span_begin(key, told.place);
	return level;
}

static int pop(const void *domain)
{
	struct attach_span_key key = key_of_domain(domain);
	int level = (int)attach_span_count(key) - 1;

	attach_span_end(key);
	return level;
}

/* Ranges that are started, by their numbers. */
static struct key_map ranges;

/* Numbers of ours; the next library's are as it likes. */
static uint64_t nr_ranges;

static void mark_range(const struct place *place, const char *word, uint64_t id)
{
	char name[NVTX_TEXT_BYTES + 8];

	snprintf(name, sizeof(name), "%s %s", place->name, word);
	attach_mark_value(place_of_name(name), (int64_t)id);
}

static uint64_t range_begin(struct place *place, uint64_t id_of_next)
{
	uint64_t id = id_of_next ? id_of_next : __atomic_add_fetch(&nr_ranges, 1, __ATOMIC_RELAXED);

	if (!place)
		return id;
	key_map_put(&ranges, id, place);
	mark_range(place, "begin", id);
	return id;
}

static void range_end(uint64_t id)
{
	struct place *place = key_map_take(&ranges, id);

	if (place && attach_is_recording())
		mark_range(place, "end", id);
}

static void on_MarkEx(const struct nvtx_event *event)
{
	if (attach_is_recording())
		tell_mark(told_of_event(event, "mark"));
	FORWARD(MarkEx, event);
}

static void on_MarkA(const char *text)
{
	if (attach_is_recording())
		tell_mark(told_of_text(text, "mark"));
	FORWARD(MarkA, text);
}

static void on_MarkW(const wchar_t *text)
{
	if (attach_is_recording())
		tell_mark(told_of_wide(text, "mark"));
	FORWARD(MarkW, text);
}

static void on_DomainMarkEx(void *domain, const struct nvtx_event *event)
{
	if (attach_is_recording())
		tell_mark(told_of_event(event, "mark"));
	FORWARD(DomainMarkEx, domain, event);
}

static const struct told nothing;

static int on_RangePushEx(const struct nvtx_event *event)
{
	int level = push(NULL, attach_is_recording() ? told_of_event(event, "range") : nothing);

	return next.RangePushEx ? next.RangePushEx(event) : level;
}

static int on_RangePushA(const char *text)
{
	int level = push(NULL, attach_is_recording() ? told_of_text(text, "range") : nothing);

	return next.RangePushA ? next.RangePushA(text) : level;
}

static int on_RangePushW(const wchar_t *text)
{
	int level = push(NULL, attach_is_recording() ? told_of_wide(text, "range") : nothing);

	return next.RangePushW ? next.RangePushW(text) : level;
}

static int on_RangePop(void)
{
	int level = pop(NULL);

	return next.RangePop ? next.RangePop() : level;
}

static int on_DomainRangePushEx(void *domain, const struct nvtx_event *event)
{
	int level = push(domain, attach_is_recording() ? told_of_event(event, "range") : nothing);

	return next.DomainRangePushEx ? next.DomainRangePushEx(domain, event) : level;
}

static int on_DomainRangePop(void *domain)
{
	int level = pop(domain);

	return next.DomainRangePop ? next.DomainRangePop(domain) : level;
}

static uint64_t on_RangeStartEx(const struct nvtx_event *event)
{
	return range_begin(attach_is_recording() ? told_of_event(event, "range").place : NULL,
			   next.RangeStartEx ? next.RangeStartEx(event) : 0);
}

static uint64_t on_RangeStartA(const char *text)
{
	return range_begin(attach_is_recording() ? told_of_text(text, "range").place : NULL,
			   next.RangeStartA ? next.RangeStartA(text) : 0);
}

static uint64_t on_RangeStartW(const wchar_t *text)
{
	return range_begin(attach_is_recording() ? told_of_wide(text, "range").place : NULL,
			   next.RangeStartW ? next.RangeStartW(text) : 0);
}

static uint64_t on_DomainRangeStartEx(void *domain, const struct nvtx_event *event)
{
	return range_begin(attach_is_recording() ? told_of_event(event, "range").place : NULL,
			   next.DomainRangeStartEx ? next.DomainRangeStartEx(domain, event) : 0);
}

static void on_RangeEnd(uint64_t id)
{
	range_end(id);
	FORWARD(RangeEnd, id);
}

static void on_DomainRangeEnd(void *domain, uint64_t id)
{
	range_end(id);
	FORWARD(DomainRangeEnd, domain, id);
}

/* A mark: its name for the kernel may be in use for something else. */
static void name_thread(uint32_t tid, const char *text)
{
	char name[NVTX_TEXT_BYTES + 8];

	snprintf(name, sizeof(name), "thread %s", text);
	attach_mark_value(place_of_name(name), tid);
}

static void on_NameOsThreadA(uint32_t tid, const char *text)
{
	if (text && attach_is_recording())
		name_thread(tid, text);
	FORWARD(NameOsThreadA, tid, text);
}

static void on_NameOsThreadW(uint32_t tid, const wchar_t *text)
{
	if (text && attach_is_recording())
		name_thread(tid, told_of_wide(text, "").place->name);
	FORWARD(NameOsThreadW, tid, text);
}

/* A domain is told apart, but not named: any pointer will do that is not NULL. */
static void *on_DomainCreateA(const char *name)
{
	return next.DomainCreateA ? next.DomainCreateA(name) : told_of_text(name, "domain").place;
}

static void *on_DomainCreateW(const wchar_t *name)
{
	return next.DomainCreateW ? next.DomainCreateW(name) : told_of_wide(name, "domain").place;
}

/* Without a next library, a string's handle is its place. */
static void *string_register(struct place *place, void *handle_of_next)
{
	if (!handle_of_next)
		return place;
	key_map_put(&strings, (uintptr_t)handle_of_next, place);
	return handle_of_next;
}

static void *on_DomainRegisterStringA(void *domain, const char *text)
{
	return string_register(told_of_text(text, "range").place,
			       next.DomainRegisterStringA ?
				       next.DomainRegisterStringA(domain, text) :
				       NULL);
}

static void *on_DomainRegisterStringW(void *domain, const wchar_t *text)
{
	return string_register(told_of_wide(text, "range").place,
			       next.DomainRegisterStringW ?
				       next.DomainRegisterStringW(domain, text) :
				       NULL);
}

/* What threads wait for, by its handle: "wait NAME". */
static struct key_map syncs;

static struct place *place_of_sync(const struct nvtx_sync_attributes *attributes)
{
	char name[NVTX_TEXT_BYTES + 8];

	if (!attributes || attributes->message_type == nvtx_message_none)
		return place_of_name("wait");
	snprintf(name, sizeof(name), "wait %s",
		 told_of_message(attributes->message_type, attributes->message, "").place->name);
	return place_of_name(name);
}

static void *on_DomainSyncUserCreate(void *domain, const struct nvtx_sync_attributes *attributes)
{
	void *sync = next.DomainSyncUserCreate ? next.DomainSyncUserCreate(domain, attributes) :
						 malloc(1);

	if (sync)
		key_map_put(&syncs, (uintptr_t)sync, place_of_sync(attributes));
	return sync;
}

static void on_DomainSyncUserDestroy(void *sync)
{
	if (sync)
		key_map_take(&syncs, (uintptr_t)sync);
	if (next.DomainSyncUserCreate)
		FORWARD(DomainSyncUserDestroy, sync);
	else
		free(sync);
}

static void on_DomainSyncUserAcquireStart(void *sync)
{
	struct place *place = key_map_get(&syncs, (uintptr_t)sync);

	attach_span_wait_begin(key_of_sync(sync), attach_is_recording() ? place : NULL, 0);
	FORWARD(DomainSyncUserAcquireStart, sync);
}

static void on_DomainSyncUserAcquireFailed(void *sync)
{
	attach_span_end(key_of_sync(sync));
	FORWARD(DomainSyncUserAcquireFailed, sync);
}

static void on_DomainSyncUserAcquireSuccess(void *sync)
{
	attach_span_end(key_of_sync(sync));
	FORWARD(DomainSyncUserAcquireSuccess, sync);
}

struct implementation {
	unsigned int index;
	void *ours;
	void **next;
};

#define IMPLEMENTATION(module, function)                                                   \
	{                                                                                  \
		nvtx_##module##_##function, (void *)on_##function, (void **)&next.function \
	}

static const struct implementation core[] = {
	IMPLEMENTATION(core, MarkEx),	     IMPLEMENTATION(core, MarkA),
	IMPLEMENTATION(core, MarkW),	     IMPLEMENTATION(core, RangeStartEx),
	IMPLEMENTATION(core, RangeStartA),   IMPLEMENTATION(core, RangeStartW),
	IMPLEMENTATION(core, RangeEnd),	     IMPLEMENTATION(core, RangePushEx),
	IMPLEMENTATION(core, RangePushA),    IMPLEMENTATION(core, RangePushW),
	IMPLEMENTATION(core, RangePop),	     IMPLEMENTATION(core, NameOsThreadA),
	IMPLEMENTATION(core, NameOsThreadW), { 0, NULL, NULL },
};

static const struct implementation core2[] = {
	IMPLEMENTATION(core2, DomainMarkEx),	      IMPLEMENTATION(core2, DomainRangeStartEx),
	IMPLEMENTATION(core2, DomainRangeEnd),	      IMPLEMENTATION(core2, DomainRangePushEx),
	IMPLEMENTATION(core2, DomainRangePop),	      IMPLEMENTATION(core2, DomainRegisterStringA),
	IMPLEMENTATION(core2, DomainRegisterStringW), IMPLEMENTATION(core2, DomainCreateA),
	IMPLEMENTATION(core2, DomainCreateW),	      { 0, NULL, NULL },
};

static const struct implementation sync[] = {
	IMPLEMENTATION(sync, DomainSyncUserCreate),
	IMPLEMENTATION(sync, DomainSyncUserDestroy),
	IMPLEMENTATION(sync, DomainSyncUserAcquireStart),
	IMPLEMENTATION(sync, DomainSyncUserAcquireFailed),
	IMPLEMENTATION(sync, DomainSyncUserAcquireSuccess),
	{ 0, NULL, NULL },
};

/* The functions of a module in one copy of NVTX, and what they were before the next library came. */
struct module {
	enum nvtx_module id;
	const struct implementation *implementations;
	void ***functions; /* NULL: this copy is older, and has no such module */
	unsigned int nr;
	void *before[NVTX_FUNCTIONS_MAX];
};

static void module_look(struct module *module, const struct nvtx_callbacks *callbacks)
{
	if (!callbacks->module_table(module->id, &module->functions, &module->nr))
		module->functions = NULL;
	if (module->nr >= NVTX_FUNCTIONS_MAX)
		module->nr = NVTX_FUNCTIONS_MAX - 1;
	for (unsigned int i = 1; module->functions && i <= module->nr; i++)
		module->before[i] = module->functions[i] ? *module->functions[i] : NULL;
}

static void module_take_over(const struct module *module)
{
	const struct implementation *ours;

	for (ours = module->implementations; module->functions && ours->index; ours++) {
		void **function = ours->index <= module->nr ? module->functions[ours->index] : NULL;

		if (!function)
			continue;
		if (*function != module->before[ours->index] && *function != ours->ours)
			*ours->next = *function;
		*function = ours->ours;
	}
}

static void next_init(nvtx_export_table export_table)
{
	const char *path = getenv("ANNOT_ATTACH_NEXT_NVTX");
	void *library = path && *path ? dlopen(path, RTLD_LAZY) : NULL;
	int (*init)(nvtx_export_table);

	if (!library)
		return;
	init = (int (*)(nvtx_export_table))dlsym(library, "InitializeInjectionNvtx2");
	if (init)
		init(export_table);
}

/* Once for each copy of NVTX in the process. 0: this copy is to do nothing. */
int InitializeInjectionNvtx2(nvtx_export_table export_table)
{
	struct module modules[] = { { .id = nvtx_module_core, .implementations = core },
				    { .id = nvtx_module_core2, .implementations = core2 },
				    { .id = nvtx_module_sync, .implementations = sync } };
	const struct nvtx_callbacks *callbacks = export_table(nvtx_table_callbacks);
	int saved_errno = errno;

	if (!callbacks || callbacks->struct_bytes < sizeof(*callbacks))
		return 0;
	for (unsigned int i = 0; i < sizeof(modules) / sizeof(modules[0]); i++)
		module_look(&modules[i], callbacks);
	next_init(export_table);
	for (unsigned int i = 0; i < sizeof(modules) / sizeof(modules[0]); i++)
		module_take_over(&modules[i]);
	errno = saved_errno;
	return 1;
}
