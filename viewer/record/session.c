// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "record/check.h"
#include "record/places.h"
#include "record/progress.h"
#include "record/session_internal.h"
#include "record/target.h"
#include "util/diag.h"

#define TICK_S 0.5
#define LINE_MAX_BYTES 256

/* Asks the library, without the module, for batches in trace_marker_raw; see annot(3). */
#define BATCHES_VARIABLE "ANNOT_BATCHES"

/* Whoever may write one of the module's devices may write all. */
#define A_DEVICE "/dev/annot/cpu0"

double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void __attribute__((format(printf, 2, 3)))
inform(const struct session *session, const char *format, ...)
{
	va_list args;

	if (session->plan->quiet)
		return;
	va_start(args, format);
	fputs("annot: ", stderr);
	vfprintf(stderr, format, args);
	putc('\n', stderr);
	va_end(args);
}

static void block_signals(struct session *session)
{
	static const int waited_for[] = { SIGCHLD, SIGINT, SIGQUIT, SIGTERM, SIGHUP };

	sigemptyset(&session->signals);
	for (size_t i = 0; i < sizeof(waited_for) / sizeof(waited_for[0]); i++)
		sigaddset(&session->signals, waited_for[i]);
	sigprocmask(SIG_BLOCK, &session->signals, &session->mask_before);
	session->signal_fd = signalfd(-1, &session->signals, SFD_CLOEXEC);
	signal(SIGCHLD, SIG_DFL);
	/* A shell script's background job ignores ^C; a recording that only ^C ends must not. */
	if (!session->plan->command)
		signal(SIGINT, SIG_DFL);
}

static bool is_recording(const struct session *session)
{
	return session->start_s > 0 && session->stop_s <= 0;
}

int wait_signal(const struct session *session, double timeout_s, siginfo_t *info)
{
	static const struct timespec at_once;
	struct timespec timeout = {
		.tv_sec = (time_t)timeout_s,
		.tv_nsec = (long)((timeout_s - (double)(time_t)timeout_s) * 1e9),
	};
	struct pollfd waited_for[] = {
		{ .fd = session->signal_fd, .events = POLLIN },
		{ .fd = is_recording(session) ? session->target_fd : -1, .events = POLLIN },
		{ .fd = session->mapper ? mapper_fd(session->mapper) : -1, .events = POLLIN },
	};
	int signal_number;

	ppoll(waited_for, sizeof(waited_for) / sizeof(waited_for[0]), &timeout, NULL);
	signal_number = sigtimedwait(&session->signals, info, &at_once);
	return signal_number > 0 ? signal_number : 0;
}

/* Tracing goes off before trace-cmd is told to end: the figures are then final. */
static void stop_recording(struct session *session)
{
	if (session->stop_s)
		return;
	progress_clear();
	mapper_close(session->mapper);
	session->mapper = NULL;
	if (session->with_module)
		tracing_end_annotations();
	tracing_off(&session->tracing);
	session->stop_s = now_s();
	tracing_read_stats(&session->stats);
	recorder_ask_to_end(&session->recorder);
}

static void show_progress(struct session *session)
{
	struct progress_figures figures;
	char line[LINE_MAX_BYTES];

	if (!session->show_progress || session->stop_s || !progress_possible())
		return;
	tracing_read_stats(&session->stats);
	figures = (struct progress_figures){
		.elapsed_s = now_s() - session->start_s,
		.buffer_percent = session->stats.fill_percent,
		.lost_events = session->stats.lost_events,
		.written_bytes = recorder_bytes_so_far(session->plan->output),
	};
	progress_format(&figures, line, sizeof(line));
	progress_show(line);
}

static void show_writing(const struct session *session)
{
	char line[LINE_MAX_BYTES];

	if (!session->show_progress || !progress_possible())
		return;
	snprintf(line, sizeof(line), "writing %s", session->plan->output);
	progress_show(line);
}

static void pass_signal_on(struct session *session, int signal_number, const siginfo_t *info)
{
	/* A ^C of the terminal has reached the command already: it is in the same process group. */
	bool from_terminal = info->si_code == SI_KERNEL;

	if (signal_number == SIGCHLD)
		return;
	if (!session->plan->command)
		session->stopped_by = signal_number;
	else if (!from_terminal && session->program.pid)
		kill(session->program.pid, signal_number);
}

static bool time_is_up(const struct session *session)
{
	double duration_s = session->plan->duration_s;

	return duration_s > 0 && now_s() - session->start_s >= duration_s;
}

static double time_to_next_tick_s(const struct session *session)
{
	double left_s = session->start_s + session->plan->duration_s - now_s();

	if (session->stop_s || session->plan->duration_s <= 0 || left_s > TICK_S)
		return TICK_S;
	return left_s > 0 ? left_s : 0;
}

/* Without a command. */
static bool recording_is_over(const struct session *session)
{
	return session->stopped_by || session->stop_s ||
	       (session->target_fd >= 0 && target_ended(session->target_fd));
}

/* Until the command has ended; without one, until the recording is to end. */
static void wait_for_end(struct session *session)
{
	siginfo_t info;

	for (;;) {
		int signal_number = wait_signal(session, time_to_next_tick_s(session), &info);

		if (signal_number)
			pass_signal_on(session, signal_number, &info);
		if (session->mapper)
			mapper_write(session->mapper);
		if (recorder_ended(&session->recorder) && !session->stop_s) {
			progress_clear();
			diag_warn("record: trace-cmd ended early; the command runs on unrecorded");
			stop_recording(session);
		}
		if (time_is_up(session))
			stop_recording(session);
		if (session->plan->command ? program_ended(&session->program) :
					     recording_is_over(session))
			return;
		show_progress(session);
	}
}

static int report_failure(const struct session *session, const char *why)
{
	const char *output = session->plan->output;

	tracing_disable_events();
	if (recorder_bytes_so_far(output)) {
		diag_error("record: trace-cmd failed: %s; what it had is in %s.cpu* "
			   "(see man trace-cmd-restore)",
			   why, output);
		return EXIT_BAD_INPUT;
	}
	recorder_remove_leftovers(output);
	diag_error("record: trace-cmd failed: %s", why);
	return EXIT_BAD_INPUT;
}

static int report_end(const struct session *session)
{
	const struct session_plan *plan = session->plan;
	char why[WHY_MAX_BYTES];
	struct stat status;
	char size[24];

	if (!recorder_succeeded(&session->recorder, why, sizeof(why)))
		return report_failure(session, why);
	if (stat(plan->output, &status)) {
		diag_error("record: %s: trace-cmd left no such file", plan->output);
		return EXIT_BAD_INPUT;
	}
	progress_format_bytes((uint64_t)status.st_size, size, sizeof(size));
	inform(session, "recorded %.1f s in %s (%s), %s", session->stop_s - session->start_s,
	       plan->output, size, session->stats.lost_events ? "with gaps" : "no event lost");
	if (session->stats.lost_events)
		diag_warn("%" PRIu64 " events LOST: the kernel's buffers overflowed; "
			  "record again with larger ones: -b %ld",
			  session->stats.lost_events, 4 * plan->buffer_kb);
	inform(session, "next: annot html %s", plan->output);
	return EXIT_OK;
}

static int finish_recording(struct session *session)
{
	siginfo_t info;

	stop_recording(session);
	while (!recorder_ended(&session->recorder)) {
		/*
		 * trace-cmd looks at a flag and then sleeps for seconds: a signal that fell between
		 * the two is only felt when it is said again. Once awake, it takes no notice.
		 */
		if (!wait_signal(session, TICK_S, &info))
			recorder_ask_to_end(&session->recorder);
		show_writing(session);
	}
	progress_clear();
	return report_end(session);
}

/* What the environment says stands, but not against what the command line says. */
static int tell_of_batches(const struct session_plan *plan)
{
	if (plan->readable)
		return setenv(BATCHES_VARIABLE, "0", 1);
	return setenv(BATCHES_VARIABLE, "1", 0);
}

static int run_command(struct session *session)
{
	char **command = session->plan->command;
	int error = tell_of_batches(session->plan) ?
			    errno :
			    program_start(&session->program, command, &session->mask_before,
					  tracing_mark_session);

	if (!error)
		return EXIT_OK;
	diag_error("record: %s: %s", command[0], strerror(error));
	return program_exec_status(error);
}

static void announce(const struct session *session)
{
	const char *marker = session->plan->readable ? "trace_marker" :
						       "trace_marker_raw, in batches";

	if (!session->with_module)
		inform(session, "annot.ko is not loaded: annotations come from %s", marker);
	else if (faccessat(AT_FDCWD, A_DEVICE, W_OK, AT_EACCESS))
		inform(session, "annot.ko is loaded, but %s: %s: annotations come from %s",
		       A_DEVICE, strerror(errno), marker);
	else
		inform(session, "annot.ko is loaded: annotations come from /dev/annot");
	if (session->plan->pid)
		inform(session, "recording until process %d ends; ^C ends it early",
		       session->plan->pid);
	else if (!session->plan->command)
		inform(session, session->plan->duration_s > 0 ? "recording; ^C ends it early" :
								"recording; ^C ends it");
}

/* What only the time of recording can tell: of the machine, and of processes that will be sampled. */
static void begin_session(struct session *session)
{
	const struct session_plan *plan = session->plan;

	places_write();
	if (plan->pid)
		target_mark_session(plan->pid);
	if (!session->measure.samples)
		return;
	if (plan->command)
		session->mapper = mapper_open(MAPPER_OF_CHILDREN, 0);
	else
		session->mapper = mapper_open(plan->pid ? MAPPER_OF_PROCESS : MAPPER_OF_ALL,
					      plan->pid);
}

static int record(struct session *session)
{
	int command_status = EXIT_OK;
	int status;

	status = start_recording(session);
	if (status)
		return status;
	announce(session);
	begin_session(session);
	if (session->plan->command)
		command_status = run_command(session);
	if (!command_status)
		wait_for_end(session);
	if (session->plan->command && !command_status)
		command_status = program_exit_status(&session->program);
	status = finish_recording(session);
	return command_status ? command_status : status;
}

static int check(struct session *session)
{
	const struct session_plan *plan = session->plan;
	int status = plan->command ? check_command("record", plan->command[0]) : EXIT_OK;

	if (!status)
		status = check_trace_cmd();
	if (!status)
		status = check_output(plan->output);
	if (!status && plan->pid) {
		session->target_fd = target_open(plan->pid);
		status = session->target_fd < 0 ? EXIT_BAD_INPUT : EXIT_OK;
	}
	if (!status && tracing_open(&session->tracing))
		status = EXIT_BAD_INPUT;
	if (!status && !tracing_has_clock(plan->clock))
		status = EXIT_USAGE;
	return status;
}

static int prepare(struct session *session)
{
	int status = check(session);

	if (!status)
		status = measure_open(&session->measure, &session->plan->measure);
	if (status)
		return status;
	if (tracing_in_use())
		diag_warn("record: events are enabled already: this recording ends that of "
			  "whoever else is tracing");
	session->with_module = tracing_has_system("annot");
	block_signals(session);
	return EXIT_OK;
}

static void close_session(struct session *session)
{
	recorder_destroy(&session->recorder);
	mapper_close(session->mapper);
	measure_close(&session->measure);
	tracing_close(&session->tracing);
	if (session->target_fd >= 0)
		close(session->target_fd);
	if (session->signal_fd >= 0)
		close(session->signal_fd);
}

int session_run(const struct session_plan *plan)
{
	struct session session = {
		.plan = plan,
		.tracing.on_fd = -1,
		.recorder.output_fd = -1,
		.measure = MEASURE_NONE,
		.signal_fd = -1,
		.target_fd = -1,
		.show_progress = !plan->quiet && isatty(STDERR_FILENO),
	};
	int status = prepare(&session);

	if (!status)
		status = record(&session);
	close_session(&session);
	return status;
}
