// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: fuzz_devices SECONDS [SEED]
 *
 * Sequences of system calls and of writes to memory around the devices of annot.ko, most of them
 * nearly right, drawn from SEED (printed) and run by processes of an ordinary user and of root,
 * while another enables and disables what is recorded. Each sequence has a process of its own, and
 * what it leaves behind is killed. On a kernel that tells what code of annot.ko was reached, those
 * that came to something new are kept and varied. Prints TAP: that the sequences did not fail at
 * the first step. What the kernel made of it, its log says.
 */
#include <grp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "fuzz.h"
#include "fuzz_calls.h"
#include "fuzz_coverage.h"
#include "fuzz_recorder.h"

#define USER 1000
#define NR_WORKERS 3 /* the last one is root */
#define NR_KEPT_MAX 512
#define SEQUENCE_MS 1500

/* --- sequences */

static struct call any_call(void)
{
	/* What most of the others need, and what only now and then is of use. */
	static const uint8_t often[] = { OPEN, RING,  ANNOTATE, ANNOTATE, SCRIBBLE, MMAP,
					 NAME, DRAIN, RECORD,	WRITE,	  EVENTS };
	static const uint8_t seldom[] = { CLOSE, EXEC, FORK, CLONE_VM_CHILD, SIGNALS, LIMIT };
	struct call call = {
		.kind = draw() % NR_KINDS, .a = draw(), .b = draw(), .c = draw(), .d = draw()
	};

	if (draw() % 3 == 0)
		call.kind = often[draw() % sizeof(often)];
	if (memchr(seldom, call.kind, sizeof(seldom)) && draw() % 2)
		call.kind = ANNOTATE;
	if (draw() % 4 == 0)
		call.d = draw() % 64;
	return call;
}

static void make(struct sequence *sequence)
{
	sequence->nr = 0;
	if (draw() % 8) {
		sequence->calls[sequence->nr++] =
			(struct call){ .kind = RING, .a = draw(), .b = 0 };
		sequence->calls[sequence->nr++] = (struct call){ .kind = OPEN, .a = 1, .b = 1 };
		sequence->calls[sequence->nr++] = (struct call){ .kind = OPEN, .a = 2, .b = 0 };
	}
	for (unsigned int more = 1 + draw() % (NR_CALLS_MAX - 4); more; more--)
		sequence->calls[sequence->nr++] = any_call();
}

static void vary(struct sequence *sequence)
{
	for (unsigned int times = 1 + draw() % 4; times; times--) {
		unsigned int at = draw() % sequence->nr;
		struct call *call = &sequence->calls[at];

		switch (draw() % 4) {
		case 0:
			*call = any_call();
			break;
		case 1:
			((uint8_t *)call)[1 + draw() % (sizeof(*call) - 1)] = draw();
			break;
		case 2:
			if (sequence->nr == NR_CALLS_MAX)
				break;
			memmove(call + 1, call, (sequence->nr++ - at) * sizeof(*call));
			*call = any_call();
			break;
		default:
			if (sequence->nr == 1)
				break;
			memmove(call, call + 1, (--sequence->nr - at) * sizeof(*call));
		}
	}
}

/* --- a worker */

static void become(bool root)
{
	setsid();
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!root &&
	    (setgroups(0, NULL) || setresgid(USER, USER, USER) || setresuid(USER, USER, USER)))
		die("to be an ordinary user");
	/* Else /proc/self would not be its own. */
	prctl(PR_SET_DUMPABLE, 1);
	setrlimit(RLIMIT_CORE, &(struct rlimit){ 0 });
}

static __attribute__((noreturn)) void be_sequence(const struct sequence *sequence, bool root,
						  const struct coverage *coverage)
{
	become(root);
	memset((void *)files, -1, sizeof(files));
	pages = mmap(NULL, 3 * PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		     0);
	if (pages == MAP_FAILED || mprotect(pages + PAGE_BYTES, PAGE_BYTES, PROT_READ) ||
	    mprotect(pages + 2 * PAGE_BYTES, PAGE_BYTES, PROT_NONE))
		die("mmap");
	running = sequence;
	if (coverage->words)
		ioctl(coverage->fd, KCOV_ENABLE, 0);
	run(sequence, 0, sequence->nr);
	_exit(0);
}

/* And whatever the sequence has made, for it is its session's. */
static void end_of(pid_t pid)
{
	uint64_t end = now_ms() + SEQUENCE_MS * slowdown();

	while (waitpid(pid, NULL, WNOHANG) == 0 && now_ms() < end)
		usleep(500);
	kill(-pid, SIGKILL);
	while (waitpid(-1, NULL, __WALL) > 0)
		;
}

static int work(int number, uint64_t seed)
{
	static struct sequence kept[NR_KEPT_MAX];
	static struct sequence sequence;
	struct coverage coverage = { 0 };
	unsigned int nr_kept = 0;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	seed_with(seed + number);
	open_coverage(&coverage);
	while (!is_over()) {
		pid_t pid;

		if (nr_kept && draw() % 4) {
			sequence = kept[draw() % nr_kept];
			vary(&sequence);
		} else {
			make(&sequence);
		}
		if (coverage.words)
			coverage.words[0] = 0;
		pid = fork();
		if (!pid)
			be_sequence(&sequence, number == NR_WORKERS - 1, &coverage);
		if (pid < 0)
			die("fork");
		end_of(pid);
		__sync_fetch_and_add(&figures->sequences, 1);
		if (came_to_something_new(&coverage)) {
			kept[nr_kept < NR_KEPT_MAX ? nr_kept++ : draw() % NR_KEPT_MAX] = sequence;
			__sync_fetch_and_add(&figures->kept, 1);
		}
	}
	return 0;
}

/* --- all of it */

static void show(void)
{
	printf("# %ld sequences; of annot.ko %ld places were reached, %ld sequences kept for it\n",
	       figures->sequences, figures->nr_pcs, figures->kept);
	for (int i = 0; i < NR_KINDS; i++)
		printf("# %-10s %8ld done %8ld failed\n", kind_names[i], figures->done[i],
		       figures->failed[i]);
}

int main(int argc, char **argv)
{
	long seconds = argc > 1 ? atol(argv[1]) : 0;
	uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 0) : (uint64_t)time(NULL) << 16;
	pid_t pids[NR_WORKERS + 1];
	int status;
	bool well = true;

	if (seconds <= 0)
		return 2;
	begin_ms = now_ms();
	end_ms = begin_ms + (uint64_t)seconds * 1000;
	printf("# seed %#llx\n", (unsigned long long)seed);
	fflush(stdout);
	nr_cpus = (int)sysconf(_SC_NPROCESSORS_ONLN);
	ring_bytes();
	figures = mmap(NULL, sizeof(*figures), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		       -1, 0);
	if (figures == MAP_FAILED)
		die("mmap");
	for (int i = 0; i <= NR_WORKERS; i++) {
		pids[i] = fork();
		if (!pids[i])
			_exit(i < NR_WORKERS ? work(i, seed) : record(seed + NR_WORKERS));
	}
	for (int i = 0; i <= NR_WORKERS; i++) {
		waitpid(pids[i], &status, 0);
		well = well && status == 0;
	}
	show();
	check(well, "the processes that ran the sequences exit with 0");
	for (size_t i = 0; i < sizeof(must); i++) {
		if (!figures->done[must[i]])
			printf("# %s: never\n", kind_names[must[i]]);
	}
	check(!nr_missing(), "what leads on was done, and not only tried");
	return all_well ? 0 : 1;
}
