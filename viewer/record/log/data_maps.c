// SPDX-License-Identifier: GPL-2.0
#include "record/log/data_maps.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/log/mapped_file.h"
#include "trace/lines/mapping_line.h"
#include "util/xalloc.h"

#define HEAP "[heap]"
#define STACK "[stack]"
#define MOST_LOOKS 8 /* into what a process has mapped */
#define GROWTH_BYTES (1u << 20) /* of a heap, before it is told again */
#define STACK_BYTES (8u << 20) /* it grows; nothing else is mapped where it may grow to */
#define ELF_MAGIC "\177ELF"

/* As the program begins, it is small. */
static void tell_stack(const struct mapping *mapping, perf_mmap_handler tell, void *context)
{
	uint64_t end = mapping->start + mapping->length;
	struct mapping stack = *mapping;

	if (stack.length < STACK_BYTES && end > STACK_BYTES) {
		stack.start = end - STACK_BYTES;
		stack.length = STACK_BYTES;
	}
	tell(context, &stack);
}

static struct data_heap *find_heap(struct data_maps *maps, pid_t tgid)
{
	for (size_t i = maps->nr; i > 0; i--) {
		if (maps->heaps[i - 1].tgid == tgid)
			return &maps->heaps[i - 1];
	}
	ARRAY_MAKE_ROOM(maps->heaps, maps->nr, maps->capacity);
	maps->heaps[maps->nr] = (struct data_heap){ .tgid = tgid };
	return &maps->heaps[maps->nr++];
}

static void tell_heap(struct data_heap *heap, perf_mmap_handler tell, void *context)
{
	heap->told_bytes = heap->mapping.length;
	heap->mapping.path = HEAP;
	tell(context, &heap->mapping);
}

static void take_heap(struct data_maps *maps, const struct mapping *mapping, perf_mmap_handler tell,
		      void *context)
{
	struct data_heap *heap = find_heap(maps, mapping->tgid);
	bool is_other = heap->mapping.start != mapping->start;

	/* Of a program that was there before an exec. */
	if (is_other && heap->mapping.length > heap->told_bytes)
		tell_heap(heap, tell, context);
	heap->mapping = *mapping;
	if (!is_other && mapping->length < heap->told_bytes + GROWTH_BYTES)
		return;
	tell_heap(heap, tell, context);
}

static bool find_heap_of(pid_t tgid, struct mapping *mapping)
{
	char path[32], *line = NULL;
	bool is_found = false;
	size_t size = 0;
	uint64_t end;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%d/maps", tgid);
	maps = fopen(path, "re");
	while (maps && !is_found && getline(&line, &size, maps) > 0)
		is_found = strstr(line, " " HEAP "\n") &&
			   sscanf(line, "%" SCNx64 "-%" SCNx64, &mapping->start, &end) == 2;
	if (is_found)
		mapping->length = end - mapping->start;
	free(line);
	if (maps)
		fclose(maps);
	return is_found;
}

/* From Linux 6.6 on, a heap has no name in its first record. */
static void look_for_heap(struct data_maps *maps, const struct mapping *mapping,
			  perf_mmap_handler tell, void *context)
{
	struct data_heap *heap = find_heap(maps, mapping->tgid);
	struct mapping found = *mapping;

	if (heap->mapping.length || heap->nr_looks == MOST_LOOKS)
		return;
	heap->nr_looks++;
	if (find_heap_of(mapping->tgid, &found))
		take_heap(maps, &found, tell, context);
}

/* Programs and libraries are told by their code. What cannot be looked at is not told. */
static bool is_data_file(const struct mapping *mapping)
{
	char magic[sizeof(ELF_MAGIC) - 1];
	int fd = mapped_file_open(mapping);
	bool is_program;

	if (fd < 0)
		return false;
	is_program = pread(fd, magic, sizeof(magic), 0) == sizeof(magic) &&
		     !memcmp(magic, ELF_MAGIC, sizeof(magic));
	close(fd);
	return !is_program;
}

void data_maps_take(struct data_maps *maps, const struct mapping *mapping, perf_mmap_handler tell,
		    void *context)
{
	if (!strcmp(mapping->path, HEAP))
		take_heap(maps, mapping, tell, context);
	else if (!strcmp(mapping->path, STACK))
		tell_stack(mapping, tell, context);
	else if (!strcmp(mapping->path, MAPPING_NO_FILE))
		look_for_heap(maps, mapping, tell, context);
	else if (mapping->path[0] == '/' && mapping->path[1] != '/' && is_data_file(mapping))
		tell(context, mapping);
}

void data_maps_finish(struct data_maps *maps, perf_mmap_handler tell, void *context)
{
	for (size_t i = 0; i < maps->nr; i++) {
		if (maps->heaps[i].mapping.length > maps->heaps[i].told_bytes)
			tell_heap(&maps->heaps[i], tell, context);
	}
}

void data_maps_free(struct data_maps *maps)
{
	free(maps->heaps);
	*maps = (struct data_maps){ 0 };
}
