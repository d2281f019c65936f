// SPDX-License-Identifier: GPL-2.0
#include "anon_rings.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "../../libannot/format.h"
#include "../../libannot/rings.h"
#include "annot/annot.h"

#define MAX_NAMES 1024

#define MAX_CPUS 1024

static char *rings[MAX_CPUS];
static uint32_t nr_cpus;

/* Numbers start elsewhere in each process, so that one of the parent's is wrong in the child. */
static struct clean_name names[MAX_NAMES];
static atomic_uint nr_names;
static uint32_t first_number;

static uint32_t name_number(const char *bytes, size_t nr_bytes)
{
	static atomic_flag busy = ATOMIC_FLAG_INIT;
	uint32_t number = 0, i;
	sigset_t all, old;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	while (atomic_flag_test_and_set(&busy))
		sched_yield();
	for (i = 0; i < nr_names && !number; i++)
		if (names[i].nr_bytes == nr_bytes && !memcmp(names[i].bytes, bytes, nr_bytes))
			number = first_number + i;
	if (!number && nr_names < MAX_NAMES) {
		names[nr_names].nr_bytes = nr_bytes;
		memcpy(names[nr_names].bytes, bytes, nr_bytes);
		number = first_number + nr_names++;
	}
	atomic_flag_clear(&busy);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return number;
}

static int no_drain(void)
{
	return -ENOSYS;
}

int anon_rings_install(size_t ring_bytes, int (*drain)(void))
{
	static struct ring_source source;
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	size_t stride_bytes = page_bytes + ring_bytes;
	struct ring_place place;
	uint32_t cpu;
	char *range;

	nr_cpus = (uint32_t)get_nprocs_conf();
	if (nr_cpus > MAX_CPUS)
		return -ERANGE;
	range = mmap(NULL, nr_cpus * stride_bytes, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (range == MAP_FAILED || madvise(range, nr_cpus * stride_bytes, MADV_DONTFORK))
		return -errno;
	for (cpu = 0; cpu < nr_cpus; cpu++) {
		rings[cpu] = range + cpu * stride_bytes;
		anon_ring(cpu)->limit = ring_bytes;
		anon_ring(cpu)->mask = ring_bytes - 1;
	}
	first_number += 1000;
	nr_names = 0;
	source = (struct ring_source){ .name = name_number, .drain = drain ? drain : no_drain };
	place = (struct ring_place){ .rings = rings,
				     .page_bytes = page_bytes,
				     .nr_rings = nr_cpus };
	return annot_rings_install(&source, &place);
}

struct annot_ring *anon_rings_record_here(size_t ring_bytes)
{
	cpu_set_t set;
	int cpu = sched_getcpu();

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) || anon_rings_install(ring_bytes, NULL))
		return NULL;
	__atomic_store_n(&annot_control_page.recording, 1, __ATOMIC_RELAXED);
	return anon_ring((uint32_t)cpu);
}

uint32_t anon_rings_nr_cpus(void)
{
	return nr_cpus;
}

struct annot_ring *anon_ring(uint32_t cpu)
{
	return (struct annot_ring *)rings[cpu];
}

const struct annot_record *anon_ring_record(const struct annot_ring *ring, uint64_t position)
{
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);

	return (const void *)((const char *)ring + page_bytes + (position & ring->mask));
}

const char *anon_ring_name(const struct annot_record *record)
{
	static char text[NAME_MAX_BYTES + 1];
	uint32_t i = record->name - first_number;

	if (i >= nr_names)
		return NULL;
	memcpy(text, names[i].bytes, names[i].nr_bytes);
	text[names[i].nr_bytes] = 0;
	return text;
}
