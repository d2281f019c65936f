// SPDX-License-Identifier: GPL-2.0
#include "record/session_state.h"

#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

/* How often session_call_outside() calls outside_call(). */
#define NR_CALLS 2

double session_now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void session_inform(const struct session *session, const char *format, ...)
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

static bool is_recording(const struct session *session)
{
	return session->start_s > 0 && session->stop_s <= 0;
}

int session_wait_signal(const struct session *session, double timeout_s, siginfo_t *info)
{
	static const struct timespec at_once;
	struct timespec timeout = {
		.tv_sec = (time_t)timeout_s,
		.tv_nsec = (long)((timeout_s - (double)(time_t)timeout_s) * 1e9),
	};
	struct pollfd waited_for[] = {
		{ .fd = session->signal_fd, .events = POLLIN },
		{ .fd = is_recording(session) ? session->target_fd : -1, .events = POLLIN },
		{ .fd = session->mmap_log ? mmap_log_fd(session->mmap_log) : -1, .events = POLLIN },
	};
	int signal_number;

	ppoll(waited_for, sizeof(waited_for) / sizeof(waited_for[0]), &timeout, NULL);
	signal_number = sigtimedwait(&session->signals, info, &at_once);
	return signal_number > 0 ? signal_number : 0;
}

bool session_has_calls_left(const struct session *session)
{
	return !session->with_module && session->nr_calls < NR_CALLS;
}

void session_call_outside(struct session *session)
{
	if (!session_has_calls_left(session) ||
	    session_now_s() - session->start_s < SESSION_CALL_INTERVAL_S * session->nr_calls)
		return;
	outside_call();
	session->nr_calls++;
}
