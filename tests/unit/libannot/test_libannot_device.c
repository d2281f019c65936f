// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/unit/libannot/libannot_scenario.c */
/*
 * The library and a module that this file plays: what the C library's functions do with the devices
 * is replaced here.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../../libannot/rseq.h"
#include "annot/annot.h"
#include "libannot_scenario.h"
#include "uapi/annot.h"

#define RING_BYTES 4096
#define MAX_CPUS 512

static int pretended_cpu = -1;

int sched_getcpu(void)
{
	unsigned int cpu;

	if (pretended_cpu >= 0)
		return pretended_cpu;
	check(!syscall(SYS_getcpu, &cpu, NULL, NULL));
	return (int)cpu;
}

/* The module's side of a process's rings. */
static struct {
	struct annot_ring *rings[MAX_CPUS];
	atomic_int nr_asked[MAX_CPUS]; /* for the ring of that CPU */
	atomic_int nr_drains;
	atomic_int nr_names;
	atomic_int nr_calls;
	struct annot_record called; /* the last one */
	bool refuses_calls;
	int refused_cpu; /* less one */
	bool is_closed;
} module;

static int cpu_of_device(int fd)
{
	char link[64], path[4096];
	const char *name;
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = readlink(link, path, sizeof(path) - 1);
	if (length < 0)
		return -1;
	path[length] = 0;
	name = strrchr(path, '/');
	return name && !strncmp(name, "/cpu", 4) ? atoi(name + 4) : -1;
}

static void *own_mmap(void *at, size_t nr_bytes, int prot, int flags, int fd, off_t offset)
{
	return (void *)syscall(SYS_mmap, at, nr_bytes, prot, flags, fd, offset);
}

void *mmap(void *at, size_t nr_bytes, int prot, int flags, int fd, off_t offset)
{
	int cpu = fd < 0 ? -1 : cpu_of_device(fd);
	struct annot_ring *ring;

	if (cpu < 0)
		return own_mmap(at, nr_bytes, prot, flags, fd, offset);
	check(!at && !offset && prot == (PROT_READ | PROT_WRITE) && flags == MAP_SHARED);
	check(nr_bytes == (size_t)sysconf(_SC_PAGESIZE) + RING_BYTES);
	module.nr_asked[cpu]++;
	if (cpu == module.refused_cpu - 1) {
		errno = ENOMEM;
		return MAP_FAILED;
	}
	ring = own_mmap(NULL, nr_bytes, prot, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	check(!madvise(ring, nr_bytes, MADV_DONTFORK));
	ring->mask = RING_BYTES - 1;
	module.rings[cpu] = ring;
	return ring;
}

static int answer_drain(void)
{
	struct annot_ring *ring = module.rings[sched_getcpu()];

	module.nr_drains++;
	if (!ring || module.is_closed)
		return ANNOT_DRAIN_CLOSED;
	ring->limit = ring->head + RING_BYTES;
	return ANNOT_DRAIN_OPEN;
}

static int answer_call(const struct annot_record *record)
{
	if (module.refuses_calls) {
		errno = EINVAL;
		return -1;
	}
	module.nr_calls++;
	module.called = *record;
	return ANNOT_RECORD_TAKEN;
}

int ioctl(int fd, unsigned long request, ...)
{
	const void *argument;
	va_list arguments;

	va_start(arguments, request);
	argument = va_arg(arguments, const void *);
	va_end(arguments);
	/* A call may come to a file that is not ours: it is told from the answer. */
	if (request == ANNOT_IOC_RECORD && cpu_of_device(fd) < 0) {
		errno = ENOTTY;
		return -1;
	}
	check(cpu_of_device(fd) >= 0);
	if (request == ANNOT_IOC_RECORD)
		return answer_call(argument);
	if (request == ANNOT_IOC_DRAIN)
		return answer_drain();
	check(request == ANNOT_IOC_NAME);
	return ++module.nr_names;
}

static const struct annot_control *control(uint32_t recording)
{
	static struct annot_control page = {
		.version = ANNOT_ABI_VERSION,
		.oldest_version = ANNOT_ABI_VERSION,
		.record_bytes = sizeof(struct annot_record),
		.ring_bytes = RING_BYTES,
		.features = ANNOT_FEATURE_RINGS,
#ifdef ANNOT_RSEQ_CLOCK
		.clock = ANNOT_RSEQ_CLOCK,
#endif
	};

	page.recording = recording;
	return &page;
}

static void tell(size_t offset, uint32_t word)
{
	int fd = open("dev/ctl", O_WRONLY);

	check(pwrite(fd, &word, sizeof(word), (off_t)offset) == sizeof(word));
	close(fd);
}

/* False, and told: these restartable sequences are not there, or this is another processor. */
static bool has_rings(void)
{
#ifdef ANNOT_RSEQ_CLOCK
	if (!annot_rseq_have())
		return true;
#endif
	fprintf(stderr, "# no restartable sequences: not tested\n");
	return false;
}

/* Onto the @nth of the CPUs that this process may use; which that is. */
static int move_to(int nth)
{
	static cpu_set_t allowed;
	cpu_set_t one;
	int cpu;

	if (!CPU_COUNT(&allowed))
		check(!sched_getaffinity(0, sizeof(allowed), &allowed));
	nth %= CPU_COUNT(&allowed);
	for (cpu = 0; nth || !CPU_ISSET(cpu, &allowed); cpu++)
		nth -= CPU_ISSET(cpu, &allowed) != 0;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	check(!sched_setaffinity(0, sizeof(one), &one));
	return cpu;
}

static uint64_t nr_stored(int cpu)
{
	return module.rings[cpu] ? module.rings[cpu]->head / sizeof(struct annot_record) : 0;
}

/* Lines in the devices' files. */
static size_t nr_written(int nr_cpus)
{
	size_t nr = 0;
	char path[32];
	int cpu;

	for (cpu = 0; cpu < nr_cpus; cpu++) {
		const char *at;

		snprintf(path, sizeof(path), "dev/cpu%d", cpu);
		at = get_text(path);
		for (; (at = strstr(at, "I m")); at += 3)
			nr++;
	}
	return nr;
}

static int nr_open(void)
{
	int fd, nr = 0;

	for (fd = 0; fd < 1024; fd++)
		nr += fcntl(fd, F_GETFD) >= 0;
	return nr;
}

static void few_descriptors_for_many_cpus(void)
{
	int before, nr_kept;

	use_module(control(ANNOT_RECORDING_WRITES), MAX_CPUS);
	before = nr_open();
	for (pretended_cpu = 0; pretended_cpu < MAX_CPUS; pretended_cpu++)
		annot_mark("m");
	nr_kept = nr_open() - before;
	check(nr_kept > 1 && nr_kept <= 16);
	for (pretended_cpu = 0; pretended_cpu < MAX_CPUS; pretended_cpu++)
		annot_mark("m");
	check(nr_open() - before == nr_kept);
	check(nr_written(MAX_CPUS) == 2 * MAX_CPUS);
}

/* What the library says with a module of these versions, and where its annotation went. */
static void with_versions(uint32_t oldest, uint32_t newest, const char *status, bool by_device)
{
	struct annot_control page = *control(ANNOT_RECORDING_WRITES);
	pid_t child = fork();
	int result;

	if (!child) {
		page.oldest_version = oldest;
		page.version = newest;
		use_module(&page, 256);
		put_text("marker/trace_marker", "");
		annot_mark("m");
		if (!strstr(annot_status(), status))
			fprintf(stderr, "%u to %u: %s\n", oldest, newest, annot_status());
		check(strstr(annot_status(), status));
		check(nr_written(256) == by_device);
		check(!*get_text("marker/trace_marker") == by_device);
		_exit(0);
	}
	check(waitpid(child, &result, 0) == child && !result);
}

static void versions_of_the_abi(void)
{
	const uint32_t own = ANNOT_ABI_VERSION;

	with_versions(own, own, "device: ", true);
	with_versions(own, own + 1, "device: ", true);
	with_versions(own, own + 2, "device: ", true);
	with_versions(own - 1, own + 1, "device: ", true);
	with_versions(own + 1, own + 3,
		      "dev: this library has version 2 of the ABI, the module understands 3 to 5",
		      false);
	with_versions(own - 1, own - 1,
		      "dev: this library has version 2 of the ABI, the module understands only 1",
		      false);
	/* the first modules did not tell the oldest */
	with_versions(0, 1, "the module understands only 1", false);
}

/* Rings, too, with a module that is newer in a way that does not matter. */
static void rings_of_a_newer_module(void)
{
	struct annot_control page = *control(ANNOT_RECORDING_RINGS);
	int cpu = move_to(0);

	page.version = ANNOT_ABI_VERSION + 2;
	page.features = ~0u;
	use_module(&page, 256);
	annot_mark("m");
	check(!has_rings() || nr_stored(cpu) == 1);
}

static void rings_are_mapped_where_annotated(void)
{
	int first = move_to(0), second, cpu, i;

	use_module(control(ANNOT_RECORDING_RINGS), 256);
	annot_mark("m");
	if (!has_rings())
		return;
	check(strstr(annot_status(), "dev, by rings, while"));
	for (i = 0; i < 1000; i++)
		annot_mark("m");
	check(nr_stored(first) == 1001);
	for (cpu = 0; cpu < MAX_CPUS; cpu++)
		check(module.nr_asked[cpu] == (cpu == first));
	second = move_to(1);
	annot_mark("m");
	check(nr_stored(first) + (first == second ? 0 : nr_stored(second)) == 1002);
	check(module.nr_asked[first] == 1 && module.nr_asked[second] == 1);
	check(nr_written(256) == 0);
}

static struct annot_control calls_wanted(void)
{
	struct annot_control page = *control(ANNOT_RECORDING_CALLS);

	page.features |= ANNOT_FEATURE_CALLS;
	return page;
}

static void calls_while_counted(void)
{
	struct annot_control page = calls_wanted();

	move_to(0);
	use_module(&page, 256);
	annot_begin_value("m", -7);
	if (!has_rings())
		return;
	check(module.nr_calls == 1 && module.nr_names == 1);
	check(module.called.op == ANNOT_OP_BEGIN && module.called.value == -7);
	check(module.called.flags == ANNOT_RECORD_HAS_VALUE && module.called.name == 1);
	check(!module.called.ticks && !module.called.reserved && !module.called.reserved2);
	annot_end();
	check(module.nr_calls == 2 && module.called.op == ANNOT_OP_END && !module.called.name);
	/* And into rings, when counting has ended. */
	tell(offsetof(struct annot_control, recording), ANNOT_RECORDING_RINGS);
	annot_mark("m");
	check(module.nr_calls == 2 && nr_stored(sched_getcpu()) == 1);
	check(nr_written(256) == 0);
}

/* Our descriptor has become another file's: nothing lands there, and all is taken. */
static void calls_among_strangers(void)
{
	struct annot_control page = calls_wanted();
	int fd, stranger;

	move_to(0);
	use_module(&page, 256);
	annot_mark("m");
	if (!has_rings())
		return;
	stranger = open("/dev/zero", O_RDWR);
	for (fd = 0; fd < 1024; fd++) {
		if (cpu_of_device(fd) >= 0)
			check(dup2(stranger, fd) == fd);
	}
	annot_mark("m");
	check(module.nr_calls == 2);
}

/* A module that does not know the word's meaning does not say it; one may refuse a call. */
static void written_instead_of_called(void)
{
	struct annot_control page = *control(ANNOT_RECORDING_CALLS);

	move_to(0);
	use_module(&page, 256);
	annot_mark("m");
	check(module.nr_calls == 0 && nr_written(256) == 1);
	page = calls_wanted();
	tell(offsetof(struct annot_control, features), page.features);
	module.refuses_calls = true;
	annot_mark("m");
	check(module.nr_calls == 0 && nr_written(256) == 2);
}

static void refused_ring(void)
{
	int first = move_to(0), second, i;

	use_module(control(ANNOT_RECORDING_RINGS), 256);
	module.refused_cpu = first + 1;
	for (i = 0; i < 100; i++)
		annot_mark("m");
	check(nr_written(256) == 100);
	if (!has_rings())
		return;
	check(module.nr_asked[first] == 1 && module.nr_drains == 0);
	check(strstr(annot_status(), "dev, by write(), while"));
	check(strstr(annot_status(), "; no ring of CPU "));
	check(strstr(annot_status(), "RLIMIT_MEMLOCK"));
	second = move_to(1);
	if (second == first) {
		fprintf(stderr, "# only one CPU: that others have rings is not tested\n");
		return;
	}
	annot_mark("m");
	check(nr_stored(second) == 1);
	check(strstr(annot_status(), "dev, by rings, else by write(), while"));
	check(strstr(annot_status(), "RLIMIT_MEMLOCK"));
	move_to(0);
	annot_mark("m");
	check(nr_written(256) == 101 && module.nr_asked[first] == 1);
}

static void closed_ring_is_asked_once(void)
{
	int cpu = move_to(0), i;

	use_module(control(ANNOT_RECORDING_RINGS), 256);
	module.is_closed = true;
	for (i = 0; i < 10; i++)
		annot_mark("m");
	check(nr_written(256) == 10);
	if (!has_rings())
		return;
	check(module.nr_drains == 10 && nr_stored(cpu) == 0);
	module.is_closed = false;
	annot_mark("m");
	check(nr_stored(cpu) == 1 && nr_written(256) == 10);
}

static void writes_when_the_recorder_wants_them(void)
{
	const size_t recording = offsetof(struct annot_control, recording);
	int cpu = move_to(0);

	use_module(control(ANNOT_RECORDING_WRITES), 256);
	annot_mark("m");
	check(nr_written(256) == 1 && !module.nr_asked[cpu] && !module.nr_drains);
	tell(recording, ANNOT_RECORDING_RINGS);
	annot_mark("m");
	if (!has_rings())
		return;
	check(nr_written(256) == 1 && nr_stored(cpu) == 1);
	/* as the kernel does, and what a newer one may say */
	module.rings[cpu]->limit = module.rings[cpu]->head;
	tell(recording, ANNOT_RECORDING_WRITES + 1);
	annot_mark("m");
	check(nr_written(256) == 2 && nr_stored(cpu) == 1 && module.nr_drains == 1);
}

static void the_clock_is_lost(void)
{
	int cpu = move_to(0);

	use_module(control(ANNOT_RECORDING_RINGS), 256);
	annot_mark("m");
	if (!has_rings())
		return;
	check(nr_stored(cpu) == 1);
	tell(offsetof(struct annot_control, clock), ANNOT_CLOCK_NONE);
	module.rings[cpu]->limit = module.rings[cpu]->head;
	annot_mark("m");
	check(nr_written(256) == 1 && module.nr_drains == 1);
}

static void close_all(void)
{
	int fd;

	for (fd = 3; fd < 1024; fd++)
		close(fd);
}

/* Closed, as a program does that drops its rights, and not to be opened again. */
static void drops_are_counted(void)
{
	int cpu = move_to(0), i;

	use_module(control(ANNOT_RECORDING_RINGS), 256);
	annot_mark("m");
	if (!has_rings())
		return;
	close_all();
	check(!rename("dev", "gone"));
	annot_mark("stored without a descriptor, were its name known");
	check(module.rings[cpu]->dropped == 1);
	module.rings[cpu]->limit = module.rings[cpu]->head;
	for (i = 0; i < 10; i++)
		annot_mark("m");
	check(module.rings[cpu]->dropped == 11);
	check(nr_stored(cpu) == 1);
	/* on a CPU without a ring too */
	move_to(1);
	annot_mark("m");
	check(module.rings[cpu]->dropped == 12);
}

static void child_has_rings_of_its_own(void)
{
	struct annot_ring *of_parent;
	int cpu = move_to(0), result;
	pid_t child;

	use_module(control(ANNOT_RECORDING_RINGS), 256);
	annot_mark("m");
	if (!has_rings())
		return;
	of_parent = module.rings[cpu];
	child = fork();
	if (!child) {
		module.rings[cpu] = NULL;
		annot_mark("m");
		annot_mark("m");
		check(module.nr_asked[cpu] == 2 && nr_stored(cpu) == 2);
		_exit(0);
	}
	check(waitpid(child, &result, 0) == child && !result);
	annot_mark("m");
	check(module.rings[cpu] == of_parent && nr_stored(cpu) == 2 && module.nr_asked[cpu] == 1);
}

#define NR_THREADS 16
#define NR_EACH 20000

static pthread_barrier_t start;

static void *annotate_much(void *unused)
{
	int i;

	pthread_barrier_wait(&start);
	for (i = 0; i < NR_EACH; i++)
		annot_mark("m");
	return unused;
}

static void many_threads_come_first(void)
{
	pthread_t threads[NR_THREADS];
	uint64_t nr = 0;
	int i;

	use_module(control(ANNOT_RECORDING_RINGS), 256);
	pthread_barrier_init(&start, NULL, NR_THREADS);
	for (i = 0; i < NR_THREADS; i++)
		check(!pthread_create(&threads[i], NULL, annotate_much, NULL));
	for (i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i], NULL);
	for (i = 0; i < MAX_CPUS; i++) {
		check(module.nr_asked[i] <= 1);
		nr += nr_stored(i);
	}
	check(nr + nr_written(256) == NR_THREADS * NR_EACH);
	check(!has_rings() || nr > 0);
}

#if defined(__x86_64__)
static void no_rings_where_the_tsc_is_fatal(void)
{
	check(!prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0));
	use_module(control(ANNOT_RECORDING_RINGS), 256);
	annot_mark("m");
	check(nr_written(256) == 1);
	check(!has_rings() || strstr(annot_status(), "by write(), while an annot event is enabled; "
						     "no rings: the thread may not read the TSC"));
}
#endif

static const struct scenario scenarios[] = {
	{ SCENARIO(few_descriptors_for_many_cpus) },
	{ SCENARIO(versions_of_the_abi) },
	{ SCENARIO(rings_of_a_newer_module) },
	{ SCENARIO(calls_while_counted) },
	{ SCENARIO(calls_among_strangers) },
	{ SCENARIO(written_instead_of_called) },
	{ SCENARIO(rings_are_mapped_where_annotated) },
	{ SCENARIO(refused_ring) },
	{ SCENARIO(closed_ring_is_asked_once) },
	{ SCENARIO(writes_when_the_recorder_wants_them) },
	{ SCENARIO(the_clock_is_lost) },
	{ SCENARIO(drops_are_counted) },
	{ SCENARIO(child_has_rings_of_its_own) },
	{ SCENARIO(many_threads_come_first) },
#if defined(__x86_64__)
	{ SCENARIO(no_rings_where_the_tsc_is_fatal) },
#endif
};

int main(int argc, char **argv)
{
	return scenarios_main(argc, argv, scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
}
