// SPDX-License-Identifier: GPL-2.0
#include "record/session.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "record/check.h"
#include "record/buffer/marker.h"
#include "record/log/machine_log.h"
#include "record/log/topology_log.h"
#include "util/progress.h"
#include "record/session_end.h"
#include "record/session_start.h"
#include "record/target.h"
#include "util/diag.h"

#define TICK_S 0.5
#define LINE_MAX_BYTES 256

/* Asks the library, without the module, for batches in trace_marker_raw; see annot(3). */
#define BATCHES_VARIABLE "ANNOT_BATCHES"

/* Where its trace_marker is. */
#define DIRECTORY_VARIABLE "ANNOT_TRACEFS"

/* A user who may write one of the module's devices may write all. */
#define A_DEVICE "/dev/annot/cpu0"

static void block_signals(struct session *session)
{
	static const int waited_for[] = { SIGCHLD, SIGINT, SIGQUIT, SIGTERM, SIGHUP };
	sigset_t too_large;

	sigemptyset(&session->signals);
	for (size_t i = 0; i < sizeof(waited_for) / sizeof(waited_for[0]); i++)
		sigaddset(&session->signals, waited_for[i]);
	sigprocmask(SIG_BLOCK, &session->signals, &session->mask_before);
	/* A file that grows too large makes write() fail, without a signal. */
	sigemptyset(&too_large);
	sigaddset(&too_large, SIGXFSZ);
	sigprocmask(SIG_BLOCK, &too_large, NULL);
	session->signal_fd = signalfd(-1, &session->signals, SFD_CLOEXEC);
	signal(SIGCHLD, SIG_DFL);
	/* A shell script's background job ignores ^C; a recording that only ^C ends must not. */
	if (!session->plan->command)
		signal(SIGINT, SIG_DFL);
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
		.elapsed_s = session_now_s() - session->start_s,
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

	return duration_s > 0 && session_now_s() - session->start_s >= duration_s;
}

static double time_to_next_tick_s(const struct session *session)
{
	double tick_s = session->mmap_log ? fmin(mmap_log_wait_s(session->mmap_log), TICK_S) :
					    TICK_S;
	double left_s = session->start_s + session->plan->duration_s - session_now_s();

	if (session_has_calls_left(session))
		return SESSION_CALL_INTERVAL_S;
	if (session->stop_s || session->plan->duration_s <= 0 || left_s > tick_s)
		return tick_s;
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
		int signal_number = session_wait_signal(session, time_to_next_tick_s(session),
							&info);

		if (signal_number)
			pass_signal_on(session, signal_number, &info);
		session_call_outside(session);
		if (session->mmap_log)
			mmap_log_write(session->mmap_log);
		if (session->stacks)
			stacks_update(session->stacks);
		if (recorder_ended(&session->recorder) && !session->is_finished)
			session_take_result(session);
		if (time_is_up(session))
			session_stop_recording(session);
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

/* In the process that becomes the command. What is loaded into that is not for annot itself. */
static void prepare_command(void *context)
{
	const struct session *session = context;

	group_log_leave(session->group_log);
	marker_write_session(session->recording.claim.instance);
	if (session->plan->attach && attach_environment_set(session->plan->attach))
		diag_warn("record: --attach: %s", strerror(errno));
}

static int run_command(struct session *session)
{
	char **command = session->plan->command;
	int error = set_environment(session) ?
			    errno :
			    program_start(&session->program, command, &session->mask_before,
					  prepare_command, session);

	if (!error)
		return EXIT_OK;
	diag_error("record: %s: %s", command[0], strerror(error));
	return program_exec_status(error);
}

static void announce_buffer(const struct session *session)
{
	const struct claim *claim = &session->recording.claim;

	if (claim->no_instance_error)
		session_inform(session,
			       "no ftrace instance can be used: %s: recording in the kernel's top "
			       "buffer",
			       strerror(claim->no_instance_error));
	if (!claim_has_markers(claim))
		session_inform(session,
			       "another program uses the kernel's top buffer: annotations in its "
			       "trace_marker are not recorded");
}

static void announce_session(const struct session *session)
{
	const char *marker = session->plan->readable ? "trace_marker" :
						       "trace_marker_raw, in batches";

	announce_buffer(session);
	if (!session->with_module)
		session_inform(session, "annot.ko is not loaded: annotations come from %s", marker);
	else if (faccessat(AT_FDCWD, A_DEVICE, W_OK, AT_EACCESS))
		session_inform(session, "annot.ko is loaded, but %s: %s: annotations come from %s",
			       A_DEVICE, strerror(errno), marker);
	else
		session_inform(session, "annot.ko is loaded: annotations come from /dev/annot");
	if (session->plan->pid)
		session_inform(session, "recording until process %d ends; ^C ends it early",
			       session->plan->pid);
	else if (!session->plan->command)
		session_inform(session, session->plan->duration_s > 0 ?
						"recording; ^C ends it early" :
						"recording; ^C ends it");
}

/*
 * Writes what must be read during the recording: the machine's topology, whether it is virtual, counters of sockets, and
 * mappings of processes that will be sampled.
 */
static void begin_session(struct session *session)
{
	struct tracefs_instance *instance = session->recording.claim.instance;
	const struct session_plan *plan = session->plan;
	struct mmap_log_listener listener = { 0 };

	topology_log_write(instance);
	machine_log_write(instance);
	uncore_log_start(session->uncore_log, instance);
	group_log_start(session->group_log, instance);
	if (plan->pid)
		target_mark_session(instance, plan->pid);
	if (!session->measure.samples && !plan->measure.stacks)
		return;
	if (plan->measure.stacks) {
		session->stacks = stacks_open(session->measure.ctl_fd,
					      plan->command ? *plan->command : NULL);
		listener = (struct mmap_log_listener){ stacks_hear, session->stacks };
	}
	if (plan->command)
		session->mmap_log = mmap_log_open(instance, MMAP_LOG_CHILDREN, 0,
						  session->measure.addresses, listener);
	else
		session->mmap_log = mmap_log_open(instance,
						  plan->pid ? MMAP_LOG_PROCESS : MMAP_LOG_ALL,
						  plan->pid, session->measure.addresses, listener);
	if (session->stacks)
		stacks_update(session->stacks);
}

static int record_session(struct session *session)
{
	int command_status = EXIT_OK;
	int status;

	status = session_start_recording(session);
	if (status)
		return status;
	announce_session(session);
	begin_session(session);
	if (session->plan->command)
		command_status = run_command(session);
	if (!command_status)
		wait_for_end(session);
	if (session->plan->command && !command_status)
		command_status = program_exit_status(&session->program);
	status = session_finish_recording(session);
	return command_status ? command_status : status;
}

static int check_session(struct session *session)
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

static int prepare_session(struct session *session)
{
	int status = check_session(session);

	if (!status)
		status = uncore_log_open(&session->uncore_log, &session->plan->uncore,
					 session->plan->quiet);
	if (!status)
		status = group_log_open(&session->group_log, &session->plan->groups,
					session->plan->quiet);
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
	mmap_log_close(session->mmap_log);
	uncore_log_close(session->uncore_log);
	group_log_close(session->group_log);
	stacks_close(session->stacks);
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
	int status = prepare_session(&session);

	if (!status)
		status = record_session(&session);
	close_session(&session);
	return status;
}
