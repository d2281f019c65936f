// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/unit/libannot/libannot_scenario.c tests/unit/libannot/raw_file.c */
/* The system calls that annot(3) names are all that a sandbox must allow. */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../../libannot/rseq.h"
#include "annot/annot.h"
#include "libannot_scenario.h"
#include "raw_file.h"
#include "uapi/annot.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Of the section "Sandboxes", in its order. */
static const int always[] = {
	SYS_openat,	SYS_close, SYS_fcntl,	SYS_write,	    SYS_pread64, SYS_mmap,
	SYS_munmap,	SYS_ioctl, SYS_madvise, SYS_rt_sigprocmask, SYS_prctl,
#ifdef SYS_newfstatat
	SYS_newfstatat,
#endif
	SYS_rseq,
};
static const int without_module[] = { SYS_getpid };
static const int in_batches[] = { SYS_gettid, SYS_mprotect, SYS_getrandom, SYS_futex };

static struct sock_filter filter[64];
static unsigned short nr_instructions;

static void allow(const int *calls, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		filter[nr_instructions++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
									 (unsigned int)calls[i], 0,
									 1);
		filter[nr_instructions++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K,
									 SECCOMP_RET_ALLOW);
	}
}

/* And the test's own: to end. All else ends it, by SIGSYS. */
static void close_sandbox(void)
{
	static const int own[] = { SYS_exit_group };
	struct sock_fprog program = { .filter = filter };

	allow(own, COUNT(own));
	filter[nr_instructions++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K,
								 SECCOMP_RET_KILL_PROCESS);
	program.len = nr_instructions;
	check(!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	check(!prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0));
}

static void open_sandbox(void)
{
	filter[nr_instructions++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
								 offsetof(struct seccomp_data, nr));
	allow(always, COUNT(always));
}

static void annotate_in_sandbox(void)
{
	int i, status;
	pid_t child = fork();

	if (!child) {
		close_sandbox();
		for (i = 0; i < 1000; i++)
			annotate_each_kind();
		annot_thread_name("sandbox");
		annot_flush();
		_exit(!annot_enabled());
	}
	check(waitpid(child, &status, 0) == child);
	if (status)
		fprintf(stderr, "status %#x\n", (unsigned int)status);
	check(!status);
}

static void device(void)
{
	use_device(ANNOT_ABI_VERSION);
	open_sandbox();
	annotate_in_sandbox();
	check_empty("marker/trace_marker");
}

static void marker(void)
{
	open_sandbox();
	allow(without_module, COUNT(without_module));
	annotate_in_sandbox();
	check(*get_text("marker/trace_marker"));
}

static void batches(void)
{
	open_sandbox();
	allow(without_module, COUNT(without_module));
	allow(in_batches, COUNT(in_batches));
	annotate_in_sandbox();
	check(!annot_rseq_have() ? raw_file_count("marker/trace_marker_raw") == 6000 :
				   *get_text("marker/trace_marker") != 0);
}

static void where_there_is_nothing(void)
{
	check(!chdir("/"));
	open_sandbox();
	allow(without_module, COUNT(without_module));
	close_sandbox();
	annot_mark("m");
	/* the texts of refusals have looked at files */
	_exit(strncmp(annot_status(), "off; ", 5) != 0);
}

static const struct scenario scenarios[] = {
	{ SCENARIO(device) },
	{ SCENARIO(marker) },
	{ SCENARIO(batches, .batches = true) },
	{ SCENARIO(where_there_is_nothing, .tracefs = "nowhere") },
};

int main(int argc, char **argv)
{
	return scenarios_main(argc, argv, scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
}
