// SPDX-License-Identifier: GPL-2.0
/* A tool of Kokkos that counts what it hears, and writes that into the file that HEARD names. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define FIRST_ID 1000000

struct space {
	char name[64];
};

void kokkosp_init_library(int index, uint64_t version, uint32_t nr_devices, void *devices);
void kokkosp_finalize_library(void);
void kokkosp_begin_parallel_for(const char *name, uint32_t device, uint64_t *id);
void kokkosp_end_parallel_for(uint64_t id);
void kokkosp_create_profile_section(const char *name, uint32_t *id);
void kokkosp_start_profile_section(uint32_t id);
void kokkosp_allocate_data(struct space space, const char *label, const void *data, uint64_t bytes);
void kokkosp_begin_deep_copy(struct space to_space, const char *to_label, const void *to,
			     struct space from_space, const char *from_label, const void *from,
			     uint64_t bytes);

static int index_of_tool, kernels, sections, starts, copies, strange;
static uint64_t open_kernel, allocated;

void kokkosp_init_library(int index, uint64_t version, uint32_t nr_devices, void *devices)
{
	(void)nr_devices;
	(void)devices;
	index_of_tool = index;
	strange += version < 20150628;
}

void kokkosp_begin_parallel_for(const char *name, uint32_t device, uint64_t *id)
{
	(void)name;
	(void)device;
	open_kernel = *id = FIRST_ID + (uint64_t)kernels++;
}

void kokkosp_end_parallel_for(uint64_t id)
{
	strange += id != open_kernel;
}

void kokkosp_create_profile_section(const char *name, uint32_t *id)
{
	(void)name;
	*id = FIRST_ID + (uint32_t)sections++;
}

void kokkosp_start_profile_section(uint32_t id)
{
	strange += id != FIRST_ID + (uint32_t)starts / 3;
	starts++;
}

void kokkosp_allocate_data(struct space space, const char *label, const void *data, uint64_t bytes)
{
	(void)space;
	(void)data;
	if (label[0] == 'a' && !label[1])
		allocated = bytes;
}

void kokkosp_begin_deep_copy(struct space to_space, const char *to_label, const void *to,
			     struct space from_space, const char *from_label, const void *from,
			     uint64_t bytes)
{
	(void)to;
	(void)from;
	strange += to_space.name[0] != from_space.name[0] || to_label[0] != 'b' ||
		   from_label[0] != 'a' || bytes != 8000;
	copies++;
}

void kokkosp_finalize_library(void)
{
	FILE *heard = getenv("HEARD") ? fopen(getenv("HEARD"), "w") : NULL;

	if (heard) {
		fprintf(heard,
			"tool %d: %d kernels, %d sections started %d times, %d copies, %d bytes in a, %d strange\n",
			index_of_tool, kernels, sections, starts, copies,
			allocated >= 8000 && allocated < 8192 ? 8000 : (int)allocated, strange);
		fclose(heard);
	}
}
