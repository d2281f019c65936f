/* SPDX-License-Identifier: MIT */
/*
 * What Kokkos calls of a tool: functions that it looks up by name. Those for tuning are left out: Kokkos behaves otherwise
 * if they are there.
 */
#ifndef LIBANNOT_ATTACH_KOKKOS_H
#define LIBANNOT_ATTACH_KOKKOS_H

#include <stdbool.h>
#include <stdint.h>

/* Passed by value. */
struct kokkos_space {
	char name[64];
};

/* Passed by value, too. */
struct kokkos_actions {
	void (*actions[32])(void);
};

struct kokkos_settings {
	bool requires_global_fencing; /* true, unless the tool says that it can do without */
	bool reserved[255];
};

#define KOKKOS_EXPORT __attribute__((visibility("default")))

KOKKOS_EXPORT void kokkosp_init_library(int index, uint64_t version, uint32_t nr_devices,
					void *devices);
KOKKOS_EXPORT void kokkosp_finalize_library(void);
KOKKOS_EXPORT void kokkosp_parse_args(int nr, char **args);
KOKKOS_EXPORT void kokkosp_print_help(char *text);
KOKKOS_EXPORT void kokkosp_request_tool_settings(uint32_t nr, struct kokkos_settings *settings);
KOKKOS_EXPORT void kokkosp_provide_tool_programming_interface(uint32_t nr,
							      struct kokkos_actions actions);
KOKKOS_EXPORT void kokkosp_begin_parallel_for(const char *name, uint32_t device, uint64_t *id);
KOKKOS_EXPORT void kokkosp_end_parallel_for(uint64_t id);
KOKKOS_EXPORT void kokkosp_begin_parallel_reduce(const char *name, uint32_t device, uint64_t *id);
KOKKOS_EXPORT void kokkosp_end_parallel_reduce(uint64_t id);
KOKKOS_EXPORT void kokkosp_begin_parallel_scan(const char *name, uint32_t device, uint64_t *id);
KOKKOS_EXPORT void kokkosp_end_parallel_scan(uint64_t id);
KOKKOS_EXPORT void kokkosp_begin_fence(const char *name, uint32_t device, uint64_t *id);
KOKKOS_EXPORT void kokkosp_end_fence(uint64_t id);
KOKKOS_EXPORT void kokkosp_push_profile_region(const char *text);
KOKKOS_EXPORT void kokkosp_pop_profile_region(void);
KOKKOS_EXPORT void kokkosp_create_profile_section(const char *name, uint32_t *id);
KOKKOS_EXPORT void kokkosp_start_profile_section(uint32_t id);
KOKKOS_EXPORT void kokkosp_stop_profile_section(uint32_t id);
KOKKOS_EXPORT void kokkosp_destroy_profile_section(uint32_t id);
KOKKOS_EXPORT void kokkosp_profile_event(const char *text);
KOKKOS_EXPORT void kokkosp_begin_deep_copy(struct kokkos_space to_space, const char *to_label,
					   const void *to, struct kokkos_space from_space,
					   const char *from_label, const void *from,
					   uint64_t bytes);
KOKKOS_EXPORT void kokkosp_end_deep_copy(void);
KOKKOS_EXPORT void kokkosp_allocate_data(struct kokkos_space space, const char *label,
					 const void *data, uint64_t bytes);
KOKKOS_EXPORT void kokkosp_deallocate_data(struct kokkos_space space, const char *label,
					   const void *data, uint64_t bytes);
KOKKOS_EXPORT void kokkosp_dual_view_sync(const char *label, const void *data, bool is_device);
KOKKOS_EXPORT void kokkosp_dual_view_modify(const char *label, const void *data, bool is_device);
KOKKOS_EXPORT void kokkosp_declare_metadata(const char *key, const char *value);

#endif /* LIBANNOT_ATTACH_KOKKOS_H */
