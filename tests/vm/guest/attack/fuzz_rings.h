/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Of the fuzzer: calls that annotate, well or not, and ask the devices for something.
 */
#ifndef FUZZ_RINGS_H
#define FUZZ_RINGS_H

#include <linux/perf_event.h>

#include "fuzz.h"

/* --- rings */

/* As is meant: the ring of the CPU that the thread stays on. */
static long do_ring(const struct call *call)
{
	int cpu = call->a % (nr_cpus < 2 ? 1 : 2);
	struct ring *ring = &rings[cpu];
	char path[32];
	void *at;

	snprintf(path, sizeof(path), "/dev/annot/cpu%d", cpu);
	ring->fd = open(path, O_RDWR);
	if (ring->fd < 0)
		return -1;
	files[call->b % NR_FILES] = ring->fd;
	at = mmap(NULL, map_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, 0);
	if (at == MAP_FAILED)
		return -1;
	ring_names[cpu] = (uint32_t)name_id(ring->fd, "fuzz", 4);
	ring->records = (void *)((char *)at + PAGE_BYTES);
	ring->shared = at;
	maps[call->b % NR_MAPS].at = at;
	maps[call->b % NR_MAPS].bytes = map_bytes();
	return 0;
}

static long do_annotate(const struct call *call)
{
	int cpu = rings[call->a % 2].shared ? call->a % 2 : 1 - call->a % 2;
	struct ring *ring = &rings[cpu];
	cpu_set_t cpus;
	int i;

	if (!ring->shared)
		return -1;
	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
	for (i = 0; i < call->b; i++) {
		uint64_t head = ring->shared->head;

		if (head == ring->shared->limit && ioctl(ring->fd, ANNOT_IOC_DRAIN))
			return i ? 0 : -1;
		ring->records[head % ring_bytes() / sizeof(*ring->records)] = (struct annot_record){
			.ticks = read_ticks(),
			.value = i,
			.name = ring_names[cpu],
			.op = (call->c + i) % 6,
			.flags = call->c & 1,
		};
		__asm__ volatile("" ::: "memory");
		ring->shared->head = head + sizeof(*ring->records);
	}
	return 0;
}

static long do_scribble(const struct call *call)
{
	const struct ring *ring = &rings[call->a % 2];
	volatile uint64_t *words = (void *)ring->shared;

	if (!words)
		return -1;
	switch (call->b % 6) {
	case 0:
		ring->shared->head += call->d % 5000 & ~31ull;
		break;
	case 1:
		ring->shared->head = call->d;
		break;
	case 2:
		ring->shared->limit = ring->shared->head + call->d % 8192;
		break;
	case 3:
		words[call->c % 8] = call->d;
		break;
	case 4:
		words[call->d % (map_bytes() / 8)] = call->d >> 8;
		break;
	default:
		for (size_t i = PAGE_BYTES / 8; i < map_bytes() / 8; i++)
			words[i] = call->d * i;
	}
	return 0;
}

/* --- ioctl() */

static long do_name(const struct call *call)
{
	static const size_t lengths[] = { 4, 1, 255, 256, 0, 64, 65536, UINT32_MAX };
	char text[256];
	struct annot_name name = { .length_bytes = lengths[call->b >> 5 & 7] };

	memset(text, 'a' + call->d % 26, sizeof(text));
	if (call->c & 0x80)
		text[call->d % sizeof(text)] = (char)(call->d >> 8);
	if (call->d % 16 == 0)
		name.reserved = 1;
	/* Placed in the same memory as the struct, it is not what was thought. */
	name.text = (uintptr_t)(call->d % 4 ? text : place(call->b, text, sizeof(text)));
	return ioctl(file_of(call->a), ANNOT_IOC_NAME, place(call->c, &name, sizeof(name)));
}

static long do_names(const struct call *call)
{
	char text[32];
	int i;

	for (i = 0; i < call->b; i++) {
		int length = snprintf(text, sizeof(text), "%d.%lu", i, (long)call->d % 64);

		if (name_id(file_of(call->a), text, length) < 0)
			return -1;
	}
	return 0;
}

static long do_drain(const struct call *call)
{
	return ioctl(file_of(call->a), ANNOT_IOC_DRAIN, call->d);
}

static long do_record(const struct call *call)
{
	struct annot_record record = {
		.ticks = call->b % 32 ? 0 : (uint64_t)call->d,
		.value = (int64_t)call->d,
		.name = call->b & 1 ? 1u + (uint32_t)call->d % 4 : (uint32_t)call->d,
		.op = call->b & 2 ? call->c % 6 : call->c,
		.flags = call->b & 4 ? call->c >> 3 & 1 : (uint8_t)(call->d >> 8),
		.reserved = call->b % 64 ? 0 : 1,
		.reserved2 = call->b % 64 == 1 ? 1 : 0,
	};

	return ioctl(file_of(call->a), ANNOT_IOC_RECORD,
		     place(call->c >> 4, &record, sizeof(record)));
}

static long do_events(const struct call *call)
{
	struct annot_event event[2] = {
		{
			.type = call->b & 1 ? PERF_TYPE_SOFTWARE : (uint32_t)call->d % 8,
			.config = call->b & 2 ? PERF_COUNT_SW_PAGE_FAULTS : call->d % 16,
			.period = call->b & 4 ? 10 : call->d >> 8 & 0xff,
			.flags = call->b & 8 ? 3 : (uint32_t)call->d & 0xf,
			.mode = call->b & 16 ? ANNOT_EVENT_SAMPLE : (uint8_t)call->d & 3,
			.precise = call->b & 32 ? 0 : (uint8_t)call->d & 7,
			.name = "one",
		},
		{
			.type = PERF_TYPE_SOFTWARE,
			.config = PERF_COUNT_SW_CONTEXT_SWITCHES,
			.flags = 3,
			.mode = ANNOT_EVENT_COUNT,
			.name = "two",
		},
	};
	struct annot_events head = {
		.nr = call->d % 32 ? 1u + (call->b >> 6) % 2 : (uint32_t)call->d % 40,
		.max_samples = call->c & 0x80 ? 0 : call->d % 100,
	};

	if (call->d % 16 == 1)
		((char *)event)[call->d >> 8 & 0x7f] ^= 0x41;
	head.events = (uintptr_t)(call->d % 8 ? event : place(call->b, event, sizeof(event)));
	return ioctl(file_of(call->a), ANNOT_IOC_EVENTS, place(call->c, &head, sizeof(head)));
}

static long do_odd_ioctl(const struct call *call)
{
	unsigned long command = call->b & 1 ? call->d : _IOC(call->b >> 6, '@', call->c, 16);

	return ioctl(file_of(call->a), command, place(call->b >> 1, &call->d, sizeof(call->d)));
}

#endif /* FUZZ_RINGS_H */
