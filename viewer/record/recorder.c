// SPDX-License-Identifier: GPL-2.0
#include "record/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/readers/readers.h"
#include "util/diag.h"

/* How far it has come. */
enum stage {
	STAGE_READS,
	STAGE_JOINS, /* the buffer is given back, and what was read goes into the trace */
	STAGE_DONE,
};

struct recorder_word {
	_Atomic(enum stage) stage;
	uint64_t lost_events; /* set before STAGE_DONE */
};

/* It is ended by its control only, and by SIGKILL. */
static void leave_session(void)
{
	int null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	sigset_t all;

	setsid();
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	signal(SIGPIPE, SIG_IGN);
	if (null_fd >= 0) {
		dup2(null_fd, STDIN_FILENO);
		dup2(null_fd, STDOUT_FILENO);
	}
}

/* Until the other process says so or is gone, or nothing can be read any more. */
static void wait_for_end(int control_fd, const struct readers *readers)
{
	struct pollfd waited_for[] = {
		{ .fd = control_fd, .events = POLLIN },
		{ .fd = readers_failure_fd(readers), .events = POLLIN },
	};

	while (poll(waited_for, 2, -1) < 0 && errno == EINTR)
		;
}

static int finish_recording(struct recording *recording, struct recorder_word *word)
{
	int err;

	word->stage = STAGE_JOINS;
	err = recording_finish(recording, &word->lost_events);
	word->stage = STAGE_DONE;
	return err;
}

static void __attribute__((noreturn))
run(struct recording *recording, struct recorder_word *word, int control_fd, int ready_fd)
{
	struct readers *readers;
	int err;

	leave_session();
	readers = readers_start(recording->claim.dir, &recording->files,
				dat_page_bytes(recording->dat));
	if (!readers || write(ready_fd, "", 1) != 1)
		_exit(EXIT_BAD_INPUT);
	close(ready_fd);
	wait_for_end(control_fd, readers);
	recording_stop(recording);
	err = readers_finish(readers);
	if (finish_recording(recording, word))
		err = -1;
	_exit(err ? EXIT_BAD_INPUT : EXIT_OK);
}

static struct recorder_word *share_word(void)
{
	void *page = mmap(NULL, sizeof(struct recorder_word), PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return page == MAP_FAILED ? NULL : page;
}

/* Waits until it reads. If it fails, it has printed why. */
static bool is_ready(int ready_fd)
{
	ssize_t got;
	char byte;

	do {
		got = read(ready_fd, &byte, 1);
	} while (got < 0 && errno == EINTR);
	return got == 1;
}

static int start_recording(struct recorder *recorder, struct recording *recording,
			   const int *control, const int *ready)
{
	recorder->pid = fork();
	if (!recorder->pid) {
		close(control[1]);
		run(recording, recorder->word, control[0], ready[1]);
	}
	close(control[0]);
	close(ready[1]);
	recorder->control_fd = control[1];
	if (recorder->pid < 0) {
		recorder->pid = 0;
		return diag_error("record: cannot start the process that reads the buffers: %s",
				  strerror(errno));
	}
	return is_ready(ready[0]) ? 0 : -1;
}

int recorder_start(struct recorder *recorder, struct recording *recording)
{
	int control[2], ready[2];
	int err;

	*recorder = RECORDER_NONE;
	recorder->word = share_word();
	if (!recorder->word)
		return diag_error("record: %s", strerror(errno));
	if (pipe2(control, O_CLOEXEC))
		return diag_error("record: %s", strerror(errno));
	if (pipe2(ready, O_CLOEXEC)) {
		close(control[0]);
		close(control[1]);
		return diag_error("record: %s", strerror(errno));
	}
	err = start_recording(recorder, recording, control, ready);
	close(ready[0]);
	return err;
}

bool recorder_ended(struct recorder *recorder)
{
	if (recorder->pid && waitpid(recorder->pid, &recorder->status, WNOHANG) == recorder->pid)
		recorder->pid = 0;
	return !recorder->pid;
}

void recorder_ask_to_end(struct recorder *recorder)
{
	if (recorder->control_fd >= 0)
		close(recorder->control_fd);
	recorder->control_fd = -1;
}

static void free_recorder(struct recorder *recorder)
{
	recorder_ask_to_end(recorder);
	if (recorder->word)
		munmap(recorder->word, sizeof(*recorder->word));
	recorder->word = NULL;
}

/* It was killed while it read: all that is lost is what it had in its hands. */
static void take_over(const struct recorder *recorder, struct recording *recording)
{
	diag_error("record: the process that reads the buffers was killed by signal %d: the "
		   "trace ends there",
		   WTERMSIG(recorder->status));
	recording_stop(recording);
	readers_take_over(recording->claim.dir, &recording->files, dat_page_bytes(recording->dat));
	finish_recording(recording, recorder->word);
}

/* It was killed while it wrote: it is not known which data were moved into the trace. */
static void leave_half(const struct recorder *recorder, struct recording *recording)
{
	diag_error("record: %s: the process that wrote it was killed by signal %d: the missing "
		   "data are in %s.cpu*",
		   recording->output, WTERMSIG(recorder->status), recording->output);
	recording_give_buffer_back(recording);
}

struct recorder_result recorder_finish(struct recorder *recorder, struct recording *recording)
{
	struct recorder_result result = {
		.failed = !WIFEXITED(recorder->status) || WEXITSTATUS(recorder->status),
	};
	enum stage stage = recorder->word->stage;

	if (WIFSIGNALED(recorder->status) && stage == STAGE_READS)
		take_over(recorder, recording);
	else if (WIFSIGNALED(recorder->status) && stage == STAGE_JOINS)
		leave_half(recorder, recording);
	result.is_there = recorder->word->stage == STAGE_DONE;
	result.lost_events = recorder->word->lost_events;
	recording_leave(recording);
	free_recorder(recorder);
	return result;
}

void recorder_destroy(struct recorder *recorder, struct recording *recording)
{
	if (recorder->pid) {
		kill(recorder->pid, SIGKILL);
		waitpid(recorder->pid, &recorder->status, 0);
		recorder->pid = 0;
	}
	free_recorder(recorder);
	recording_abandon(recording);
}
