// SPDX-License-Identifier: GPL-2.0
#include "trace/names/call_causes.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <uapi/annot.h>

#define FUTEX_COMMAND 0x7f
#define FUTEX_LOCK_PI 6
#define FUTEX_LOCK_PI2 13
#define SET_LOCK_WAIT 7 /* F_SETLKW, on all machines that the table of system calls has */
#define OFD_SET_LOCK_WAIT 38

/* Calls that wait for one kind of thing. */
static const struct {
	const char *call;
	const char *cause;
} causes_of_calls[] = {
	{ "futex", "futex" },
	{ "futex_wait", "futex" },
	{ "futex_waitv", "futex" },
	{ "epoll_wait", "epoll" },
	{ "epoll_pwait", "epoll" },
	{ "epoll_pwait2", "epoll" },
	{ "select", "select" },
	{ "_newselect", "select" },
	{ "pselect6", "select" },
	{ "poll", "poll" },
	{ "ppoll", "poll" },
	{ "nanosleep", "sleep" },
	{ "clock_nanosleep", "sleep" },
	{ "wait4", "child process" },
	{ "waitid", "child process" },
	{ "waitpid", "child process" },
	{ "vfork", "child process (vfork)" },
	{ "clone", "child process (vfork)" },
	{ "clone3", "child process (vfork)" },
	{ "rt_sigtimedwait", "signal" },
	{ "rt_sigsuspend", "signal" },
	{ "sigsuspend", "signal" },
	{ "pause", "signal" },
	{ "flock", "file lock" },
	{ "open", "pipe open" },
	{ "openat", "pipe open" },
	{ "openat2", "pipe open" },
	{ "accept", "socket accept" },
	{ "accept4", "socket accept" },
	{ "connect", "socket connect" },
	{ "recvfrom", "socket receive" },
	{ "recvmsg", "socket receive" },
	{ "recvmmsg", "socket receive" },
	{ "sendto", "socket send" },
	{ "sendmsg", "socket send" },
	{ "sendmmsg", "socket send" },
	{ "io_uring_enter", "io_uring" },
	{ "io_getevents", "aio" },
	{ "io_pgetevents", "aio" },
	{ "semop", "System V semaphore" },
	{ "semtimedop", "System V semaphore" },
	{ "msgrcv", "message queue" },
	{ "msgsnd", "message queue" },
	{ "mq_timedreceive", "message queue" },
	{ "mq_timedsend", "message queue" },
};

/* Calls that read from the descriptor, or write to it. */
static const char *const reading_calls[] = {
	"read", "readv", "pread64", "preadv", "preadv2", "splice", "tee", "sendfile",
};

static const char *const writing_calls[] = {
	"write", "writev", "pwrite64", "pwritev", "pwritev2", "vmsplice",
};

static const struct {
	uint8_t what;
	const char *read;
	const char *write;
} causes_of_files[] = {
	{ ANNOT_BLOCKED_PIPE, "pipe read", "pipe write" },
	{ ANNOT_BLOCKED_SOCKET, "socket receive", "socket send" },
	{ ANNOT_BLOCKED_EVENTFD, "eventfd", "eventfd" },
	{ ANNOT_BLOCKED_TIMERFD, "timerfd", NULL },
	{ ANNOT_BLOCKED_SIGNALFD, "signal", NULL },
	{ ANNOT_BLOCKED_INOTIFY, "inotify", NULL },
	{ ANNOT_BLOCKED_FANOTIFY, "fanotify", NULL },
	{ ANNOT_BLOCKED_USERFAULTFD, "userfaultfd", NULL },
};

#define NR_OF(array) (sizeof(array) / sizeof((array)[0]))

static bool is_one_of(const char *const *calls, size_t nr, const char *call)
{
	for (size_t i = 0; i < nr; i++) {
		if (!strcmp(calls[i], call))
			return true;
	}
	return false;
}

/* Documentation/admin-guide/devices.txt: the console, terminals, serial lines, /dev/pts. */
static bool is_terminal(uint32_t major)
{
	return major == 4 || major == 5 || (major >= 136 && major <= 143) || major == 204;
}

static const char *cause_of_file(bool writes, uint8_t what, uint32_t variant)
{
	if (what == ANNOT_BLOCKED_CHAR_DEVICE && is_terminal(variant))
		return writes ? "terminal write" : "terminal read";
	for (size_t i = 0; i < NR_OF(causes_of_files); i++) {
		if (causes_of_files[i].what == what)
			return writes ? causes_of_files[i].write : causes_of_files[i].read;
	}
	return NULL;
}

static bool inherits_priority(uint32_t operation)
{
	uint32_t command = operation & FUTEX_COMMAND;

	return command == FUTEX_LOCK_PI || command == FUTEX_LOCK_PI2;
}

const char *call_cause_of(const char *call, uint8_t what, uint32_t variant)
{
	if (!strcmp(call, "futex") && inherits_priority(variant))
		return "futex (priority inheritance)";
	if (!strcmp(call, "fcntl"))
		return variant == SET_LOCK_WAIT || variant == OFD_SET_LOCK_WAIT ? "file lock" :
										  NULL;
	if (is_one_of(reading_calls, NR_OF(reading_calls), call))
		return cause_of_file(false, what, variant);
	if (is_one_of(writing_calls, NR_OF(writing_calls), call))
		return cause_of_file(true, what, variant);
	for (size_t i = 0; i < NR_OF(causes_of_calls); i++) {
		if (!strcmp(causes_of_calls[i].call, call))
			return causes_of_calls[i].cause;
	}
	return NULL;
}
