// SPDX-License-Identifier: GPL-2.0
/*
 * Stacks of kernels 6.1 to 7.2, as they were recorded -> what the thread waited for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "symbols/kernel/wait_causes.h"

#define MOST_FUNCTIONS 24

/* @stack: functions with blanks between them, the innermost first. */
static void expect_cause(const char *stack, const char *cause)
{
	char text[1024];
	const char *functions[MOST_FUNCTIONS];
	size_t nr = 0;
	char *told;

	assert_true(strlen(stack) < sizeof(text));
	strcpy(text, stack);
	for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
		assert_true(nr < MOST_FUNCTIONS);
		functions[nr++] = word;
	}
	told = wait_cause_of(functions, nr);
	if (cause)
		assert_string_equal(told, cause);
	else
		assert_null(told);
	free(told);
}

static void test_user_waits(void **state)
{
	(void)state;
	expect_cause("__schedule schedule futex_wait_queue futex_wait do_futex __x64_sys_futex "
		     "do_syscall_64",
		     "futex");
	expect_cause("__schedule schedule futex_do_wait __futex_wait futex_wait do_futex "
		     "__arm64_sys_futex invoke_syscall",
		     "futex");
	expect_cause("schedule rt_mutex_schedule __rt_mutex_start_proxy futex_lock_pi do_futex",
		     "futex (priority inheritance)");
	expect_cause("schedule pipe_read vfs_read ksys_read __riscv_sys_read", "pipe read");
	expect_cause("schedule anon_pipe_read vfs_read ksys_read", "pipe read");
	expect_cause("schedule schedule_hrtimeout_range_clock ep_poll do_epoll_wait", "epoll");
	expect_cause("schedule schedule_hrtimeout_range poll_schedule_timeout do_sys_poll", "poll");
	expect_cause("schedule schedule_hrtimeout_range poll_schedule_timeout do_select "
		     "core_sys_select",
		     "select");
	expect_cause("schedule do_nanosleep hrtimer_nanosleep common_nsleep "
		     "__x64_sys_clock_nanosleep",
		     "sleep");
	expect_cause("schedule do_wait kernel_wait4 do_syscall_64", "child process");
	expect_cause("schedule schedule_timeout __wait_for_common wait_for_completion_state "
		     "kernel_clone __do_sys_vfork",
		     "child process (vfork)");
}

/* A function that several things are waited for with does not decide. */
static void test_what_is_around(void **state)
{
	(void)state;
	expect_cause("schedule schedule_timeout __skb_wait_for_more_packets __skb_recv_datagram "
		     "skb_recv_datagram unix_accept do_accept",
		     "socket accept");
	expect_cause("schedule schedule_timeout __skb_wait_for_more_packets __unix_dgram_recvmsg "
		     "sock_recvmsg",
		     "socket receive");
	expect_cause("schedule do_wait_intr_irq eventfd_read vfs_read ksys_read", "eventfd");
	expect_cause("schedule io_schedule folio_wait_bit_common filemap_read_folio "
		     "filemap_fault __do_fault handle_mm_fault do_user_addr_fault "
		     "exc_page_fault asm_exc_page_fault",
		     "page fault: disk");
	expect_cause("schedule io_schedule folio_wait_bit_common folio_wait_writeback "
		     "__filemap_fdatawait_range file_write_and_wait_range ext4_sync_file "
		     "__x64_sys_fsync do_syscall_64",
		     "disk (fsync)");
	/* The word of a futex is not in memory. */
	expect_cause("schedule io_schedule folio_wait_bit_common filemap_fault handle_mm_fault "
		     "fixup_user_fault futex_wait do_futex __x64_sys_futex",
		     "page fault: disk");
	expect_cause("schedule rwsem_down_write_slowpath down_write_killable vm_mmap_pgoff "
		     "ksys_mmap_pgoff __x64_sys_mmap",
		     "kernel lock mmap_lock");
	expect_cause("schedule rwsem_down_read_slowpath down_read lock_mm_and_find_vma "
		     "do_user_addr_fault exc_page_fault",
		     "kernel lock mmap_lock");
	expect_cause("schedule schedule_preempt_disabled __mutex_lock ext4_write_begin",
		     "kernel lock");
}

static void test_kernel_threads(void **state)
{
	(void)state;
	expect_cause("schedule worker_thread kthread ret_from_fork", "work for a kernel thread");
	expect_cause("schedule io_schedule blk_mq_get_tag blk_mq_submit_bio wb_workfn "
		     "process_one_work worker_thread kthread ret_from_fork",
		     "disk");
}

/* What no table knows is told as itself. */
static void test_unknown(void **state)
{
	(void)state;
	expect_cause("schedule schedule_timeout frobnicate_wait __x64_sys_frobnicate do_syscall_64",
		     "system call frobnicate");
	expect_cause("__schedule schedule schedule_timeout frob_device_read vfs_read",
		     "in frob_device_read");
	expect_cause("__schedule schedule schedule_timeout", NULL);
	expect_cause("", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_user_waits),
		cmocka_unit_test(test_what_is_around),
		cmocka_unit_test(test_kernel_threads),
		cmocka_unit_test(test_unknown),
	};

	return cmocka_run_group_tests_name("wait_causes", tests, NULL, NULL);
}
