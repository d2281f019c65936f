// SPDX-License-Identifier: GPL-2.0
/*
 * What a user can make the kernel keep: rings, names and what is kept of a process, against
 * RLIMIT_MEMLOCK and the memory cgroup. In a guest with NR_CPUS possible CPUs that has annot.ko
 * loaded. Prints TAP.
 *
 *	attack_limits [CGROUP]		an empty directory with a memory controller
 */
#include <limits.h>
#include <sys/resource.h>

#include "attack.h"

#define NR_CPUS 48
#define OTHER_USER_ID 1001
#define KIB 1024l
#define RING_KIB (2 * PAGE_BYTES / KIB) /* header and records */
#define LIMIT_KIB 512l
#define NAMES_MAX 70000 /* more than any process may have */
#define NAMES_MAX_KIB 1024l
#define NAME_BYTES_MAX 512 /* that one takes, at most */
#define NR_ROUNDS 10
#define NR_HOLDERS 8
#define NR_ZOMBIES 40
#define NR_ALIKE 10 /* readings, each half of a tenth of a second */
#define NR_IN_CGROUP 40

static char name_text[ANNOT_NAME_MAX_BYTES + 1];

static void set_limit(rlim_t kib)
{
	struct rlimit limit = { kib == RLIM_INFINITY ? kib : kib * KIB,
				kib == RLIM_INFINITY ? kib : kib * KIB };

	if (setrlimit(RLIMIT_MEMLOCK, &limit))
		die("setrlimit");
}

static void open_cpus(struct ring *rings)
{
	for (int i = 0; i < NR_CPUS; i++)
		rings[i].fd = open_cpu(i);
}

/* Return: how many rings of this process there are then; errno says why no more. */
static int map_opened(struct ring *rings)
{
	for (int i = 0; i < NR_CPUS; i++) {
		rings[i].shared = mmap(NULL, map_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED,
				       rings[i].fd, 0);
		if (rings[i].shared == MAP_FAILED)
			return i;
		/* As if it were used: what is taken on first touch counts, too. */
		rings[i].shared->reserved[0] = 1;
		*(volatile char *)((char *)rings[i].shared + PAGE_BYTES) = 1;
	}
	errno = 0;
	return NR_CPUS;
}

static int map_rings(struct ring *rings)
{
	open_cpus(rings);
	return map_opened(rings);
}

/* Return: how many names it got; errno says why no more. */
static int add_names(int nr)
{
	static int fd = -1;
	int i;

	if (fd < 0)
		fd = open_cpu(0);

	memset(name_text, 'x', ANNOT_NAME_MAX_BYTES);
	for (i = 0; i < nr; i++) {
		char number[16];
		long id;

		snprintf(number, sizeof(number), "%08d", i);
		memcpy(name_text, number, 8);
		id = name_id(fd, name_text, ANNOT_NAME_MAX_BYTES);
		if (id > 0)
			continue;
		errno = -id;
		break;
	}
	if (i == nr)
		errno = 0;
	return i;
}

/* What the processes of a test tell each other. */
struct board {
	volatile int nr_ready; /* holders that have what they could get */
	volatile int nr_rings; /* of all of them */
	volatile int nr_names;
	volatile int error;
	volatile int let_go;
};

static struct board *board;

static void wait_for_ready(int nr)
{
	for (int i = 0; board->nr_ready < nr; i++) {
		if (i == 30000 * slowdown()) {
			errno = ETIMEDOUT;
			die("processes that hold something");
		}
		usleep(1000);
	}
}

static int hold_rings(void *user)
{
	struct ring rings[NR_CPUS];
	int nr, error;

	become(*(uid_t *)user);
	nr = map_rings(rings);
	error = errno;
	__atomic_fetch_add(&board->nr_rings, nr, __ATOMIC_SEQ_CST);
	if (error)
		board->error = error;
	__atomic_fetch_add(&board->nr_ready, 1, __ATOMIC_SEQ_CST);
	while (!board->let_go)
		usleep(2000);
	return 0;
}

static void start_holders(pid_t *children, int nr, uid_t user)
{
	memset((void *)board, 0, sizeof(*board));
	for (int i = 0; i < nr; i++) {
		children[i] = fork_task(hold_rings, &user);
		wait_for_ready(i + 1);
	}
}

static void end_holders(const pid_t *children, int nr)
{
	board->let_go = 1;
	for (int i = 0; i < nr; i++) {
		if (wait_for(children[i]))
			check(false, "a process with rings ends well");
	}
}

/*
 * What was unmapped is given back behind its back, at a time of RCU's choosing: until then there is no
 * room.
 *
 * Return: how many rings of this process there are in the end, errno says why no more.
 */
static int map_when_there_is_room(struct ring *rings, int nr_wanted)
{
	int nr = 0, error = 0;

	open_cpus(rings);
	for (int i = 0; i < 100 * slowdown(); i++) {
		nr = map_opened(rings);
		error = errno;
		if (nr >= nr_wanted)
			break;
		for (int ring = 0; ring < nr; ring++)
			munmap((void *)rings[ring].shared, map_bytes());
		usleep(100000);
	}
	errno = error;
	return nr;
}

static int map_all(void *user)
{
	struct ring rings[NR_CPUS];

	become(*(uid_t *)user);
	return map_when_there_is_room(rings, NR_CPUS) != NR_CPUS;
}

static void check_rings(void)
{
	const long most = LIMIT_KIB / RING_KIB;
	uid_t user = USER_ID, other = OTHER_USER_ID;
	pid_t children[NR_HOLDERS];
	struct ring rings[NR_CPUS];

	set_limit(LIMIT_KIB);
	start_holders(children, NR_HOLDERS, user);
	printf("# %d processes of a user: %d rings, %s\n", NR_HOLDERS, board->nr_rings,
	       strerror(board->error));
	check(board->nr_rings <= most, "rings of all processes of a user: at most %ld KiB",
	      LIMIT_KIB);
	check(board->nr_rings >= most * 3 / 4 && board->error == ENOMEM,
	      "nor much less, and then it is ENOMEM");
	check(run_task(map_all, &other) == 0, "another user is not touched by that");
	check(map_rings(rings) == NR_CPUS, "nor is root");
	for (int i = 0; i < NR_CPUS; i++)
		unmap_ring(&rings[i]);
	end_holders(children, NR_HOLDERS);
	check(run_task(map_all, &user) == 0, "when they have ended, the user has room again");
	set_limit(0);
	check(map_rings(rings) == NR_CPUS, "root has rings with a limit of nothing");
	for (int i = 0; i < NR_CPUS; i++)
		unmap_ring(&rings[i]);
	set_limit(LIMIT_KIB);
}

/* What is refused, or given back, is not counted. */
static int map_often(void *unused)
{
	struct ring rings[NR_CPUS];

	(void)unused;
	become_user();
	for (int round = 0; round < NR_ROUNDS; round++) {
		if (map_when_there_is_room(rings, NR_CPUS) != NR_CPUS)
			return 1;
		if (mmap(NULL, map_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, rings[0].fd, 0) !=
			    MAP_FAILED ||
		    errno != EBUSY)
			return 2;
		for (int i = 0; i < NR_CPUS; i++)
			unmap_ring(&rings[i]);
	}
	return 0;
}

static int map_in_namespace(void *unused)
{
	const int nr_most = 5;
	struct ring rings[NR_CPUS];
	int nr;

	(void)unused;
	/* And a page of what the module knows of the process. */
	set_limit(nr_most * RING_KIB + PAGE_BYTES / KIB);
	become_user();
	become_root_of_namespace();
	nr = map_when_there_is_room(rings, nr_most);
	printf("# root of a namespace: %d rings, %s\n", nr, strerror(errno));
	return nr != nr_most || errno != ENOMEM;
}

static int name_up_to_limit(void *unused)
{
	int nr, error, fd;

	(void)unused;
	become_user();
	nr = add_names(NAMES_MAX);
	error = errno;
	printf("# %d names of %d bytes, %s\n", nr, ANNOT_NAME_MAX_BYTES, strerror(error));
	fd = open_cpu(0);
	check(nr * (long)ANNOT_NAME_MAX_BYTES <= LIMIT_KIB * KIB && error == ENOMEM,
	      "names of a process: at most %ld KiB, and then it is ENOMEM", LIMIT_KIB);
	check(nr * (long)NAME_BYTES_MAX >= LIMIT_KIB * KIB * 3 / 4, "nor much less");
	memset(name_text, 'x', ANNOT_NAME_MAX_BYTES);
	memcpy(name_text, "00000003", 8);
	check(name_id(fd, name_text, ANNOT_NAME_MAX_BYTES) == 4, "a name that is there stays so");
	close(fd);
	return !all_well;
}

static int name_without_limit(void *unused)
{
	int nr = add_names(NAMES_MAX), error = errno;

	(void)unused;
	printf("# root: %d names of %d bytes, %s\n", nr, ANNOT_NAME_MAX_BYTES, strerror(error));
	return error != ENOSPC || nr * (long)ANNOT_NAME_MAX_BYTES > NAMES_MAX_KIB * KIB;
}

/* With what CPUs keep of freed pages for themselves, for which MemFree does not stand. */
static long free_kb(void)
{
	FILE *file = fopen("/proc/zoneinfo", "r");
	long nr, pages = 0;
	char line[256];

	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, " count: %ld", &nr) == 1)
			pages += nr;
	}
	if (!file || !pages)
		die("zoneinfo");
	fclose(file);
	return memory_kb("MemFree") + pages * (PAGE_BYTES / KIB);
}

/* All that it may have, and ends. */
static int be_zombie(void *unused)
{
	struct ring rings[NR_CPUS];

	(void)unused;
	become_user();
	map_rings(rings);
	__atomic_fetch_add(&board->nr_names, add_names(NAMES_MAX), __ATOMIC_SEQ_CST);
	return 0;
}

static void check_zombies(void)
{
	/* Its rings alone are four times as much. */
	const long allowed = NR_ZOMBIES / 2 * NR_CPUS * RING_KIB / 4;
	pid_t children[NR_ZOMBIES];
	int first = 0, last = 0;
	long before = 0, taken = 0;
	siginfo_t info;

	set_limit(2 * NAMES_MAX_KIB + NR_CPUS * RING_KIB);
	for (int i = 0; i < NR_ZOMBIES; i++) {
		/* What the kernel keeps for the next time is no zombie's: it has that by now. */
		if (i == NR_ZOMBIES / 2) {
			usleep(1000000 * slowdown());
			before = free_kb();
		}
		memset((void *)board, 0, sizeof(*board));
		children[i] = fork_task(be_zombie, NULL);
		if (waitid(P_PID, children[i], &info, WEXITED | WNOWAIT))
			die("waitid");
		usleep(200000 * slowdown());
		if (!i)
			first = board->nr_names;
		last = board->nr_names;
	}
	/* What is freed is freed by and by; what is kept stays. */
	for (int i = 0; i < 20; i++) {
		usleep(500000 * slowdown());
		taken = before - free_kb();
		if (taken < allowed)
			break;
	}
	printf("# %d zombies more: %ld KiB; the first had %d names, the last %d\n", NR_ZOMBIES / 2,
	       taken, first, last);
	check(taken < allowed, "a zombie has given back what it had");
	check(first > 0 && last == first, "and it does not count against the user");
	for (int i = 0; i < NR_ZOMBIES; i++)
		wait_for(children[i]);
}

/* --- the first thread ends, another one goes on */

static void *name_later(void *unused)
{
	struct ring ring;

	usleep(200000);
	map_ring(&ring, 0);
	exit(name_of(&ring, "first") != name_of(&ring, "first") || name_of(&ring, "new") == 0);
	return unused;
}

static int leave_to_thread(void *unused)
{
	struct ring ring;
	pthread_t thread;

	become_user();
	map_ring(&ring, 1);
	name_of(&ring, "first");
	if (pthread_create(&thread, NULL, name_later, NULL))
		die("pthread_create");
	pthread_exit(unused);
}

/* --- cgroups */

static const char *cgroup;

static void set_in_cgroup(const char *file, const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", cgroup, file);
	set(path, text);
}

static long read_in_cgroup(const char *file, const char *key)
{
	char path[128], line[128];
	long value = -1;
	FILE *lines;

	snprintf(path, sizeof(path), "%s/%s", cgroup, file);
	lines = fopen(path, "r");
	while (lines && fgets(line, sizeof(line), lines)) {
		if (!strncmp(line, key, strlen(key)))
			value = atol(line + strlen(key));
	}
	if (!lines || value < 0)
		die(path);
	fclose(lines);
	return value;
}

/* What a process of the cgroup has. */
enum holding {
	NOTHING,
	RINGS,
	NAMES
};

static int hold_in_cgroup(void *argument)
{
	struct ring rings[NR_CPUS];

	set_in_cgroup("cgroup.procs", "0");
	if (*(enum holding *)argument == RINGS)
		map_rings(rings);
	if (*(enum holding *)argument == NAMES)
		add_names(NAMES_MAX);
	__atomic_fetch_add(&board->nr_ready, 1, __ATOMIC_SEQ_CST);
	while (!board->let_go)
		usleep(10000);
	return 0;
}

/* What those who have ended had is given back by and by. */
static long wait_for_empty_cgroup(void)
{
	long bytes = 0;

	for (int i = 0; i < 200 * slowdown(); i++) {
		bytes = read_in_cgroup("memory.current", "");
		if (bytes < NAMES_MAX_KIB * KIB)
			break;
		usleep(100000);
	}
	return bytes;
}

/* Return: KiB that the cgroup has for so many processes. */
static long charged_kib(enum holding what)
{
	pid_t children[NR_IN_CGROUP];
	long before, after;

	memset((void *)board, 0, sizeof(*board));
	before = wait_for_empty_cgroup();
	for (int i = 0; i < NR_IN_CGROUP; i++)
		children[i] = fork_task(hold_in_cgroup, &what);
	wait_for_ready(NR_IN_CGROUP);
	after = read_in_cgroup("memory.current", "");
	end_holders(children, NR_IN_CGROUP);
	return (after - before) / KIB;
}

static void check_charges(void)
{
	const long rings_kib = NR_IN_CGROUP * NR_CPUS * RING_KIB;
	const long names_kib = NR_IN_CGROUP * NAMES_MAX_KIB * 3 / 4;
	long nothing = charged_kib(NOTHING);
	long rings = charged_kib(RINGS) - nothing;
	long names = charged_kib(NAMES) - nothing;

	printf("# %d processes: %ld KiB; their rings %ld, their names %ld\n", NR_IN_CGROUP, nothing,
	       rings, names);
	check(rings >= rings_kib * 9 / 10 && rings <= 2 * rings_kib,
	      "rings are charged to the cgroup: %ld KiB", rings_kib);
	check(names >= names_kib && names <= 8 * names_kib,
	      "names are charged to the cgroup: %ld KiB at least", names_kib);
}

/*
 * What the cgroup has when nothing more is given back of the rings and names of those who ended. What
 * CPUs have put by for it they give back when it is to have less; said twice, that takes pages away
 * that this process has in use.
 */
static long settled_bytes(void)
{
	long before = LONG_MAX, bytes;
	int nr_alike = 0;

	for (int i = 0; i < 200 * slowdown() && nr_alike < NR_ALIKE; i++) {
		usleep(50000);
		bytes = read_in_cgroup("memory.current", "");
		nr_alike = bytes < before ? 0 : nr_alike + 1;
		before = bytes;
	}
	set_in_cgroup("memory.high", "0");
	set_in_cgroup("memory.high", "max");
	return read_in_cgroup("memory.current", "");
}

/* What a process asks for until the cgroup has no room for it. */
struct want {
	enum holding what;
	long room_bytes;
};

/*
 * When there is no room it touches nothing for the first time and opens no file: only what the module
 * asks for is refused.
 */
static int run_out(void *argument)
{
	static struct ring rings[NR_CPUS];
	const struct want *want = argument;
	char limit[32];

	set_in_cgroup("cgroup.procs", "0");
	add_names(1);
	open_cpus(rings);
	snprintf(limit, sizeof(limit), "%ld", settled_bytes() + want->room_bytes);
	set_in_cgroup("memory.max", limit);
	if (want->what == NAMES)
		add_names(NAMES_MAX);
	else
		map_opened(rings);
	_exit(errno == ENOMEM ? 0 : 2);
}

/*
 * The kernel asks for memory, too, when it maps, and kills who asks for the last page so; it may give
 * some back meanwhile. Which of the two comes to the last page, a ring or the kernel, goes by how many
 * there are: a page more for each try. What is charged to nobody would be refused in none.
 */
static void check_no_room(enum holding what, const char *text)
{
	const int nr_wanted = 4, most_tries = 40;
	int nr_refused = 0, nr_tries = 0, status = 0;

	while (nr_refused < nr_wanted && nr_tries < most_tries) {
		struct want want = { what, 64 * KIB + nr_tries * PAGE_BYTES };
		int result = run_task(run_out, &want);

		nr_tries++;
		nr_refused += !result;
		if (result)
			status = result;
		set_in_cgroup("memory.max", "max");
	}
	printf("# %d of %d times refused; else status %d; killed: %ld\n", nr_refused, nr_tries,
	       status, read_in_cgroup("memory.events", "oom_kill "));
	check(nr_refused == nr_wanted, "%s", text);
}

int main(int argc, char **argv)
{
	board = shared_memory(sizeof(*board));
	check_rings();
	set_limit(LIMIT_KIB);
	check(run_task(map_often, NULL) == 0, "mapped and unmapped %d times, nothing is left over",
	      NR_ROUNDS);
	check(run_task(map_in_namespace, NULL) == 0, "root of a namespace is bound as its user is");
	all_well = run_task(name_up_to_limit, NULL) == 0 && all_well;
	check(run_task(name_without_limit, NULL) == 0, "names of a process: at most %ld KiB",
	      NAMES_MAX_KIB);
	check_zombies();
	check(run_task(leave_to_thread, NULL) == 0,
	      "a process whose first thread has ended keeps its names");
	if (argc == 2) {
		cgroup = argv[1];
		set_limit(RLIM_INFINITY);
		check_charges();
		check_no_room(NAMES, "names for which the cgroup has no room are ENOMEM");
		check_no_room(RINGS, "rings for which the cgroup has no room are ENOMEM");
	}
	return all_well ? 0 : 1;
}
