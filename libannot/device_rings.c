// SPDX-License-Identifier: MIT
/*
 * The module's rings: one for each CPU on which the process annotates, mapped by the first
 * annotation there that finds none. They are this process's own: a child made by fork() inherits
 * none, and maps its own when it first annotates.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "device_rings.h"
#include "annot/annot.h"
#include "descriptor.h"
#include "device.h"
#include "format.h"
#include "names.h"
#include "rings.h"
#include "rseq.h"
#include "signals.h"
#include "status.h"
#include "uapi/annot.h"

#ifdef ANNOT_RSEQ_CLOCK

#define MAX_CPUS 8192
#define MAX_RING_BYTES (UINT32_C(1) << 30)

_Static_assert(ANNOT_RSEQ_CLOCK == ANNOT_CLOCK_TSC || ANNOT_RSEQ_CLOCK == ANNOT_CLOCK_CNTVCT ||
		       ANNOT_RSEQ_CLOCK == ANNOT_CLOCK_TIME,
	       "clocks as the module counts them");

/* annot_rings.progress, which is 0 again in the child of a fork */
enum {
	UNPREPARED,
	BEING_PREPARED,
	IMPOSSIBLE,
	READY
};

/* One more than the highest number in "0-3,8-11"; 0 if it cannot be read. */
static uint32_t nr_possible_cpus(void)
{
	char text[1024];
	uint32_t number = 0;
	int fd, nr_read, i;

	fd = annot_descriptor_open_briefly("/sys/devices/system/cpu/possible", O_RDONLY);
	if (fd < 0)
		return 0;
	nr_read = annot_descriptor_read(fd, text, sizeof(text));
	annot_descriptor_close(fd);
	for (i = 0; i < nr_read && text[i] != '\n'; i++) {
		if (text[i] < '0' || text[i] > '9')
			number = 0;
		else if (number < MAX_CPUS)
			number = number * 10 + (uint32_t)(text[i] - '0');
	}
	return nr_read > 0 ? number + 1 : 0;
}

static const struct annot_control *control_page(void)
{
	return (const void *)&annot_control_page;
}

static bool module_has_rings(void)
{
	return control_page()->features & ANNOT_FEATURE_RINGS &&
	       control_page()->clock == ANNOT_RSEQ_CLOCK &&
	       control_page()->record_bytes == sizeof(struct annot_record) &&
	       control_page()->ring_bytes <= MAX_RING_BYTES && control_page()->ring_bytes;
}

static bool recorder_takes_rings(void)
{
	uint32_t recording = __atomic_load_n(&control_page()->recording, __ATOMIC_RELAXED);

	return recording == ANNOT_RECORDING_RINGS;
}

static bool is_wanted(void)
{
	return recorder_takes_rings() &&
	       __atomic_load_n(&control_page()->clock, __ATOMIC_RELAXED) == ANNOT_RSEQ_CLOCK;
}

/* Rings need numbered names. This is the only condition checked here. */
static bool recorder_takes_calls(void)
{
	uint32_t recording = __atomic_load_n(&control_page()->recording, __ATOMIC_RELAXED);

	return recording == ANNOT_RECORDING_CALLS && control_page()->features & ANNOT_FEATURE_CALLS;
}

static uint32_t ask_name(const char *bytes, size_t nr_bytes)
{
	struct annot_name name = {
		.text = (uintptr_t)bytes,
		.length_bytes = (uint32_t)nr_bytes,
	};
	int number = annot_device_ioctl(ANNOT_IOC_NAME, &name);

	return number < 0 ? 0 : (uint32_t)number;
}

/*
 * Placeholders for the ring of a CPU without one. They are always full, so no thread writes to
 * them.
 */
enum {
	UNTRIED,
	BEING_MAPPED,
	REFUSED,
	NR_STATES
};

static const struct annot_ring no_rings[NR_STATES];

/*
 * The ring of each CPU, or a placeholder. In the child of any kind of fork, the kernel fills these
 * pages with zeros, as it does with annot_rings.
 */
static char *rings[MAX_CPUS] __attribute__((aligned(ANNOT_PAGE_BYTES)));

static char *no_ring(int state)
{
	return (char *)(uintptr_t)&no_rings[state];
}

static char *ring_of(int cpu)
{
	return __atomic_load_n(&rings[cpu], __ATOMIC_ACQUIRE);
}

static bool is_ring(const char *ring)
{
	return ring && ring != no_ring(UNTRIED) && ring != no_ring(BEING_MAPPED) &&
	       ring != no_ring(REFUSED);
}

/* 0, or -errno. */
static int map_ring(int cpu, char **mapped)
{
	size_t nr_bytes = (size_t)sysconf(_SC_PAGESIZE) + control_page()->ring_bytes;
	struct line path;
	void *ring;
	int fd, error;

	annot_device_path(&path, "/cpu", cpu);
	fd = annot_descriptor_open_briefly(path.bytes, O_RDWR);
	if (fd < 0)
		return fd;
	ring = mmap(NULL, nr_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	error = ring == MAP_FAILED ? -errno : 0;
	annot_descriptor_close(fd);
	*mapped = ring;
	return error;
}

/* 0: it is mapped now; or -errno. */
static int try_ring(int cpu)
{
	char *ring;
	int error = map_ring(cpu, &ring);

	__atomic_store_n(&rings[cpu], error ? no_ring(REFUSED) : ring, __ATOMIC_RELEASE);
	return error;
}

/*
 * One thread maps the ring of a CPU. Meanwhile other threads use write(). If the ring is refused, all
 * threads use write() from then on, because the limit of locked memory rarely changes. Signals are
 * blocked: the child of a handler that forks would store a ring here that it does not have.
 */
static bool ring_is_mapped(int cpu)
{
	char *ring = ring_of(cpu);
	uint64_t signals;
	int error;

	if (ring != no_ring(UNTRIED))
		return is_ring(ring);
	signals = annot_signals_block();
	if (!__atomic_compare_exchange_n(&rings[cpu], &ring, no_ring(BEING_MAPPED), false,
					 __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
		annot_signals_restore(signals);
		return false;
	}
	error = try_ring(cpu);
	annot_signals_restore(signals);
	annot_status_report_rings(cpu, error);
	return !error;
}

/* A closed ring is no error, but there is no use in trying it again. */
static int drain_rings(void)
{
	int cpu = annot_device_cpu(), answer;

	if (cpu >= MAX_CPUS || !ring_is_mapped(cpu))
		return -EAGAIN;
	answer = annot_device_ioctl(ANNOT_IOC_DRAIN, NULL);
	return answer == ANNOT_DRAIN_OPEN ? 0 : -EAGAIN;
}

/* The ring of this CPU, or else any: the kernel adds them up. */
static struct annot_ring *some_ring(void)
{
	uint32_t nr = annot_rings.nr_rings, cpu = (uint32_t)annot_device_cpu(), i;

	for (i = 0; i < nr; i++) {
		char *ring = ring_of((int)((cpu + i) % nr));

		if (is_ring(ring))
			return (struct annot_ring *)(void *)ring;
	}
	return NULL;
}

void annot_device_count_dropped(void)
{
	uint64_t signals = annot_signals_block();
	struct annot_ring *ring = some_ring();

	if (ring)
		__atomic_fetch_add(&ring->dropped, 1, __ATOMIC_RELAXED);
	annot_signals_restore(signals);
}

static const struct ring_source module = {
	.is_wanted = is_wanted,
	.name = ask_name,
	.drain = drain_rings,
};

/* 0: annotations will find what rings there are; or -errno. */
static int prepare_rings(void)
{
	struct ring_place place = { .rings = rings, .page_bytes = (uint64_t)sysconf(_SC_PAGESIZE) };
	int error = annot_rseq_have();
	uint32_t cpu;

	if (error)
		return error;
	if (!module_has_rings())
		return -EOPNOTSUPP;
	if (!annot_rings_may_read_clock())
		return -ENXIO;
	place.nr_rings = nr_possible_cpus();
	if (!place.nr_rings || place.nr_rings > MAX_CPUS)
		return -ERANGE;
	if (madvise(rings, sizeof(rings), MADV_WIPEONFORK))
		return -errno;
	for (cpu = 0; cpu < place.nr_rings; cpu++)
		rings[cpu] = no_ring(UNTRIED);
	return annot_rings_install(&module, &place);
}

/*
 * Makes the rings. Returns true if there were none before. Only one thread prepares them. Other
 * threads, and its own signal handlers, use write() meanwhile. The events of a thread stay in order
 * either way.
 */
bool annot_device_made_rings(void)
{
	uint32_t progress = __atomic_load_n(&annot_rings.progress, __ATOMIC_ACQUIRE);
	uint64_t signals;
	int error;

	if (progress != UNPREPARED)
		return false;
	/* The thread that chose the device may not have mapped the control page yet. */
	if (!annot_device_control_is_mapped() ||
	    (!recorder_takes_rings() && !recorder_takes_calls()))
		return false;
	/* first of all: what a child inherits of this page would be wrong */
	if (madvise(&annot_rings, sizeof(annot_rings), MADV_WIPEONFORK))
		return false;
	signals = annot_signals_block();
	if (!__atomic_compare_exchange_n(&annot_rings.progress, &progress, BEING_PREPARED, false,
					 __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
		annot_signals_restore(signals);
		return false;
	}
	error = prepare_rings();
	__atomic_store_n(&annot_rings.progress, error ? IMPOSSIBLE : READY, __ATOMIC_RELEASE);
	annot_signals_restore(signals);
	if (error)
		annot_status_report_rings(-1, error);
	return !error;
}

/*
 * A signal handler may fork in this function. The child then goes on with the number of a name of its
 * parent. In the child that number may mean another name, in this one annotation.
 */
bool annot_device_call(struct annot_site *site, unsigned int op, const char *name, int64_t value)
{
	struct annot_record record = {
		.value = value,
		.op = (uint8_t)op,
		.flags = (uint8_t)(op >> 8),
	};

	if (!recorder_takes_calls() || !__atomic_load_n(&annot_rings.rseq_offset, __ATOMIC_ACQUIRE))
		return false;
	if (record.op != ANNOT_OP_END) {
		record.name = (uint32_t)annot_name_number(&module, site, name);
		if (!record.name)
			return false;
	}
	return annot_device_record(&record);
}

#else

bool annot_device_made_rings(void)
{
	return false;
}

bool annot_device_call(struct annot_site *site, unsigned int op, const char *name, int64_t value)
{
	(void)site;
	(void)op;
	(void)name;
	(void)value;
	return false;
}

void annot_device_count_dropped(void)
{
}

#endif
