// SPDX-License-Identifier: GPL-2.0
/*
 * System calls and what their descriptors are -> what the thread waited for: by the same name as by the kernel's stack.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <uapi/annot.h>

#include "symbols/kernel/wait_causes.h"
#include "trace/event.h"
#include "trace/names/blocked_texts.h"
#include "trace/names/call_causes.h"

/* A wait, and the function that its stack would have. */
static const struct {
	const char *call;
	uint8_t what;
	uint32_t variant;
	const char *function;
} waits[] = {
	{ "futex", ANNOT_BLOCKED_FUTEX, 128, "futex_wait_queue" },
	{ "futex", ANNOT_BLOCKED_FUTEX, 6 | 128, "futex_lock_pi" },
	{ "futex_waitv", ANNOT_BLOCKED_NONE, 0, "futex_wait_multiple" },
	{ "read", ANNOT_BLOCKED_PIPE, 0, "pipe_read" },
	{ "readv", ANNOT_BLOCKED_PIPE, 0, "anon_pipe_read" },
	{ "write", ANNOT_BLOCKED_PIPE, 0, "pipe_write" },
	{ "openat", ANNOT_BLOCKED_NONE, 0, "fifo_open" },
	{ "read", ANNOT_BLOCKED_SOCKET, 0, "unix_stream_read_generic" },
	{ "recvfrom", ANNOT_BLOCKED_SOCKET, 0, "tcp_recvmsg_locked" },
	{ "sendmsg", ANNOT_BLOCKED_SOCKET, 0, "sock_alloc_send_pskb" },
	{ "write", ANNOT_BLOCKED_SOCKET, 0, "sk_stream_wait_memory" },
	{ "accept4", ANNOT_BLOCKED_SOCKET, 0, "inet_csk_accept" },
	{ "connect", ANNOT_BLOCKED_SOCKET, 0, "unix_stream_connect" },
	{ "read", ANNOT_BLOCKED_EVENTFD, 0, "eventfd_read" },
	{ "read", ANNOT_BLOCKED_TIMERFD, 0, "timerfd_read" },
	{ "read", ANNOT_BLOCKED_SIGNALFD, 0, "signalfd_read" },
	{ "read", ANNOT_BLOCKED_INOTIFY, 0, "inotify_read" },
	{ "read", ANNOT_BLOCKED_FANOTIFY, 0, "fanotify_read" },
	{ "read", ANNOT_BLOCKED_CHAR_DEVICE, 136, "n_tty_read" },
	{ "write", ANNOT_BLOCKED_CHAR_DEVICE, 4, "n_tty_write" },
	{ "epoll_pwait", ANNOT_BLOCKED_EPOLL, 0, "ep_poll" },
	{ "pselect6", ANNOT_BLOCKED_NONE, 0, "do_select" },
	{ "ppoll", ANNOT_BLOCKED_NONE, 0, "do_poll" },
	{ "clock_nanosleep", ANNOT_BLOCKED_NONE, 0, "do_nanosleep" },
	{ "wait4", ANNOT_BLOCKED_NONE, 0, "do_wait" },
	{ "vfork", ANNOT_BLOCKED_NONE, 0, "wait_for_vfork_done" },
	{ "rt_sigtimedwait", ANNOT_BLOCKED_NONE, 0, "do_sigtimedwait" },
	{ "flock", ANNOT_BLOCKED_FILE, 0, "flock_lock_inode_wait" },
	{ "fcntl", ANNOT_BLOCKED_FILE, 7, "fcntl_setlk" },
	{ "io_uring_enter", ANNOT_BLOCKED_IO_URING, 0, "io_cqring_wait" },
	{ "io_getevents", ANNOT_BLOCKED_NONE, 0, "read_events" },
	{ "semtimedop", ANNOT_BLOCKED_NONE, 0, "__do_semtimedop" },
	{ "msgrcv", ANNOT_BLOCKED_NONE, 0, "do_msgrcv" },
	{ "mq_timedreceive", ANNOT_BLOCKED_FILE, 0, "do_mq_timedreceive" },
};

static void test_as_by_stacks(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++) {
		const char *told = call_cause_of(waits[i].call, waits[i].what, waits[i].variant);
		char *by_stack = wait_cause_of(&waits[i].function, 1);

		assert_non_null(told);
		assert_string_equal(told, by_stack);
		free(by_stack);
	}
}

static void test_not_told(void **state)
{
	(void)state;
	assert_null(call_cause_of("read", ANNOT_BLOCKED_FILE, 0));
	assert_null(call_cause_of("read", ANNOT_BLOCKED_CHAR_DEVICE, 1));
	assert_null(call_cause_of("write", ANNOT_BLOCKED_TIMERFD, 0));
	assert_null(call_cause_of("read", 200, 0));
	assert_null(call_cause_of("fcntl", ANNOT_BLOCKED_FILE, 6));
	assert_null(call_cause_of("ioctl", ANNOT_BLOCKED_PIPE, 0));
}

static void expect_object(struct blocked_texts *texts, const struct string_table *strings,
			  struct blocked_object object, const char *text)
{
	assert_string_equal(string_table_get(strings, blocked_texts_object(texts, &object)), text);
}

static void test_texts_of_objects(void **state)
{
	struct string_table *strings = string_table_new();
	struct blocked_texts *texts = blocked_texts_new(strings);
	uint32_t name = string_table_intern(strings, "name", 4);

	(void)state;
	expect_object(texts, strings,
		      (struct blocked_object){ .what = ANNOT_BLOCKED_FUTEX, .number = 0x7f00 },
		      "futex 0x7f00");
	expect_object(texts, strings,
		      (struct blocked_object){ .what = ANNOT_BLOCKED_PIPE, .number = 1234 },
		      "pipe:[1234]");
	expect_object(texts, strings,
		      (struct blocked_object){ .what = ANNOT_BLOCKED_PIPE, .name = name }, "name");
	expect_object(texts, strings,
		      (struct blocked_object){
			      .what = ANNOT_BLOCKED_SOCKET, .number = 55, .detail = 1 << 16 | 1 },
		      "socket:[55] (unix)");
	expect_object(texts, strings,
		      (struct blocked_object){ .what = ANNOT_BLOCKED_SOCKET, .detail = 77 },
		      "socket:[0] (family 77)");
	expect_object(texts, strings,
		      (struct blocked_object){ .what = ANNOT_BLOCKED_BLOCK_DEVICE,
					       .number = 9,
					       .detail = 0x800 | 1 << 20 | 3 },
		      "device 8:259");
	expect_object(texts, strings,
		      (struct blocked_object){
			      .what = ANNOT_BLOCKED_EPOLL, .number = 7, .is_descriptor = true },
		      "epoll (fd 7)");
	expect_object(texts, strings, (struct blocked_object){ .what = 200, .number = 3 },
		      "file:[3]");
	blocked_texts_free(texts);
	string_table_free(strings);
}

/* Those beyond the most have no text. */
static void test_many_objects(void **state)
{
	struct string_table *strings = string_table_new();
	struct blocked_texts *texts = blocked_texts_new(strings);
	struct blocked_object object = { .what = ANNOT_BLOCKED_PIPE };

	(void)state;
	for (object.number = 0; object.number < BLOCKED_OBJECTS_MAX; object.number++)
		assert_int_not_equal(blocked_texts_object(texts, &object), TRACE_NO_STRING);
	assert_int_equal(blocked_texts_object(texts, &object), TRACE_NO_STRING);
	blocked_texts_free(texts);
	string_table_free(strings);
}

static void test_texts_of_causes(void **state)
{
	struct string_table *strings = string_table_new();
	struct blocked_texts *texts = blocked_texts_new(strings);
	uint32_t read = string_table_intern(strings, "read", 4);
	uint32_t odd = string_table_intern(strings, "system call 999", 15);

	(void)state;
	assert_string_equal(string_table_get(strings, blocked_texts_cause(texts, read,
									  ANNOT_BLOCKED_PIPE, 0)),
			    "pipe read");
	assert_string_equal(string_table_get(strings, blocked_texts_cause(texts, read,
									  ANNOT_BLOCKED_FILE, 0)),
			    "system call read");
	assert_int_equal(blocked_texts_cause(texts, odd, ANNOT_BLOCKED_NONE, 0), odd);
	assert_string_equal(string_table_get(strings,
					     blocked_texts_cause(texts, TRACE_NO_STRING, 0, 0)),
			    "exception");
	blocked_texts_free(texts);
	string_table_free(strings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_as_by_stacks),	 cmocka_unit_test(test_not_told),
		cmocka_unit_test(test_texts_of_objects), cmocka_unit_test(test_many_objects),
		cmocka_unit_test(test_texts_of_causes),
	};

	return cmocka_run_group_tests_name("call_causes", tests, NULL, NULL);
}
