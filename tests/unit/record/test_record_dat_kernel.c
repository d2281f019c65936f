// SPDX-License-Identifier: GPL-2.0
/* SLOW */
/*
 * Events of this machine's kernel, recorded in an instance of their own, as trace.dat files of each
 * version and compression. What trace-cmd and we read of them against what the kernel says of them:
 * its own text of the events, and how many were read on each CPU.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "dat/dat.h"
#include "trace/file/trace_file_open.h"
#include "trace/file/pages.h"

#define TRACING "/sys/kernel/tracing"
#define MARKER_TEXT "written by the test"
#define MAX_CPUS 256
#define MAX_PAGE_BYTES (1024 * 1024)

static const struct form {
	const char *name;
	int version;
	const char *compression;
	bool for_trace_cmd; /* that of Debian 12 does without zlib */
} forms[] = {
	{ "v7.dat", 7, "none", true },
	{ "zstd.dat", 7, "zstd", true },
	{ "zlib.dat", 7, "zlib", false },
	{ "v6.dat", 6, "none", true },
};

#define NR_FORMS (sizeof(forms) / sizeof(forms[0]))

/* One recording: its files, and what the kernel told of it. */
struct recording {
	char dir[64];
	char instance[PATH_MAX];
	int nr_cpus;
	uint64_t nr_events[MAX_CPUS]; /* as the kernel counts them */
	char stats[MAX_CPUS][1024];
	uint32_t page_bytes;
};

static char *output_of(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* All that a command prints, which must succeed: free() it. */
static char *output_of(const char *format, ...)
{
	char command[3 * PATH_MAX];
	char *text = NULL;
	size_t size = 0;
	va_list arguments;
	FILE *output;

	va_start(arguments, format);
	vsnprintf(command, sizeof(command), format, arguments);
	va_end(arguments);
	output = popen(command, "r");
	assert_non_null(output);
	if (getdelim(&text, &size, '\0', output) < 0 && text)
		text[0] = '\0';
	if (pclose(output) || !text)
		fail_msg("%s: failed: %s", command, text ? text : "");
	return text;
}

static bool write_file(const char *dir, const char *name, const char *text)
{
	char path[2 * PATH_MAX];
	size_t length = strlen(text);
	ssize_t put;
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	put = write(fd, text, length);
	close(fd);
	return put == (ssize_t)length;
}

static void read_stats(struct recording *recording, int cpu)
{
	char path[2 * PATH_MAX];
	char *text = recording->stats[cpu], *found;
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path), "%s/per_cpu/cpu%d/stats", recording->instance, cpu);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	got = read(fd, text, sizeof(recording->stats[cpu]) - 1);
	close(fd);
	assert_true(got > 0);
	text[got] = '\0';
	found = strstr(text, "read events: ");
	assert_non_null(found);
	recording->nr_events[cpu] = strtoull(found + strlen("read events: "), NULL, 10);
	assert_non_null(strstr(text, "entries: 0\n"));
	assert_non_null(strstr(text, "\noverrun: 0\n"));
}

/* All that is in the ring buffer of a CPU goes into DIR/cpuN.raw. */
static void drain(struct recording *recording, int cpu)
{
	static uint8_t page[MAX_PAGE_BYTES];
	char path[2 * PATH_MAX];
	int from, to;
	ssize_t got;

	snprintf(path, sizeof(path), "%s/per_cpu/cpu%d/trace_pipe_raw", recording->instance, cpu);
	from = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	snprintf(path, sizeof(path), "%s/cpu%d.raw", recording->dir, cpu);
	to = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	assert_true(from >= 0 && to >= 0);
	while ((got = read(from, page, recording->page_bytes)) > 0) {
		assert_int_equal(got, recording->page_bytes);
		assert_int_equal(write(to, page, (size_t)got), got);
	}
	assert_true(!got || errno == EAGAIN);
	close(from);
	close(to);
	read_stats(recording, cpu);
}

/* Makes this thread be switched out and in, at all CPUs that others leave to it. */
static void sleep_often(void)
{
	static const struct timespec moment = { .tv_nsec = 300000 };

	for (int i = 0; i < 1000; i++)
		nanosleep(&moment, NULL);
}

/* On a machine that has just been started nobody may have needed it yet. */
static bool have_tracefs(void)
{
	return !access(TRACING "/instances", F_OK) ||
	       !mount("tracefs", TRACING, "tracefs", 0, NULL);
}

/* What stays switched off until all is set up, so that no event is lost. */
static bool set_up(const struct recording *recording, const char *page_kb)
{
	const char *dir = recording->instance;

	if (!have_tracefs() || mkdir(dir, 0700))
		return false;
	if (!write_file(dir, "tracing_on", "0") || !write_file(dir, "trace_clock", "mono") ||
	    !write_file(dir, "buffer_size_kb", "4096") ||
	    !write_file(dir, "events/sched/sched_switch/enable", "1"))
		return false;
	/* Its string is told by its address in the kernel. */
	write_file(dir, "events/rcu/rcu_utilization/enable", "1");
	return !page_kb || write_file(dir, "buffer_subbuf_size_kb", page_kb);
}

/* The names of threads that the kernel has at this moment, sorted, in DIR/@to. */
static void keep_names(const struct recording *recording, const char *to)
{
	free(output_of("sort " TRACING "/saved_cmdlines >%s/%s; echo", recording->dir, to));
}

/* The kernel's own text does not take the events away. */
static void keep_kernels_text(const struct recording *recording)
{
	char command[3 * PATH_MAX];

	snprintf(command, sizeof(command), "grep -v '^#' %s/trace >%s/kernel.txt",
		 recording->instance, recording->dir);
	assert_int_equal(system(command), 0);
}

/* Each form's CPUs are moved: each has copies of its own. */
static void write_form(const struct recording *recording, const struct form *form)
{
	static struct dat_cpu cpus[MAX_CPUS];
	static char paths[MAX_CPUS][128];
	char path[128];
	struct dat_plan plan = {
		.path = path,
		.tracing_dir = TRACING,
		.buffer_dir = recording->instance,
		.clock = "mono",
		.compression = form->compression,
		.version = form->version,
		.nr_cpus = recording->nr_cpus,
	};
	struct dat_file *file;

	snprintf(path, sizeof(path), "%s/%s", recording->dir, form->name);
	file = dat_create(&plan);
	assert_non_null(file);
	assert_int_equal(dat_page_bytes(file), recording->page_bytes);
	for (int cpu = 0; cpu < recording->nr_cpus; cpu++) {
		struct stat status;

		snprintf(paths[cpu], sizeof(paths[cpu]), "%s/cpu%d", recording->dir, cpu);
		free(output_of("cp %s.raw %s", paths[cpu], paths[cpu]));
		cpus[cpu] = (struct dat_cpu){
			.fd = open(paths[cpu], O_RDWR | O_CLOEXEC),
			.path = paths[cpu],
			.stats = recording->stats[cpu],
		};
		assert_true(cpus[cpu].fd >= 0 && !fstat(cpus[cpu].fd, &status));
		cpus[cpu].bytes = (uint64_t)status.st_size;
	}
	assert_int_equal(dat_finish(file, cpus), 0);
	for (int cpu = 0; cpu < recording->nr_cpus; cpu++)
		close(cpus[cpu].fd);
}

static void record(struct recording *recording)
{
	write_file(recording->instance, "tracing_on", "1");
	write_file(recording->instance, "trace_marker", MARKER_TEXT "\n");
	sleep_often();
	write_file(recording->instance, "tracing_on", "0");
	keep_names(recording, "names.before");
	keep_kernels_text(recording);
	for (int cpu = 0; cpu < recording->nr_cpus; cpu++)
		drain(recording, cpu);
	for (size_t i = 0; i < NR_FORMS; i++)
		write_form(recording, &forms[i]);
	keep_names(recording, "names.after");
}

static int end_recording(void **state)
{
	struct recording *recording = *state;
	int err = 0;

	write_file(recording->instance, "tracing_on", "0");
	if (!access(recording->instance, F_OK))
		err = rmdir(recording->instance);
	free(output_of("rm -rf '%s'; echo", recording->dir));
	free(recording);
	return err;
}

static int begin_recording(void **state)
{
	struct recording *recording = calloc(1, sizeof(*recording));

	assert_non_null(recording);
	*state = recording;
	strcpy(recording->dir, "/tmp/test_record_dat_kernel.XXXXXX");
	assert_non_null(mkdtemp(recording->dir));
	snprintf(recording->instance, sizeof(recording->instance),
		 TRACING "/instances/test_record_dat.%d", (int)getpid());
	recording->nr_cpus = (int)sysconf(_SC_NPROCESSORS_CONF);
	return 0;
}

static void make_recording(struct recording *recording, uint32_t page_bytes)
{
	char page_kb[16];
	bool is_usual = page_bytes == (uint32_t)sysconf(_SC_PAGESIZE);

	snprintf(page_kb, sizeof(page_kb), "%u", page_bytes / 1024);
	recording->page_bytes = page_bytes;
	if (!set_up(recording, is_usual ? NULL : page_kb)) {
		print_message("# nothing can be recorded in %s: %s\n", recording->instance,
			      strerror(errno));
		skip();
	}
	record(recording);
}

static void no_format(void *context, const char *system, const char *text)
{
	(void)context;
	(void)system;
	(void)text;
}

static uint64_t count_events(struct trace_file *file, const struct cpu_data *data)
{
	struct page_reader *reader = page_reader_new(file, data, NULL);
	struct raw_record record;
	uint64_t nr = 0;
	int got;

	while ((got = page_reader_next(reader, &record)) > 0)
		nr++;
	assert_int_equal(got, 0);
	page_reader_free(reader);
	return nr;
}

/* We find as many events of each CPU as the kernel says that were read. */
static void expect_all_read(const struct recording *recording, const struct form *form)
{
	struct trace_file file;
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", recording->dir, form->name);
	assert_int_equal(trace_file_open(&file, path, no_format, NULL), 0);
	assert_int_equal(file.nr_cpus, recording->nr_cpus);
	assert_false(file.truncated);
	for (int i = 0; i < file.nr_cpus; i++)
		assert_int_equal(count_events(&file, &file.cpus[i]),
				 recording->nr_events[file.cpus[i].cpu]);
	trace_file_close(&file);
}

/* The lines of events in @text, behind "cpus=N". */
static char *events_of(char *text)
{
	char *first = strncmp(text, "cpus=", 5) ? NULL : strchr(text, '\n');

	assert_non_null(first);
	return first + 1;
}

static uint64_t count_lines(const char *text)
{
	uint64_t nr = 0;

	for (; (text = strchr(text, '\n')); text++)
		nr++;
	return nr;
}

/*
 * The kernel keeps one list of names for all recordings on the machine. Another one may change it while
 * the forms are written, one after the other. So the names of threads before their numbers do not count.
 */
static void blank_names(char *text)
{
	for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
		char *dash = strstr(line, " [");

		while (dash && dash < end && dash > line && *dash != '-')
			dash--;
		if (dash && dash < end)
			memset(line, ' ', (size_t)(dash - line));
	}
}

static char *report(const struct recording *recording, const struct form *form, const char *options)
{
	return output_of("trace-cmd report %s -i %s/%s 2>&1", options, recording->dir, form->name);
}

static uint64_t count_all(const struct recording *recording)
{
	uint64_t nr_events = 0;

	for (int cpu = 0; cpu < recording->nr_cpus; cpu++)
		nr_events += recording->nr_events[cpu];
	return nr_events;
}

static void reads_the_same_of_all(const struct recording *recording)
{
	char *of_first = report(recording, &forms[0], "-t");
	uint64_t nr_events = count_all(recording);

	blank_names(of_first);
	print_message("# %llu events\n", (unsigned long long)nr_events);
	assert_true(nr_events > 1000);
	assert_int_equal(count_lines(events_of(of_first)), nr_events);
	for (size_t i = 0; i < NR_FORMS; i++) {
		char *text;

		expect_all_read(recording, &forms[i]);
		if (!forms[i].for_trace_cmd)
			continue;
		text = report(recording, &forms[i], "-t");
		blank_names(text);
		assert_string_equal(text, of_first);
		free(text);
	}
	free(of_first);
}

/* KernelShark's way to them; each event's bytes and each format's fields, beside ours. */
static void reads_as_libtracecmd(const struct recording *recording)
{
	const char *build = getenv("ANNOT_BUILD");

	for (size_t i = 0; i < NR_FORMS; i++) {
		if (!forms[i].for_trace_cmd)
			continue;
		free(output_of("%s/tests/unit/trace/test_trace_libtracecmd %s/%s 2>&1",
			       build ? build : "build", recording->dir, forms[i].name));
	}
}

/* "COMM-TID CPU SECONDS.MICROSECONDS EVENT" of each line, sorted, in @to. */
static void heads_of(const struct recording *recording, const char *from, const char *to)
{
	/* Between the CPU and the time, the kernel has flags. */
	static const char head[] = "^ *(.*-[0-9]+) *\\[([0-9]+)\\] +([^ ]+ +)?([0-9.]+): (\\w+):.*";

	free(output_of("cd %s && %s | sed -En 's/%s/\\1 \\2 \\4 \\5/p' | sort >%s; echo",
		       recording->dir, from, head, to));
}

/* "-TID " of each thread that has one name in the kernel's own text and in the files. */
static void find_named(const struct recording *recording, const char *to)
{
	free(output_of(
		"cd %s && comm -12 names.before names.after | sed -E 's/^([0-9]+) .*/-\\1 /' >%s && "
		"grep -q . %s && echo",
		recording->dir, to, to));
}

/*
 * Thread, CPU, time, and event, of each as the kernel has it; and the thread's name, where the kernel did not change or
 * forget it between its own text and the files' names. Whoever else traces lets it do that: it keeps the names of so
 * many threads, of all recordings. "<...>" stands for the others', which trace-cmd may have learnt from an event.
 */
static void reads_what_the_kernel_tells(const struct recording *recording)
{
	char *text;

	heads_of(recording, "sed 's/tracing_mark_write: /print: &/' kernel.txt", "kernel.heads");
	heads_of(recording, "trace-cmd report -i v7.dat 2>/dev/null", "ours.heads");
	find_named(recording, "named");
	text = output_of("cat %s/kernel.heads", recording->dir);
	assert_int_equal(count_lines(text), count_all(recording));
	free(text);
	text = output_of(
		"cd %s && grep -v '^<[.]' kernel.heads | comm -23 - ours.heads | grep -Ff named | head -n 20",
		recording->dir);
	assert_string_equal(text, "");
	free(text);
	text = output_of(
		"cd %s && for of in kernel ours; do sed -E 's/.*-([0-9]+ [0-9]+ )/\\1/' $of.heads | "
		"sort >$of.tids; done; diff kernel.tids ours.tids | head -n 20",
		recording->dir);
	assert_string_equal(text, "");
	free(text);
}

static void resolves_addresses(const struct recording *recording)
{
	char *text = report(recording, &forms[0], "-F rcu -F print");

	assert_non_null(strstr(text, "tracing_mark_write: " MARKER_TEXT));
	if (!access(TRACING "/events/rcu/rcu_utilization", F_OK))
		assert_non_null(strstr(text, "context switch"));
	free(text);
}

static void expect_in(const char *text, const char *wanted)
{
	if (!strstr(text, wanted))
		fail_msg("nothing of '%s' in: %s", wanted, text);
}

static void tells_of_the_recording(const struct recording *recording)
{
	for (size_t i = 0; i < NR_FORMS; i++) {
		char *text, cpu[32];

		if (!forms[i].for_trace_cmd)
			continue;
		text = output_of("trace-cmd dump --options -i %s/%s 2>&1", recording->dir,
				 forms[i].name);
		snprintf(cpu, sizeof(cpu), "\nCPU: %d\nentries: 0\n", recording->nr_cpus - 1);
		expect_in(text, " [mono] ");
		expect_in(text, "Option UNAME");
		expect_in(text, "Option VERSION");
		expect_in(text, "annot ");
		expect_in(text, cpu);
		free(text);
		text = output_of("trace-cmd dump --all -i %s/%s 2>&1", recording->dir,
				 forms[i].name);
		expect_in(text, forms[i].version == 7 ? "\"mono\" clock" : "Flyrecord");
		free(text);
	}
}

static void usual_pages(void **state)
{
	struct recording *recording = *state;

	make_recording(recording, (uint32_t)sysconf(_SC_PAGESIZE));
	reads_the_same_of_all(recording);
	reads_as_libtracecmd(recording);
	reads_what_the_kernel_tells(recording);
	resolves_addresses(recording);
	tells_of_the_recording(recording);
}

/* Since 6.8, an instance may have larger ones than the machine. */
static void large_pages(void **state)
{
	struct recording *recording = *state;

	make_recording(recording, 4 * (uint32_t)sysconf(_SC_PAGESIZE));
	reads_the_same_of_all(recording);
	reads_as_libtracecmd(recording);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(usual_pages, begin_recording, end_recording),
		cmocka_unit_test_setup_teardown(large_pages, begin_recording, end_recording),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
