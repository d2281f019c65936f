// SPDX-License-Identifier: MIT
/*
 * The names that a process has used. Each is written to the trace before its number is used. All of
 * them are written again from time to time, because the buffer may have overwritten the first ones.
 * There is no lock. Two threads may give two numbers to one name: both are valid.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "raw_names.h"
#include "descriptor.h"
#include "format.h"
#include "marker.h"
#include "names.h"
#include "raw_ring.h"
#include "signals.h"
#include "trace/annot_raw.h"

#define MAX_NAMES 2048
#define NR_SLOTS (2 * MAX_NAMES) /* a power of 2 */
#define WRITE_INTERVAL_NS 1000000000

struct name {
	atomic_bool is_filled;
	atomic_bool is_written;
	uint8_t nr_bytes;
	char bytes[NAME_MAX_BYTES];
};

/*
 * @numbers: by hash; 0: none. Number n is that of names[n - 1]. They have 32 bits, because compilers
 * for riscv64 need a library for smaller atomics.
 */
struct names {
	atomic_uint nr;
	_Atomic(uint32_t) numbers[NR_SLOTS];
	struct name names[MAX_NAMES];
};

static struct names *names;

size_t annot_raw_names_bytes(void)
{
	return sizeof(struct names);
}

void annot_raw_names_at(void *memory)
{
	names = memory;
}

static bool is_name(uint32_t number, const char *bytes, size_t nr_bytes)
{
	const struct name *name = &names->names[number - 1];

	return atomic_load_explicit(&name->is_filled, memory_order_acquire) &&
	       name->nr_bytes == nr_bytes && !memcmp(name->bytes, bytes, nr_bytes);
}

/* Takes an unused number; 0: there is none left. */
static uint32_t take_number(void)
{
	unsigned int nr = atomic_load(&names->nr);

	while (nr < MAX_NAMES)
		if (atomic_compare_exchange_weak(&names->nr, &nr, nr + 1))
			return nr + 1;
	return 0;
}

static uint32_t add_name(const char *bytes, size_t nr_bytes)
{
	uint32_t number = take_number();
	struct name *name;

	if (!number)
		return 0;
	name = &names->names[number - 1];
	name->nr_bytes = (uint8_t)nr_bytes;
	memcpy(name->bytes, bytes, nr_bytes);
	atomic_store_explicit(&name->is_filled, true, memory_order_release);
	return number;
}

static uint32_t find_or_add(const char *bytes, size_t nr_bytes)
{
	uint32_t slot = annot_name_hash(bytes, nr_bytes), added = 0;

	/* At most half of the slots are taken: there is an end. */
	for (;; slot++) {
		_Atomic(uint32_t) *at = &names->numbers[slot % NR_SLOTS];
		uint32_t number = atomic_load_explicit(at, memory_order_acquire);

		if (number && is_name(number, bytes, nr_bytes))
			return number;
		if (number)
			continue;
		if (!added)
			added = add_name(bytes, nr_bytes);
		if (!added || atomic_compare_exchange_strong(at, &number, added))
			return added;
	}
}

/* An event of names in the making. */
struct names_event {
	struct annot_raw_head *head;
	size_t nr_bytes;
};

static void names_event_begin(struct names_event *list, void *event,
			      const struct raw_process *process)
{
	list->head = event;
	list->nr_bytes = sizeof(*list->head);
	*list->head = (struct annot_raw_head){ .id = ANNOT_RAW_ID,
					       .version = ANNOT_RAW_VERSION,
					       .kind = ANNOT_RAW_NAMES,
					       .process = process->key };
}

static void names_event_add(struct names_event *list, uint32_t number)
{
	const struct name *name = &names->names[number - 1];
	char *at = (char *)list->head + list->nr_bytes;
	struct annot_raw_name head = { .number = number, .nr_bytes = name->nr_bytes };

	memcpy(at, &head, sizeof(head));
	memcpy(at + sizeof(head), name->bytes, name->nr_bytes);
	list->nr_bytes += sizeof(head) + name->nr_bytes;
	list->head->nr++;
}

static bool names_event_write(const struct names_event *list, int fd)
{
	return annot_descriptor_write(fd, (const char *)list->head, list->nr_bytes) ==
	       (int)list->nr_bytes;
}

static void write_name(struct raw_process *process, uint32_t number)
{
	uint64_t event[(sizeof(struct annot_raw_head) + sizeof(struct annot_raw_name) +
			NAME_MAX_BYTES + 7) /
		       8];
	struct names_event list;
	int fd = annot_marker_raw();

	if (fd < 0)
		return;
	names_event_begin(&list, event, process);
	names_event_add(&list, number);
	if (names_event_write(&list, fd))
		atomic_store(&names->names[number - 1].is_written, true);
}

static uint32_t find_and_write(const char *bytes, size_t nr_bytes)
{
	struct raw_process *process = annot_raw_process();
	uint32_t number = process ? find_or_add(bytes, nr_bytes) : 0;

	if (number && !atomic_load(&names->names[number - 1].is_written))
		write_name(process, number);
	return number;
}

/* The caller may use the number at once: the name is in the trace. */
uint32_t annot_raw_name(const char *bytes, size_t nr_bytes)
{
	uint64_t signals = annot_signals_block();
	uint32_t number = find_and_write(bytes, nr_bytes);

	annot_signals_restore(signals);
	return number;
}

static void write_all_names(struct raw_process *process, int fd, void *event)
{
	uint32_t nr = atomic_load(&names->nr), number;
	struct names_event list;

	names_event_begin(&list, event, process);
	for (number = 1; number <= nr; number++) {
		const struct name *name = &names->names[number - 1];

		if (!atomic_load_explicit(&name->is_filled, memory_order_acquire))
			continue;
		if (list.nr_bytes + sizeof(struct annot_raw_name) + name->nr_bytes >
		    ANNOT_RAW_SAFE_BYTES) {
			names_event_write(&list, fd);
			names_event_begin(&list, event, process);
		}
		names_event_add(&list, number);
	}
	if (list.head->nr)
		names_event_write(&list, fd);
}

/* By one thread, the others go on. */
void annot_raw_write_names(struct raw_process *process, int fd, uint64_t now_ns, void *event)
{
	uint64_t due_ns = atomic_load(&process->next_names_ns);

	if (now_ns >= due_ns && atomic_compare_exchange_strong(&process->next_names_ns, &due_ns,
							       now_ns + WRITE_INTERVAL_NS))
		write_all_names(process, fd, event);
}
