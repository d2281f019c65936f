// SPDX-License-Identifier: GPL-2.0
#include "symbols/kernel/wait_causes.h"

#include <stdbool.h>
#include <string.h>

#include "util/xalloc.h"

/* What else is asked where a function alone does not tell. */
enum cause_detail {
	JUST_THAT,
	OF_FAULT_OR_CALL, /* "page fault: disk", "disk (fsync)" */
	OF_LOCK, /* "kernel lock mmap_lock" if the functions around it are those of mappings */
};

struct known_function {
	const char *name; /* ends in '*': any name that begins so */
	const char *cause;
	enum cause_detail detail;
};

/* The first one that fits counts. */
static const struct known_function known_functions[] = {
	{ "futex_lock_pi*", "futex (priority inheritance)", JUST_THAT },
	{ "futex_*", "futex", JUST_THAT },
	{ "__futex_*", "futex", JUST_THAT },
	{ "do_futex", "futex", JUST_THAT },
	{ "ep_poll", "epoll", JUST_THAT },
	{ "do_epoll_wait", "epoll", JUST_THAT },
	{ "do_select", "select", JUST_THAT },
	{ "core_sys_select", "select", JUST_THAT },
	{ "do_poll*", "poll", JUST_THAT },
	{ "do_sys_poll", "poll", JUST_THAT },
	{ "do_nanosleep", "sleep", JUST_THAT },
	{ "hrtimer_nanosleep*", "sleep", JUST_THAT },
	{ "do_wait", "child process", JUST_THAT },
	{ "do_wait_pid", "child process", JUST_THAT },
	{ "kernel_wait*", "child process", JUST_THAT },
	{ "wait_for_vfork_done", "child process (vfork)", JUST_THAT },
	{ "kernel_clone", "child process (vfork)", JUST_THAT },
	{ "do_sigtimedwait", "signal", JUST_THAT },
	{ "sigsuspend", "signal", JUST_THAT },
	{ "__do_sys_pause", "signal", JUST_THAT },
	{ "signalfd_*", "signal", JUST_THAT },
	{ "do_signal_stop", "stopped", JUST_THAT },
	{ "ptrace_*stop*", "stopped", JUST_THAT },
	{ "do_freezer_trap", "stopped", JUST_THAT },
	{ "do_jobctl_trap", "stopped", JUST_THAT },
	{ "pipe_read", "pipe read", JUST_THAT },
	{ "anon_pipe_read", "pipe read", JUST_THAT },
	{ "pipe_write", "pipe write", JUST_THAT },
	{ "anon_pipe_write", "pipe write", JUST_THAT },
	{ "fifo_*", "pipe open", JUST_THAT },
	{ "wait_for_partner", "pipe open", JUST_THAT },
	{ "unix_accept", "socket accept", JUST_THAT },
	{ "inet_csk_accept", "socket accept", JUST_THAT },
	{ "inet_csk_wait_for_connect", "socket accept", JUST_THAT },
	{ "unix_stream_connect", "socket connect", JUST_THAT },
	{ "inet_wait_for_connect", "socket connect", JUST_THAT },
	{ "unix_wait_for_peer", "socket send", JUST_THAT },
	{ "sock_alloc_send_pskb", "socket send", JUST_THAT },
	{ "sk_stream_wait_memory", "socket send", JUST_THAT },
	{ "unix_stream_*", "socket receive", JUST_THAT },
	{ "__unix_dgram_recvmsg", "socket receive", JUST_THAT },
	{ "tcp_recvmsg*", "socket receive", JUST_THAT },
	{ "eventfd_read", "eventfd", JUST_THAT },
	{ "eventfd_write", "eventfd", JUST_THAT },
	{ "timerfd_read*", "timerfd", JUST_THAT },
	{ "inotify_read", "inotify", JUST_THAT },
	{ "fanotify_read", "fanotify", JUST_THAT },
	{ "io_cqring_wait*", "io_uring", JUST_THAT },
	{ "read_events", "aio", JUST_THAT },
	{ "do_semtimedop", "System V semaphore", JUST_THAT },
	{ "__do_semtimedop", "System V semaphore", JUST_THAT },
	{ "do_msgrcv", "message queue", JUST_THAT },
	{ "do_msgsnd", "message queue", JUST_THAT },
	{ "do_mq_*", "message queue", JUST_THAT },
	{ "flock_lock_inode_wait", "file lock", JUST_THAT },
	{ "posix_lock_inode_wait", "file lock", JUST_THAT },
	{ "locks_lock_inode_wait", "file lock", JUST_THAT },
	{ "do_lock_file_wait", "file lock", JUST_THAT },
	{ "fcntl_setlk*", "file lock", JUST_THAT },
	{ "n_tty_read", "terminal read", JUST_THAT },
	{ "n_tty_write", "terminal write", JUST_THAT },
	{ "request_wait_answer", "FUSE", JUST_THAT },
	{ "fuse_dev_do_read", "FUSE", JUST_THAT },
	{ "rpc_wait_bit_killable", "NFS", JUST_THAT },
	{ "p9_client_rpc", "9P", JUST_THAT },
	{ "p9_virtio_*", "9P", JUST_THAT },
	{ "dma_fence_*wait*", "GPU", JUST_THAT },
	{ "kvm_vcpu_*", "virtual CPU", JUST_THAT },
	{ "io_schedule*", "disk", OF_FAULT_OR_CALL },
	{ "folio_wait_*", "disk", OF_FAULT_OR_CALL },
	{ "wait_on_page_*", "disk", OF_FAULT_OR_CALL },
	{ "bit_wait_io*", "disk", OF_FAULT_OR_CALL },
	{ "__wait_on_buffer", "disk", OF_FAULT_OR_CALL },
	{ "blk_io_schedule", "disk", OF_FAULT_OR_CALL },
	{ "submit_bio_wait", "disk", OF_FAULT_OR_CALL },
	{ "bio_await*", "disk", OF_FAULT_OR_CALL },
	{ "blk_execute_rq", "disk", OF_FAULT_OR_CALL },
	{ "blk_mq_get_tag", "disk queue", OF_FAULT_OR_CALL },
	{ "rq_qos_wait", "disk queue", OF_FAULT_OR_CALL },
	{ "balance_dirty_pages*", "disk writeback", OF_FAULT_OR_CALL },
	{ "jbd2_*", "disk journal", OF_FAULT_OR_CALL },
	{ "xfs_log_*", "disk journal", OF_FAULT_OR_CALL },
	{ "wait_log_commit", "disk journal", OF_FAULT_OR_CALL },
	{ "throttle_direct_reclaim", "memory reclaim", OF_FAULT_OR_CALL },
	{ "reclaim_throttle", "memory reclaim", OF_FAULT_OR_CALL },
	{ "mem_cgroup_handle_over_high*", "memory limit of its cgroup", JUST_THAT },
	{ "__mem_cgroup_handle_over_high*", "memory limit of its cgroup", JUST_THAT },
	{ "throttle_cfs_rq_work", "CPU quota of its cgroup", JUST_THAT },
	{ "rwsem_down_*", "kernel lock", OF_LOCK },
	{ "__mutex_lock*", "kernel lock", OF_LOCK },
	{ "percpu_rwsem_wait", "kernel lock", OF_LOCK },
	{ "__percpu_down_read", "kernel lock", OF_LOCK },
	{ "__down*", "kernel lock", OF_LOCK },
	{ "rt_mutex_slowlock*", "kernel lock", OF_LOCK },
	{ "rtlock_slowlock*", "kernel lock", OF_LOCK },
	{ "synchronize_rcu*", "RCU", OF_FAULT_OR_CALL },
	{ "__wait_rcu_gp", "RCU", OF_FAULT_OR_CALL },
	{ "do_coredump", "core dump", JUST_THAT },
	{ "vfs_coredump", "core dump", JUST_THAT },
	{ "de_thread", "exit of its other threads (exec)", JUST_THAT },
};

/* They are asked last: whoever calls them knows better. */
static const struct known_function general_functions[] = {
	{ "__skb_wait_for_more_packets", "socket receive", JUST_THAT },
	{ "sk_wait_data", "socket receive", JUST_THAT },
	{ "do_exit", "exit", JUST_THAT },
	{ "msleep*", "delay in the kernel", OF_FAULT_OR_CALL },
	{ "wait_for_completion*", "completion in the kernel", OF_FAULT_OR_CALL },
	{ "kthread", "work for a kernel thread", JUST_THAT },
	{ "worker_thread", "work for a kernel thread", JUST_THAT },
	{ "io_wq_worker", "work for a kernel thread", JUST_THAT },
};

/* They sleep or wait for whoever calls them, or are of the trace itself. */
static const char *const mere_sleep[] = {
	"schedule*",
	"__schedule*",
	"preempt_schedule*",
	"__cond_resched",
	"do_task_dead",
	"__traceiter_*",
	"trace_*",
	"ftrace_*",
	"event_triggers_*",
	"stacktrace_*",
	"__trace_stack",
	"__ftrace_trace_stack",
	"wait_woken",
	"__wait_*",
	"wait_*",
	"do_wait_intr*",
	"prepare_to_wait*",
	"usleep_*",
	"__bpf_*",
	"bpf_*",
	"perf_*",
};

static const char *const fault_functions[] = {
	"exc_page_fault",  "asm_exc_page_fault",   "do_user_addr_fault",
	"handle_mm_fault", "__handle_mm_fault",	   "do_page_fault",
	"do_mem_abort",	   "do_translation_fault", "handle_page_fault",
};

/* They take mmap_lock for others to change or to look up mappings. */
static const char *const mmap_functions[] = {
	"vm_mmap_pgoff*",  "__vm_munmap",      "do_mprotect_pkey",     "do_madvise",
	"__do_sys_brk",	   "__do_sys_mremap",  "lock_mm_and_find_vma", "do_user_addr_fault",
	"exit_mmap",	   "dup_mmap",	       "process_vm_rw*",       "__mm_populate",
	"mmap_read_lock*", "mmap_write_lock*",
};

static const char *const call_prefixes[] = {
	"__x64_sys_",	"__ia32_sys_", "__ia32_compat_sys_", "__arm64_sys_", "__arm64_compat_sys_",
	"__riscv_sys_", "__se_sys_",   "__do_sys_",	     "ksys_",
};

/* @pattern may have a '*' at its end, and one before. */
static bool fits(const char *pattern, const char *name)
{
	const char *star = strchr(pattern, '*');
	size_t length = star ? (size_t)(star - pattern) : strlen(pattern);
	size_t rest;
	char part[32];

	if (!star)
		return !strcmp(pattern, name);
	if (strncmp(pattern, name, length) != 0)
		return false;
	rest = strcspn(star + 1, "*");
	if (!rest || rest >= sizeof(part))
		return true;
	memcpy(part, star + 1, rest);
	part[rest] = '\0';
	return strstr(name + length, part);
}

static bool fits_any(const char *const *patterns, size_t nr, const char *name)
{
	for (size_t i = 0; i < nr; i++) {
		if (fits(patterns[i], name))
			return true;
	}
	return false;
}

#define FITS_ANY(patterns, name) fits_any(patterns, sizeof(patterns) / sizeof((patterns)[0]), name)

static bool has_any(const char *const *patterns, size_t nr_patterns, const char *const *functions,
		    size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		if (fits_any(patterns, nr_patterns, functions[i]))
			return true;
	}
	return false;
}

#define HAS_ANY(patterns, functions, nr) \
	has_any(patterns, sizeof(patterns) / sizeof((patterns)[0]), functions, nr)

/* The name of the system call; NULL: in none. */
static const char *call_of(const char *const *functions, size_t nr)
{
	for (size_t i = nr; i-- > 0;) {
		for (size_t j = 0; j < sizeof(call_prefixes) / sizeof(call_prefixes[0]); j++) {
			size_t length = strlen(call_prefixes[j]);

			if (!strncmp(functions[i], call_prefixes[j], length))
				return functions[i] + length;
		}
	}
	return NULL;
}

static char *tell_known(const struct known_function *known, const char *const *functions, size_t nr)
{
	const char *call;

	if (known->detail == OF_LOCK && HAS_ANY(mmap_functions, functions, nr))
		return xasprintf("%s mmap_lock", known->cause);
	if (known->detail == JUST_THAT)
		return xasprintf("%s", known->cause);
	if (HAS_ANY(fault_functions, functions, nr))
		return xasprintf("page fault: %s", known->cause);
	call = call_of(functions, nr);
	return call ? xasprintf("%s (%s)", known->cause, call) : xasprintf("%s", known->cause);
}

/* The innermost function that is in @table, of @nr_known. */
static const struct known_function *find_known(const struct known_function *table, size_t nr_known,
					       const char *const *functions, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		for (size_t j = 0; j < nr_known; j++) {
			if (fits(table[j].name, functions[i]))
				return &table[j];
		}
	}
	return NULL;
}

#define FIND_KNOWN(table, functions, nr) \
	find_known(table, sizeof(table) / sizeof((table)[0]), functions, nr)

static char *tell_unknown(const char *const *functions, size_t nr)
{
	const char *call = call_of(functions, nr);

	if (call)
		return xasprintf("system call %s", call);
	for (size_t i = 0; i < nr; i++) {
		if (!FITS_ANY(mere_sleep, functions[i]))
			return xasprintf("in %s", functions[i]);
	}
	return NULL;
}

char *wait_cause_of(const char *const *functions, size_t nr)
{
	const struct known_function *known = FIND_KNOWN(known_functions, functions, nr);

	if (!known)
		known = FIND_KNOWN(general_functions, functions, nr);
	return known ? tell_known(known, functions, nr) : tell_unknown(functions, nr);
}
