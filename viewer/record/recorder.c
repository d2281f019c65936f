// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/helpers.h"
#include "record/recorder.h"
#include "util/diag.h"

#define PRINTED_MAX_BYTES 8192

static const char *const scheduler_events[] = {
	"sched:sched_switch",
	"sched:sched_waking",
	"sched:sched_wakeup",
	"sched:sched_wakeup_new",
	"sched:sched_migrate_task",
	"sched:sched_process_fork",
	"sched:sched_process_exec",
	"sched:sched_process_exit",
	"task:task_newtask",
	"task:task_rename",
	NULL,
};

const char *const *recorder_annot_events(enum recorder_annot annot)
{
	/* While annot_begin is enabled, the module makes no batches: they are not to be mixed. */
	static const char *const events[][7] = {
		[RECORDER_ANNOT_NONE] = { NULL },
		[RECORDER_ANNOT_ALL] = { "annot", NULL },
		[RECORDER_ANNOT_BATCHED] = { "annot:annot_name", "annot:annot_lost",
					     "annot:annot_config", "annot:annot_batch", NULL },
		[RECORDER_ANNOT_ONE_BY_ONE] = { "annot:annot_lost", "annot:annot_config",
						"annot:annot_begin", "annot:annot_end",
						"annot:annot_mark", "annot:annot_counter", NULL },
	};

	return events[annot];
}

const char *const *recorder_pmu_events(bool samples, bool counts)
{
	/* What tells how a measurement goes is enabled before it begins. */
	static const char *const events[2][2][4] = {
		{ { NULL }, { "annot:annot_pmu_state", "annot:annot_slice_counts", NULL } },
		{ { "annot:annot_pmu_state", "annot:annot_sample", NULL },
		  { "annot:annot_pmu_state", "annot:annot_sample", "annot:annot_slice_counts",
		    NULL } },
	};

	return events[samples][counts];
}

static size_t count_events(const char *const *events)
{
	size_t nr = 0;

	while (events[nr])
		nr++;
	return nr;
}

/* Appends "-e EVENT" for each of @events to @arguments; returns where they end then. */
static const char **add_events(const char **arguments, const char *const *events)
{
	for (; *events; events++) {
		*arguments++ = "-e";
		*arguments++ = *events;
	}
	return arguments;
}

/* NULL-terminated, freed by the caller; the strings are @options' and @buffer_kb. */
static const char **build_arguments(const struct recorder_options *options, const char *buffer_kb)
{
	/*
	 * -d: without it, trace-cmd writes /proc/sys/kernel/ftrace_enabled, which only root may,
	 * for the sake of the function tracer, which is not in use here.
	 */
	const char *const head[] = { "trace-cmd", "record",  "-d", "-C",	   options->clock,
				     "-b",	  buffer_kb, "-o", options->output };
	const char *const *const lists[] = {
		scheduler_events,
		recorder_annot_events(options->annot),
		recorder_pmu_events(options->samples, options->counts),
		options->extra_events,
	};
	const size_t nr_head = sizeof(head) / sizeof(head[0]);
	const size_t nr_lists = sizeof(lists) / sizeof(lists[0]);
	size_t nr_events = 0;
	const char **arguments, **end;

	for (size_t i = 0; i < nr_lists; i++)
		nr_events += count_events(lists[i]);
	arguments = calloc(nr_head + 2 * nr_events + 1, sizeof(*arguments));
	if (!arguments)
		return NULL;
	memcpy(arguments, head, sizeof(head));
	end = arguments + nr_head;
	for (size_t i = 0; i < nr_lists; i++)
		end = add_events(end, lists[i]);
	return arguments;
}

static void become_trace_cmd(const char **arguments, int output_fd, pid_t parent)
{
	sigset_t none;
	int null_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	/* Should annot be killed, trace-cmd still ends as if asked to, and leaves a whole file. */
	prctl(PR_SET_PDEATHSIG, SIGINT);
	if (getppid() != parent)
		_exit(1);
	setsid();
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGINT, SIG_DFL);
	if (null_fd >= 0)
		dup2(null_fd, STDIN_FILENO);
	dup2(output_fd, STDOUT_FILENO);
	dup2(output_fd, STDERR_FILENO);
	execvp(arguments[0], (char **)arguments);
	fprintf(stderr, "trace-cmd: %s\n", strerror(errno));
	_exit(127);
}

int recorder_start(struct recorder *recorder, const struct recorder_options *options)
{
	pid_t parent = getpid();
	char buffer_kb[24];
	const char **arguments;

	snprintf(buffer_kb, sizeof(buffer_kb), "%ld", options->buffer_kb);
	arguments = build_arguments(options, buffer_kb);
	if (!arguments)
		return diag_error("record: %s", strerror(ENOMEM));
	recorder->output_fd = memfd_create("trace-cmd", MFD_CLOEXEC);
	if (recorder->output_fd < 0) {
		free(arguments);
		return diag_error("record: memfd_create: %s", strerror(errno));
	}
	recorder->pid = fork();
	if (!recorder->pid)
		become_trace_cmd(arguments, recorder->output_fd, parent);
	free(arguments);
	if (recorder->pid < 0) {
		recorder->pid = 0;
		return diag_error("record: trace-cmd cannot be started: %s", strerror(errno));
	}
	return 0;
}

/* Its helpers, one a CPU, outlive a trace-cmd that was killed; their group is its session's. */
static void end_helpers(pid_t group)
{
	kill(-group, SIGTERM);
}

bool recorder_ended(struct recorder *recorder)
{
	pid_t pid = recorder->pid;

	if (!pid)
		return true;
	if (waitpid(pid, &recorder->status, WNOHANG) != pid)
		return false;
	recorder->pid = 0;
	end_helpers(pid);
	return true;
}

void recorder_ask_to_end(const struct recorder *recorder)
{
	if (recorder->pid)
		kill(recorder->pid, SIGINT);
}

void recorder_destroy(struct recorder *recorder)
{
	pid_t pid = recorder->pid;

	if (pid) {
		kill(pid, SIGTERM);
		waitpid(pid, &recorder->status, 0);
		recorder->pid = 0;
		end_helpers(pid);
	}
	if (recorder->output_fd >= 0)
		close(recorder->output_fd);
	recorder->output_fd = -1;
}

static size_t line_length(const char *line)
{
	return strcspn(line, "\n");
}

void recorder_explain(const char *printed, char *why, size_t size)
{
	static const char prefix[] = "trace-cmd: ";
	const char *error = strstr(printed, prefix);
	const char *action = NULL;

	why[0] = '\0';
	if (!error)
		return;
	/* Dying, it says "trace-cmd: <the errno>", then, indented, what it was about to do. */
	error += sizeof(prefix) - 1;
	action = error + line_length(error);
	action += strspn(action, "\n");
	if (*action == ' ')
		snprintf(why, size, "%.*s (%.*s)", (int)line_length(action + strspn(action, " ")),
			 action + strspn(action, " "), (int)line_length(error), error);
	else
		snprintf(why, size, "%.*s", (int)line_length(error), error);
}

bool recorder_succeeded(const struct recorder *recorder, char *why, size_t size)
{
	char printed[PRINTED_MAX_BYTES];
	ssize_t length;

	if (WIFEXITED(recorder->status) && !WEXITSTATUS(recorder->status))
		return true;
	length = pread(recorder->output_fd, printed, sizeof(printed) - 1, 0);
	printed[length > 0 ? length : 0] = '\0';
	recorder_explain(printed, why, size);
	/* It may crash while it dies of something else. */
	if (WIFSIGNALED(recorder->status) && !why[0])
		snprintf(why, size, "killed by signal %d", WTERMSIG(recorder->status));
	else if (!why[0])
		snprintf(why, size, "exit status %d", WEXITSTATUS(recorder->status));
	return false;
}

static char *cpu_file(const char *output, int cpu)
{
	char *path;

	return asprintf(&path, "%s.cpu%d", output, cpu) < 0 ? NULL : path;
}

bool recorder_is_ready(const struct recorder *recorder, const char *output)
{
	int nr_cpus = (int)sysconf(_SC_NPROCESSORS_CONF);

	return helpers_count_reading(recorder->pid, output) >= nr_cpus;
}

uint64_t recorder_bytes_so_far(const char *output)
{
	int nr_cpus = (int)sysconf(_SC_NPROCESSORS_CONF);
	uint64_t bytes = 0;
	struct stat status;

	for (int cpu = 0; cpu < nr_cpus; cpu++) {
		char *path = cpu_file(output, cpu);

		if (path && !stat(path, &status))
			bytes += (uint64_t)status.st_size;
		free(path);
	}
	return bytes;
}

void recorder_remove_leftovers(const char *output)
{
	int nr_cpus = (int)sysconf(_SC_NPROCESSORS_CONF);

	for (int cpu = 0; cpu < nr_cpus; cpu++) {
		char *path = cpu_file(output, cpu);

		if (path)
			unlink(path);
		free(path);
	}
}
