// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: honest COMMAND [ARGUMENT...]
 *
 * Runs COMMAND beside a process that annotates properly, by the library, with a thread on each CPU,
 * in a guest that has annot.ko loaded. What that process says is recorded in batches, in a buffer of
 * its own, and read as it grows. Prints TAP: that COMMAND ended well, and that nothing of the
 * process was lost, whatever COMMAND did.
 */
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include <annot/annot.h>

#include "ring.h"
#include "trace_pipe.h"

#define INSTANCE TRACEFS "instances/honest"
#define NR_CPUS_MAX 8
#define PAUSE_US 5000

/* Shared by the processes. A thread's annotations are numbered from 0. */
struct progress {
	volatile int stop;
	volatile int tid[NR_CPUS_MAX];
	volatile long said[NR_CPUS_MAX];
};

/* What came of it: the number that each thread's next one must have. */
struct judge {
	int pipe;
	pid_t honest;
	long next[NR_CPUS_MAX];
	long wrong;
	long lost;
	long overruns;
};

static struct progress *progress;
static int nr_cpus;

static void *annotate(void *argument)
{
	int cpu = (int)(intptr_t)argument;
	cpu_set_t cpus;

	/* The CPU may be offline: then anywhere. */
	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
	progress->tid[cpu] = gettid();
	for (long i = 0; !progress->stop; i++) {
		annot_counter("honest", i);
		progress->said[cpu] = i + 1;
		if (i % 8 == 0)
			usleep(PAUSE_US * slowdown());
	}
	return NULL;
}

static int be_honest(void)
{
	pthread_t threads[NR_CPUS_MAX];

	for (int cpu = 0; cpu < nr_cpus; cpu++)
		pthread_create(&threads[cpu], NULL, annotate, (void *)(intptr_t)cpu);
	for (int cpu = 0; cpu < nr_cpus; cpu++)
		pthread_join(threads[cpu], NULL);
	return 0;
}

/* Forks the honest process, recorded from its first word on. */
static pid_t start(void)
{
	char text[16];
	int go[2];
	pid_t pid;

	mkdir(INSTANCE, 0700);
	if (pipe(go))
		die("pipe");
	pid = fork();
	if (!pid) {
		close(go[1]);
		_exit(read(go[0], text, 1) == 1 ? be_honest() : 1);
	}
	close(go[0]);
	snprintf(text, sizeof(text), "%d", pid);
	set(INSTANCE "/options/event-fork", "1");
	set(INSTANCE "/set_event_pid", text);
	set(INSTANCE "/buffer_size_kb", "4096");
	set(INSTANCE "/events/annot/annot_name/enable", "1");
	set(INSTANCE "/events/annot/annot_lost/enable", "1");
	set(INSTANCE "/events/annot/annot_batch/enable", "1");
	if (write(go[1], "g", 1) != 1)
		die("pipe");
	close(go[1]);
	return pid;
}

static void judge_value(struct judge *judge, int pid, long value, const char *line)
{
	int cpu = 0;

	while (cpu < nr_cpus && progress->tid[cpu] != pid)
		cpu++;
	if (cpu < nr_cpus && value == judge->next[cpu]) {
		judge->next[cpu]++;
		return;
	}
	if (judge->wrong++ < 5)
		printf("# %ld came where %ld was due: %.200s\n", value,
		       cpu < nr_cpus ? judge->next[cpu] : -1, line);
	if (cpu < nr_cpus)
		judge->next[cpu] = value + 1;
}

static void judge_batch(struct judge *judge, int pid, const char *text, const char *line)
{
	const char *at = strchr(text, '{');
	int nr = field(text, " nr=");

	/* At a switch between the two, the filter lets in what the other one said. */
	if (field(text, "tgid=") != judge->honest)
		return;
	while (at && nr-- > 0) {
		uint64_t words[3] = { 0 };

		for (int i = 0; i < 3; i++)
			words[i] = strtoull(at + 1, (char **)&at, 16);
		judge_value(judge, pid, (long)words[1], line);
	}
}

static void judge_line(void *context, char *line)
{
	struct judge *judge = context;
	char *event = strstr(line, ": annot_"), *pid = strstr(line, " [0");

	if (strstr(line, "LOST"))
		judge->overruns++;
	if (!event || !pid)
		return;
	while (pid > line && pid[-1] != '-')
		pid--;
	if (!strncmp(event, ": annot_lost", 12)) {
		if (field(event, "tgid=") != judge->honest)
			return;
		printf("# %s\n", line);
		judge->lost++;
	} else if (!strncmp(event, ": annot_batch", 13)) {
		judge_batch(judge, atoi(pid), event, line);
	}
}

static bool all_arrived(const struct judge *judge)
{
	bool well = !judge->wrong && !judge->lost && !judge->overruns;

	for (int cpu = 0; cpu < nr_cpus; cpu++) {
		printf("# CPU %d: %ld said, %ld arrived\n", cpu, progress->said[cpu],
		       judge->next[cpu]);
		well = well && progress->said[cpu] > 0 && progress->said[cpu] == judge->next[cpu];
	}
	printf("# %ld out of order, %ld told lost, the buffer overran %ld times\n", judge->wrong,
	       judge->lost, judge->overruns);
	return well;
}

int main(int argc, char **argv)
{
	struct judge judge = { 0 };
	int status, honest_status;
	pid_t honest, command;

	if (argc < 2)
		return 2;
	setvbuf(stdout, NULL, _IOLBF, 0);
	nr_cpus = (int)sysconf(_SC_NPROCESSORS_ONLN);
	if (nr_cpus > NR_CPUS_MAX)
		nr_cpus = NR_CPUS_MAX;
	progress = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
			0);
	if (progress == MAP_FAILED)
		die("mmap");
	honest = judge.honest = start();
	judge.pipe = open(INSTANCE "/trace_pipe", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (judge.pipe < 0)
		die("trace_pipe");
	command = fork();
	if (!command) {
		execvp(argv[1], argv + 1);
		die(argv[1]);
	}
	while (!waitpid(command, &status, WNOHANG)) {
		if (!read_lines(judge.pipe, judge_line, &judge))
			usleep(20000);
	}
	progress->stop = 1;
	waitpid(honest, &honest_status, 0);
	while (read_lines(judge.pipe, judge_line, &judge))
		;
	close(judge.pipe);
	set(INSTANCE "/events/enable", "0");
	rmdir(INSTANCE);
	check(status == 0, "%s ends well", argv[1]);
	check(honest_status == 0 && all_arrived(&judge),
	      "the honest process beside it loses nothing");
	return all_well ? 0 : 1;
}
