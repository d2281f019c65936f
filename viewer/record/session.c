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
#include <time.h>
#include <unistd.h>

#include "record/check.h"
#include "record/buffer/marker.h"
#include "record/log/topology_log.h"
#include "util/progress.h"
#include "record/session_state.h"
#include "record/target.h"
#include "util/diag.h"

#define TICK_S 0.5
#define LINE_MAX_BYTES 256

/* How often programs that run are told that they are recorded (outside_call()). */
#define NR_CALLS 2
#define CALL_INTERVAL_S 0.04

/* Asks the library, without the module, for batches in trace_marker_raw; see annot(3). */
#define BATCHES_VARIABLE "ANNOT_BATCHES"

/* Where its trace_marker is. */
#define DIRECTORY_VARIABLE "ANNOT_TRACEFS"

/* Whoever may write one of the module's devices may write all. */
#define A_DEVICE "/dev/annot/cpu0"

double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void inform(const struct session *session, const char *format, ...)
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
	sigset_t too_large;

	sigemptyset(&session->signals);
	for (size_t i = 0; i < sizeof(waited_for) / sizeof(waited_for[0]); i++)
		sigaddset(&session->signals, waited_for[i]);
	sigprocmask(SIG_BLOCK, &session->signals, &session->mask_before);
	/* What is too large for a file says so to write(). */
	sigemptyset(&too_large);
	sigaddset(&too_large, SIGXFSZ);
	sigprocmask(SIG_BLOCK, &too_large, NULL);
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

static void show_progress(struct session *session)
{
	struct progress_figures figures;
	struct tracing_stats stats;
	char line[LINE_MAX_BYTES];

	if (!session->show_progress || session->stop_s || !progress_possible())
		return;
	tracing_read_stats(session->recording.claim.instance, &stats);
	figures = (struct progress_figures){
		.elapsed_s = now_s() - session->start_s,
		.buffer_percent = stats.fill_percent,
		.lost_events = stats.lost_events,
		.written_bytes = cpu_files_bytes(&session->recording.files),
	};
	progress_format(&figures, line, sizeof(line));
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

static bool has_calls_left(const struct session *session)
{
	return !session->with_module && session->nr_calls < NR_CALLS;
}

void call_outside(struct session *session)
{
	if (!has_calls_left(session) ||
	    now_s() - session->start_s < CALL_INTERVAL_S * session->nr_calls)
		return;
	outside_call();
	session->nr_calls++;
}

static double time_to_next_tick_s(const struct session *session)
{
	double left_s = session->start_s + session->plan->duration_s - now_s();

	if (has_calls_left(session))
		return CALL_INTERVAL_S;
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
		call_outside(session);
		if (session->mapper)
			mapper_write(session->mapper);
		if (recorder_ended(&session->recorder) && !session->is_finished)
			take_result(session);
		if (time_is_up(session))
			stop_recording(session);
		if (session->plan->command ? program_ended(&session->program) :
					     recording_is_over(session))
			return;
		show_progress(session);
	}
}

/* What the environment says stands, but not against what the command line says. */
static int set_environment(const struct session *session)
{
	const struct claim *claim = &session->recording.claim;

	if (claim->instance && setenv(DIRECTORY_VARIABLE, claim->dir, 0))
		return -1;
	if (session->plan->readable)
		return setenv(BATCHES_VARIABLE, "0", 1);
	return setenv(BATCHES_VARIABLE, "1", 0);
}

/* In the process that becomes the command. */
static void mark_session(void *context)
{
	const struct session *session = context;

	marker_write_session(session->recording.claim.instance);
}

static int run_command(struct session *session)
{
	char **command = session->plan->command;
	int error = set_environment(session) ?
			    errno :
			    program_start(&session->program, command, &session->mask_before,
					  mark_session, session);

	if (!error)
		return EXIT_OK;
	diag_error("record: %s: %s", command[0], strerror(error));
	return program_exec_status(error);
}

static void announce_buffer(const struct session *session)
{
	const struct claim *claim = &session->recording.claim;

	if (claim->no_instance_error)
		inform(session,
		       "no ftrace instance can be used: %s: recording in the kernel's top "
		       "buffer",
		       strerror(claim->no_instance_error));
	if (!claim_has_markers(claim))
		inform(session,
		       "somebody else uses the kernel's top buffer: what is written to its "
		       "trace_marker is not recorded");
}

static void announce(const struct session *session)
{
	const char *marker = session->plan->readable ? "trace_marker" :
						       "trace_marker_raw, in batches";

	announce_buffer(session);
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
	struct tracefs_instance *instance = session->recording.claim.instance;
	const struct session_plan *plan = session->plan;

	places_write(instance);
	if (plan->pid)
		target_mark_session(instance, plan->pid);
	if (!session->measure.samples)
		return;
	if (plan->command)
		session->mapper = mapper_open(instance, MAPPER_OF_CHILDREN, 0);
	else
		session->mapper = mapper_open(instance,
					      plan->pid ? MAPPER_OF_PROCESS : MAPPER_OF_ALL,
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
		status = check_output(plan->output);
	if (!status && plan->pid) {
		session->target_fd = target_open(plan->pid);
		status = session->target_fd < 0 ? EXIT_BAD_INPUT : EXIT_OK;
	}
	if (!status && tracing_find())
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
	session->with_module = tracing_has_system("annot");
	block_signals(session);
	return EXIT_OK;
}

static void close_session(struct session *session)
{
	mapper_close(session->mapper);
	if (!session->is_finished)
		recorder_destroy(&session->recorder, &session->recording);
	/* The command may have been in the way when the recording ended before it. */
	outside_end(&session->recording.outside);
	measure_close(&session->measure);
	if (session->target_fd >= 0)
		close(session->target_fd);
	if (session->signal_fd >= 0)
		close(session->signal_fd);
}

int session_run(const struct session_plan *plan)
{
	struct session session = {
		.plan = plan,
		.recording = RECORDING_NONE,
		.recorder = RECORDER_NONE,
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
