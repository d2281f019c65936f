// SPDX-License-Identifier: MIT
/*
 * The front of Kokkos. It is the first of the tools in KOKKOS_TOOLS_LIBS: Kokkos loads no other one, and each tool
 * is to load the next. That one hears all but what is for tuning.
 *
 * Kernels, regions, sections and copies are spans of the thread that begins them; fences are waits. On a GPU,
 * a kernel's span is that of its launch.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../key_map.h"
#include "../sink.h"
#include "../spans.h"
#include "kokkos.h"
#include "kokkos_name.h"

static void *next_tool;

/* The functions of the next tool. */
#define NEXT(function) static __typeof__(&kokkosp_##function) next_##function

NEXT(init_library);
NEXT(finalize_library);
NEXT(parse_args);
NEXT(print_help);
NEXT(request_tool_settings);
NEXT(provide_tool_programming_interface);
NEXT(begin_parallel_for);
NEXT(end_parallel_for);
NEXT(begin_parallel_reduce);
NEXT(end_parallel_reduce);
NEXT(begin_parallel_scan);
NEXT(end_parallel_scan);
NEXT(begin_fence);
NEXT(end_fence);
NEXT(push_profile_region);
NEXT(pop_profile_region);
NEXT(create_profile_section);
NEXT(start_profile_section);
NEXT(stop_profile_section);
NEXT(destroy_profile_section);
NEXT(profile_event);
NEXT(begin_deep_copy);
NEXT(end_deep_copy);
NEXT(allocate_data);
NEXT(deallocate_data);
NEXT(dual_view_sync);
NEXT(dual_view_modify);
NEXT(declare_metadata);

#define FORWARD(function, ...)                        \
	do {                                          \
		if (next_##function)                  \
			next_##function(__VA_ARGS__); \
	} while (0)

#define FIND(function)                                          \
	{                                                       \
		"kokkosp_" #function, (void **)&next_##function \
	}

static const struct {
	const char *name;
	void **pointer;
} functions_of_next[] = {
	FIND(init_library),
	FIND(finalize_library),
	FIND(parse_args),
	FIND(print_help),
	FIND(request_tool_settings),
	FIND(provide_tool_programming_interface),
	FIND(begin_parallel_for),
	FIND(end_parallel_for),
	FIND(begin_parallel_reduce),
	FIND(end_parallel_reduce),
	FIND(begin_parallel_scan),
	FIND(end_parallel_scan),
	FIND(begin_fence),
	FIND(end_fence),
	FIND(push_profile_region),
	FIND(pop_profile_region),
	FIND(create_profile_section),
	FIND(start_profile_section),
	FIND(stop_profile_section),
	FIND(destroy_profile_section),
	FIND(profile_event),
	FIND(begin_deep_copy),
	FIND(end_deep_copy),
	FIND(allocate_data),
	FIND(deallocate_data),
	FIND(dual_view_sync),
	FIND(dual_view_modify),
	FIND(declare_metadata),
};

/* The tool with this @index in a list with ";" between them. NULL: there is none. */
static void *tool_open(const char *list, int index)
{
	const char *at = list;
	char path[4096];
	size_t length;

	for (; at && index > 0; index--) {
		at = strchr(at, ';');
		if (at)
			at++;
	}
	length = at ? strcspn(at, ";") : 0;
	if (!length || length >= sizeof(path))
		return NULL;
	memcpy(path, at, length);
	path[length] = '\0';
	return dlopen(path, RTLD_NOW | RTLD_GLOBAL);
}

/* The tool behind this one, which is the tool with this @index. Until Kokkos 4, the list has another name. */
static void *next_tool_open(int index)
{
	void *tool = index ? NULL : tool_open(getenv("ANNOT_ATTACH_NEXT_KOKKOS"), 0);

	if (!tool)
		tool = tool_open(getenv("KOKKOS_TOOLS_LIBS"), index + 1);
	return tool ? tool : tool_open(getenv("KOKKOS_PROFILE_LIBRARY"), index + 1);
}

/* Kokkos calls this before all others. */
void kokkosp_init_library(int index, uint64_t version, uint32_t nr_devices, void *devices)
{
	int saved_errno = errno;

	next_tool = next_tool_open(index);
	for (size_t i = 0;
	     next_tool && i < sizeof(functions_of_next) / sizeof(functions_of_next[0]); i++) {
		void *function = dlsym(next_tool, functions_of_next[i].name);

		*functions_of_next[i].pointer = function;
	}
	errno = saved_errno;
	FORWARD(init_library, index + 1, version, nr_devices, devices);
}

void kokkosp_finalize_library(void)
{
	FORWARD(finalize_library);
}

void kokkosp_parse_args(int nr, char **args)
{
	FORWARD(parse_args, nr, args);
}

void kokkosp_print_help(char *text)
{
	FORWARD(print_help, text);
}

/* We can do without fences around each kernel. A tool that does not say so cannot. */
void kokkosp_request_tool_settings(uint32_t nr, struct kokkos_settings *settings)
{
	if (next_tool)
		FORWARD(request_tool_settings, nr, settings);
	else
		settings->requires_global_fencing = false;
}

void kokkosp_provide_tool_programming_interface(uint32_t nr, struct kokkos_actions actions)
{
	FORWARD(provide_tool_programming_interface, nr, actions);
}

enum span_kind {
	SPAN_KERNEL,
	SPAN_FENCE,
	SPAN_REGION,
	SPAN_SECTION,
	SPAN_COPY,
};

static struct attach_span_key key_of(enum span_kind kind, uint64_t id)
{
	return (struct attach_span_key){ .owner = kind, .id = id };
}

/* NULL: nothing records. */
static struct place *place_of(const char *name, const char *otherwise)
{
	char text[KOKKOS_NAME_BYTES];

	if (!attach_is_recording())
		return NULL;
	return place_of_name(name && *name ? kokkos_name_shorten(name, text) : otherwise);
}

/* Numbers of kernels and fences, if no other tool gives them. */
static uint64_t new_id(void)
{
	static uint64_t nr_ids;

	return __atomic_add_fetch(&nr_ids, 1, __ATOMIC_RELAXED);
}

static void kernel_begin(const char *name, const char *otherwise, uint64_t id)
{
	attach_span_begin(key_of(SPAN_KERNEL, id), place_of(name, otherwise));
}

static void kernel_end(uint64_t id)
{
	attach_span_end(key_of(SPAN_KERNEL, id));
}

/* The next tool numbers kernels as it likes, if it hears of them. */
#define ID_OF_NEXT(function, name, device, id)       \
	do {                                         \
		*(id) = new_id();                    \
		FORWARD(function, name, device, id); \
	} while (0)

void kokkosp_begin_parallel_for(const char *name, uint32_t device, uint64_t *id)
{
	ID_OF_NEXT(begin_parallel_for, name, device, id);
	kernel_begin(name, "parallel_for", *id);
}

void kokkosp_end_parallel_for(uint64_t id)
{
	kernel_end(id);
	FORWARD(end_parallel_for, id);
}

void kokkosp_begin_parallel_reduce(const char *name, uint32_t device, uint64_t *id)
{
	ID_OF_NEXT(begin_parallel_reduce, name, device, id);
	kernel_begin(name, "parallel_reduce", *id);
}

void kokkosp_end_parallel_reduce(uint64_t id)
{
	kernel_end(id);
	FORWARD(end_parallel_reduce, id);
}

void kokkosp_begin_parallel_scan(const char *name, uint32_t device, uint64_t *id)
{
	ID_OF_NEXT(begin_parallel_scan, name, device, id);
	kernel_begin(name, "parallel_scan", *id);
}

void kokkosp_end_parallel_scan(uint64_t id)
{
	kernel_end(id);
	FORWARD(end_parallel_scan, id);
}

void kokkosp_begin_fence(const char *name, uint32_t device, uint64_t *id)
{
	ID_OF_NEXT(begin_fence, name, device, id);
	attach_span_wait_begin(key_of(SPAN_FENCE, *id), place_of(name, "fence"), 0);
}

void kokkosp_end_fence(uint64_t id)
{
	attach_span_end(key_of(SPAN_FENCE, id));
	FORWARD(end_fence, id);
}

void kokkosp_push_profile_region(const char *name)
{
	attach_span_begin(key_of(SPAN_REGION, 0), place_of(name, "region"));
	FORWARD(push_profile_region, name);
}

void kokkosp_pop_profile_region(void)
{
	attach_span_end(key_of(SPAN_REGION, 0));
	FORWARD(pop_profile_region);
}

/* Names of sections, by their numbers. */
static struct key_map sections;

void kokkosp_create_profile_section(const char *name, uint32_t *id)
{
	char text[KOKKOS_NAME_BYTES];

	*id = (uint32_t)new_id();
	FORWARD(create_profile_section, name, id);
	key_map_put(&sections, *id,
		    place_of_name(name && *name ? kokkos_name_shorten(name, text) : "section"));
}

void kokkosp_start_profile_section(uint32_t id)
{
	attach_span_begin(key_of(SPAN_SECTION, id),
			  attach_is_recording() ? key_map_get(&sections, id) : NULL);
	FORWARD(start_profile_section, id);
}

void kokkosp_stop_profile_section(uint32_t id)
{
	attach_span_end(key_of(SPAN_SECTION, id));
	FORWARD(stop_profile_section, id);
}

void kokkosp_destroy_profile_section(uint32_t id)
{
	key_map_take(&sections, id);
	FORWARD(destroy_profile_section, id);
}

void kokkosp_profile_event(const char *text)
{
	struct place *place = place_of(text, "event");

	if (place)
		attach_mark(place);
	FORWARD(profile_event, text);
}

void kokkosp_begin_deep_copy(struct kokkos_space to_space, const char *to_label, const void *to,
			     struct kokkos_space from_space, const char *from_label,
			     const void *from, uint64_t bytes)
{
	char text[256];

	snprintf(text, sizeof(text), "copy %s to %s", from_label ? from_label : "",
		 to_label ? to_label : "");
	attach_span_begin_value(key_of(SPAN_COPY, 0), place_of(text, "copy"), (int64_t)bytes);
	FORWARD(begin_deep_copy, to_space, to_label, to, from_space, from_label, from, bytes);
}

void kokkosp_end_deep_copy(void)
{
	attach_span_end(key_of(SPAN_COPY, 0));
	FORWARD(end_deep_copy);
}

/* What only the next tool wants to hear. */

void kokkosp_allocate_data(struct kokkos_space space, const char *label, const void *data,
			   uint64_t bytes)
{
	FORWARD(allocate_data, space, label, data, bytes);
}

void kokkosp_deallocate_data(struct kokkos_space space, const char *label, const void *data,
			     uint64_t bytes)
{
	FORWARD(deallocate_data, space, label, data, bytes);
}

void kokkosp_dual_view_sync(const char *label, const void *data, bool is_device)
{
	FORWARD(dual_view_sync, label, data, is_device);
}

void kokkosp_dual_view_modify(const char *label, const void *data, bool is_device)
{
	FORWARD(dual_view_modify, label, data, is_device);
}

void kokkosp_declare_metadata(const char *key, const char *value)
{
	FORWARD(declare_metadata, key, value);
}
