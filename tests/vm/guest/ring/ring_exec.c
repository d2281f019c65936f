// SPDX-License-Identifier: GPL-2.0
/*
 * A process executes a program while another process has its memory, and so its rings: in a guest
 * with two CPUs that has annot.ko loaded. Prints TAP.
 *
 *	ring_exec		the test
 *	ring_exec next		the program that is executed: annotates for itself
 *
 * The speaker annotates on CPU 1 and calls exec(). The sharer, on CPU 0, is a process of its own in
 * the speaker's memory, which just before the call begins to write into the speaker's rings what
 * only the speaker could have said. The trace tells when the kernel renamed the speaker's process,
 * in exec(): what it bears from then on is the next program's.
 */
#include <elf.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "ring.h"

#define NR_EXECS 40
#define NR_BEFORE 20
#define NR_AFTER 30
#define NR_TURNS 10 /* after which the next program has left its CPU at least once */
#define STACK_BYTES 65536
#if defined(__x86_64__)
#define MACHINE EM_X86_64
#elif defined(__aarch64__)
#define MACHINE EM_AARCH64
#elif defined(__riscv)
#define MACHINE EM_RISCV
#endif
#define DOOMED "/tmp/doomed" /* a program that the kernel finds out only when it is too late */

enum sharing {
	NOBODY, /* no sharer */
	SILENT, /* who writes nothing */
	FORGER, /* who fills the rings with good records */
	SCRIBBLER /* who writes anything */
};

/* Shared by all processes but the next program. */
struct progress {
	volatile int calling; /* the speaker has said all, and is about to call exec() */
	volatile int over;
	volatile long forged;
	volatile pid_t sharer;
	volatile int straggles; /* a thread of the speaker, from now on */
};

static struct progress *progress;
static struct ring rings[2]; /* of the speaker, by CPU; the sharer has them as well */
static uint32_t forged_name;
static char stack[STACK_BYTES] __attribute__((aligned(16)));

/* --- the sharer */

static void forge(const struct ring *ring)
{
	uint64_t head = ring->shared->head;
	volatile struct annot_record *record;

	if (head == ring->shared->limit)
		return;
	record = (void *)((char *)ring->records + (head & ring->shared->mask));
	record->value = progress->forged++;
	record->name = forged_name;
	record->op = ANNOT_OP_COUNTER;
	record->flags = ANNOT_RECORD_HAS_VALUE;
	record->ticks = read_ticks();
	__asm__ volatile("" ::: "memory");
	ring->shared->head = head + sizeof(*record);
}

static void scribble(const struct ring *ring, uint64_t *random)
{
	volatile uint64_t *words = (void *)ring->records;

	for (size_t i = 0; i < ring_bytes() / sizeof(*words); i++) {
		*random = *random * 6364136223846793005ull + 1442695040888963407ull;
		words[i] = *random >> (*random & 63);
	}
	ring->shared->head += *random % 512 * 32;
	progress->forged++;
}

static int share(void *argument)
{
	enum sharing how = (intptr_t)argument;
	uint64_t random = progress->sharer = getpid();

	stay_on(0);
	while (!progress->over) {
		for (int cpu = 0; cpu < 2 && progress->calling; cpu++) {
			if (how == FORGER)
				forge(&rings[cpu]);
			else if (how == SCRIBBLER)
				scribble(&rings[cpu], &random);
		}
		if (how == SILENT || !progress->calling)
			usleep(100);
	}
	_exit(0);
}

static void begin_sharing(enum sharing how)
{
	void *argument = (void *)(intptr_t)how;

	if (clone(share, stack + sizeof(stack), CLONE_VM | SIGCHLD, argument) < 0)
		die("clone");
	while (!progress->sharer)
		usleep(100);
}

/* --- the speaker, and what it executes */

static void *straggle(void *unused)
{
	struct sched_param param = { 0 };

	stay_on(0);
	if (sched_setscheduler(0, SCHED_IDLE, &param))
		die("sched_setscheduler");
	progress->straggles = 1;
	for (;;)
		pause();
	return unused;
}

/*
 * A thread for whose end exec() waits when it has drained the rings, and before it renames the
 * process. It gets its CPU only when the sharer is made to leave it: the sharer writes until then.
 */
static void begin_straggling(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, straggle, NULL))
		die("pthread_create");
	while (!progress->straggles)
		usleep(100);
}

static void speak(enum sharing how, const char *program)
{
	uint32_t name;

	stay_on(1);
	for (int cpu = 0; cpu < 2; cpu++)
		map_ring(&rings[cpu], cpu);
	name = name_of(&rings[1], "before");
	forged_name = name_of(&rings[1], "forged");
	if (how != NOBODY)
		begin_sharing(how);
	if (how >= FORGER)
		begin_straggling();
	for (int i = 0; i < NR_BEFORE / 2; i++)
		put(&rings[1], ANNOT_OP_COUNTER, name, i);
	/* This one fails, and goes on. */
	execl("/nowhere", "nowhere", NULL);
	for (int i = NR_BEFORE / 2; i < NR_BEFORE; i++)
		put(&rings[1], ANNOT_OP_COUNTER, name, i);
	progress->calling = 1;
	while (how >= FORGER && !progress->forged)
		;
	execl(program, "ring_exec", "next", NULL);
	die(program);
}

static int next_program(void)
{
	static struct ring ring;
	uint32_t name;

	stay_on(1);
	map_ring(&ring, 1);
	name = name_of(&ring, "after");
	for (int i = 0; i < NR_AFTER; i++) {
		put(&ring, ANNOT_OP_COUNTER, name, i);
		if (i % (NR_AFTER / NR_TURNS) == 0)
			usleep(1000);
	}
	return 0;
}

static void write_doomed(void)
{
	static const struct {
		Elf64_Ehdr header;
		Elf64_Phdr segment;
	} elf = {
		.header = {
			.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
				     EV_CURRENT },
			.e_type = ET_EXEC,
			.e_machine = MACHINE,
			.e_version = EV_CURRENT,
			.e_phoff = sizeof(Elf64_Ehdr),
			.e_ehsize = sizeof(Elf64_Ehdr),
			.e_phentsize = sizeof(Elf64_Phdr),
			.e_phnum = 1,
		},
		.segment = {
			.p_type = PT_LOAD,
			.p_flags = PF_R | PF_X,
			.p_vaddr = 0xffff800000000000, /* the kernel's */
			.p_filesz = PAGE_BYTES,
			.p_memsz = PAGE_BYTES,
			.p_align = PAGE_BYTES,
		},
	};
	int fd = open(DOOMED, O_WRONLY | O_CREAT | O_TRUNC, 0700);

	if (fd < 0 || write(fd, &elf, sizeof(elf)) != sizeof(elf) || ftruncate(fd, PAGE_BYTES))
		die(DOOMED);
	close(fd);
}

/* --- the judge */

/* Of all execs of one kind. */
struct verdict {
	long before;
	long after;
	long late_execs; /* in which the next program bears what the speaker said */
	long forged_execs; /* in which it bears what neither said */
	long strangers; /* annotations of other threads */
	long at_exec; /* lost, as the kernel tells */
	long written; /* in the speaker's stead */
	long ends; /* as they ought to be */
	long wrong; /* out of order, or not renamed */
};

static void judge(struct verdict *verdict, pid_t speaker)
{
	bool renamed = false, late = false, forged = false;
	long before = 0, after = 0;
	char expected[32];

	collect();
	for (size_t i = 0; i < nr_seen; i++) {
		const char *line = seen[i].line;

		snprintf(expected, sizeof(expected), renamed ? "C after %ld" : "C before %ld",
			 renamed ? after : before);
		if (seen[i].pid != speaker) /* workers of the kernel are renamed as they begin */
			verdict->strangers += !!strncmp(line, "rename", 6);
		else if (!strncmp(line, "rename", 6))
			renamed = true;
		else if (!strcmp(line, expected))
			*(renamed ? &after : &before) += 1;
		else if (!strncmp(line, "C before", 8) && !renamed)
			verdict->wrong++;
		else if (!strncmp(line, "C before", 8))
			late = true;
		else
			forged = forged || renamed;
	}
	verdict->late_execs += late;
	verdict->forged_execs += forged;
	verdict->before += before;
	verdict->after += after;
	verdict->at_exec += nr_lost_at_exec;
	verdict->wrong += !renamed;
}

/* What each event bears is who said it. */
static bool all_is_owned(const struct verdict *verdict)
{
	return !verdict->late_execs && !verdict->forged_execs && !verdict->strangers;
}

static void reap(pid_t pid, int *status)
{
	if (waitpid(pid, status, 0) != pid)
		die("waitpid");
}

static void run_exec(struct verdict *verdict, enum sharing how, const char *program)
{
	bool dies = !strcmp(program, DOOMED);
	int status;
	pid_t speaker;

	memset((void *)progress, 0, sizeof(*progress));
	fflush(stdout);
	speaker = fork();
	if (!speaker)
		speak(how, program);
	reap(speaker, &status);
	progress->over = 1;
	verdict->ends += dies ? WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV : !status;
	/* Orphaned, it has become this process's. */
	if (how != NOBODY)
		reap(progress->sharer, &status);
	verdict->written += progress->forged;
	judge(verdict, speaker);
}

static struct verdict run_execs(enum sharing how, bool batches, const char *program)
{
	struct verdict verdict = { 0 };

	record_as(batches);
	enable("task/task_rename", true);
	for (int i = 0; i < NR_EXECS; i++)
		run_exec(&verdict, how, program);
	enable("task/task_rename", false);
	printf("# %d execs: %ld annotations before, %ld after, %ld forged; lost at exec %ld\n",
	       NR_EXECS, verdict.before, verdict.after, verdict.written, verdict.at_exec);
	printf("# the next program bears the speaker's in %ld execs, forged ones in %ld; "
	       "others bear %ld, %ld are wrong\n",
	       verdict.late_execs, verdict.forged_execs, verdict.strangers, verdict.wrong);
	return verdict;
}

static void check_peace(enum sharing how, bool batches, const char *name)
{
	struct verdict verdict = run_execs(how, batches, "/proc/self/exe");

	check(verdict.ends == NR_EXECS && !verdict.wrong && all_is_owned(&verdict) &&
		      verdict.before == NR_EXECS * NR_BEFORE &&
		      verdict.after == NR_EXECS * NR_AFTER,
	      "%s: all that both programs said is there, as each one's own", name);
	check(!verdict.at_exec, "%s: nothing is lost", name);
}

/* One by one there is nothing to forge: rings are closed. */
static void check_forgery(void)
{
	struct verdict verdict = run_execs(FORGER, true, "/proc/self/exe");

	check(verdict.ends == NR_EXECS && verdict.written > NR_EXECS,
	      "a forger: the sharer did its worst");
	check(all_is_owned(&verdict), "a forger: no event bears a program that did not say it");
	check(!verdict.wrong && verdict.before == NR_EXECS * NR_BEFORE &&
		      verdict.after == NR_EXECS * NR_AFTER,
	      "a forger: all that both programs said is there");
	check(verdict.at_exec > 0 && verdict.at_exec <= verdict.written,
	      "a forger: records left behind by exec are counted as lost");
}

/* What stood in the ring before may be hurt, it was the speaker's own affair whom it lets in. */
static void check_scribbling(void)
{
	struct verdict verdict = run_execs(SCRIBBLER, true, "/proc/self/exe");

	check(verdict.ends == NR_EXECS && verdict.written > NR_EXECS &&
		      nr_lost_otherwise >= NR_EXECS,
	      "scribbled over: the sharer did its worst");
	check(all_is_owned(&verdict) && verdict.after == NR_EXECS * NR_AFTER,
	      "scribbled over: the next program's annotations are its own, and all there");
}

/* It has the new name when it dies, and in the end no memory at all. */
static void check_failure(void)
{
	struct verdict verdict;

	write_doomed();
	verdict = run_execs(FORGER, true, DOOMED);
	check(verdict.ends == NR_EXECS && verdict.written > NR_EXECS,
	      "an exec that fails halfway: kills");
	check(all_is_owned(&verdict) && !verdict.wrong && verdict.before == NR_EXECS * NR_BEFORE &&
		      !verdict.after,
	      "an exec that fails halfway: no event bears a program that did not say it");
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "next"))
		return next_program();
	progress = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
			0);
	if (progress == MAP_FAILED || prctl(PR_SET_CHILD_SUBREAPER, 1))
		die("mmap");
	set(TRACEFS "tracing_on", "1");
	check_peace(NOBODY, false, "memory of its own");
	check_peace(NOBODY, true, "memory of its own, batches");
	check_peace(SILENT, false, "a silent sharer");
	check_peace(SILENT, true, "a silent sharer, batches");
	check_forgery();
	check_scribbling();
	check_failure();
	enable("annot", false);
	return all_well ? 0 : 1;
}
