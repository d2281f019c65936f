// SPDX-License-Identifier: GPL-2.0
/*
 * Our events by perf_event_open(), which for tracepoints asks no privilege: whoever may enable them
 * acts on the whole machine. In a guest that has annot.ko loaded. Prints TAP.
 */
#include <linux/bpf.h>
#include <linux/capability.h>
#include <linux/perf_event.h>

#include "attack.h"

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"
#define NR_ANNOTATIONS 100

static const char *const events[] = { "annot_begin",	 "annot_end",	 "annot_mark",
				      "annot_counter",	 "annot_batch",	 "annot_name",
				      "annot_lost",	 "annot_sample", "annot_slice_counts",
				      "annot_pmu_state", "annot_config", "annot_blocked",
				      "annot_waking",	 "annot_stack" };

#define NR_EVENTS (sizeof(events) / sizeof(events[0]))

static int event_id(const char *event)
{
	char path[96], text[16] = "";
	int fd;

	snprintf(path, sizeof(path), TRACEFS "events/annot/%s/id", event);
	fd = open(path, O_RDONLY);
	if (fd < 0 || read(fd, text, sizeof(text) - 1) <= 0)
		die(path);
	close(fd);
	return atoi(text);
}

/* How perf is asked: to count, to sample, or to count with what tracing needs. */
enum way {
	COUNT,
	SAMPLE,
	RAW,
	NR_WAYS
};

static int open_perf(int id, enum way way, bool inherit, pid_t who, int cpu)
{
	struct perf_event_attr attributes = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attributes),
		.config = id,
		.sample_period = way == COUNT ? 0 : 1,
		.sample_type = way == RAW    ? PERF_SAMPLE_RAW :
			       way == SAMPLE ? PERF_SAMPLE_TID :
					       0,
		.exclude_kernel = geteuid() != 0,
		.exclude_hv = geteuid() != 0,
		.inherit = inherit,
	};

	return syscall(SYS_perf_event_open, &attributes, who, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* What the processes tell each other. */
struct ids {
	int of[NR_EVENTS];
	int other; /* of a tracepoint of the kernel's own */
};

static struct ids *ids;

/* Return: how many of our events could be had in any way. */
static int try_all(void)
{
	int nr_got = 0;

	for (size_t i = 0; i < NR_EVENTS; i++) {
		for (enum way way = 0; way < NR_WAYS; way++) {
			int fd = open_perf(ids->of[i], way, false, 0, -1);

			if (fd < 0 && (errno == EPERM || errno == EACCES))
				continue;
			printf("# %s: %s\n", events[i], fd < 0 ? strerror(errno) : "got");
			nr_got++;
			close(fd);
		}
	}
	return nr_got;
}

static int try_as_user(void *unused)
{
	(void)unused;
	become_user();
	return try_all();
}

static int try_as_root_of_namespace(void *unused)
{
	(void)unused;
	become_user();
	become_root_of_namespace();
	return try_all();
}

/* A tracepoint of others, to show that perf works at all for users. */
static int try_other(void *unused)
{
	(void)unused;
	become_user();
	return open_perf(ids->other, COUNT, false, 0, -1) < 0;
}

/* Only this one capability is left. */
static int try_with_perfmon(void *unused)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = { { 0 } };
	int nr = 0;

	(void)unused;
	data[CAP_PERFMON / 32].permitted = data[CAP_PERFMON / 32].effective = 1u
									      << CAP_PERFMON % 32;
	if (prctl(PR_SET_KEEPCAPS, 1))
		die("PR_SET_KEEPCAPS");
	become_user();
	if (syscall(SYS_capset, &header, data))
		die("capset");
	for (size_t i = 0; i < NR_EVENTS; i++) {
		int fd = open_perf(ids->of[i], RAW, false, -1, 0);

		if (fd < 0)
			printf("# %s: %s\n", events[i], strerror(errno));
		nr += fd >= 0;
		close(fd);
	}
	return nr != NR_EVENTS;
}

static int set_events(void)
{
	struct annot_event event = { .type = PERF_TYPE_SOFTWARE,
				     .config = PERF_COUNT_SW_PAGE_FAULTS,
				     .period = 1,
				     .flags = ANNOT_EVENT_USER,
				     .name = "faults" };
	struct annot_events set = { .events = (uintptr_t)&event, .nr = 1 };
	int fd = open("/dev/annot/ctl", O_RDONLY);

	if (fd < 0)
		die("/dev/annot/ctl");
	return ioctl(fd, ANNOT_IOC_EVENTS, &set) ? -errno : 0;
}

static int set_as_user(void *unused)
{
	(void)unused;
	become_user();
	return set_events() != -EPERM;
}

static int set_as_root_of_namespace(void *unused)
{
	(void)unused;
	become_user();
	become_root_of_namespace();
	return set_events() != -EPERM;
}

static void check_users(void)
{
	static const char *const levels[] = { "-1", "1", "2" };

	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
		set(PARANOID, levels[i]);
		check(run_task(try_other, NULL) == 0,
		      "perf_event_paranoid %s: a user can count a tracepoint of the kernel",
		      levels[i]);
		check(run_task(try_as_user, NULL) == 0, "but none of ours");
		check(run_task(try_as_root_of_namespace, NULL) == 0,
		      "nor can the root of a namespace of the user's own");
	}
	check(run_task(try_with_perfmon, NULL) == 0, "with CAP_PERFMON a user can");
	check(run_task(set_as_user, NULL) == 0, "a user cannot set events");
	check(run_task(set_as_root_of_namespace, NULL) == 0, "nor can the root of a namespace");
	check(set_events() == 0, "root can");
}

/* --- what perf counts for root, and for the child that inherits it */

static void annotate(void)
{
	int fd = open_cpu(0);

	for (int i = 0; i < NR_ANNOTATIONS; i++) {
		if (write(fd, "I mark", 6) != 6)
			die("write");
	}
	close(fd);
}

static int annotate_last(void *unused)
{
	(void)unused;
	annotate();
	return 0;
}

static int annotate_as_user(void *unused)
{
	become_user();
	annotate();
	return run_task(annotate_last, unused);
}

static bool is_recording(void)
{
	char text[128] = "";
	int fd = open("/dev/annot/ctl", O_RDONLY);

	if (fd < 0 || read(fd, text, sizeof(text) - 1) <= 0)
		die("/dev/annot/ctl");
	close(fd);
	return strstr(text, "recording 1");
}

static void check_inherited(void)
{
	int fd = open_perf(event_id("annot_mark"), COUNT, true, 0, -1);
	uint64_t count = 0;

	if (fd < 0)
		die("perf_event_open");
	check(is_recording(), "perf records");
	annotate();
	check(run_task(annotate_as_user, NULL) == 0, "a child and a child's child annotate");
	if (read(fd, &count, sizeof(count)) != sizeof(count))
		die("perf's count");
	printf("# %llu of %d\n", (unsigned long long)count, 3 * NR_ANNOTATIONS);
	check(count == 3 * NR_ANNOTATIONS, "perf counts for processes that inherit root's events");
	close(fd);
	check(!is_recording(), "and records no more");
}

/* --- BPF on the tracepoints themselves, which no event's callback hears of */

static int load_program(void)
{
	const struct bpf_insn program[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attributes = {
		.prog_type = BPF_PROG_TYPE_RAW_TRACEPOINT,
		.insns = (uintptr_t)program,
		.insn_cnt = sizeof(program) / sizeof(program[0]),
		.license = (uintptr_t) "GPL",
	};

	return syscall(SYS_bpf, BPF_PROG_LOAD, &attributes, sizeof(attributes));
}

static int attach_program(int program, const char *event)
{
	union bpf_attr attributes = {
		.raw_tracepoint = { .name = (uintptr_t)event, .prog_fd = program },
	};

	return syscall(SYS_bpf, BPF_RAW_TRACEPOINT_OPEN, &attributes, sizeof(attributes));
}

static int load_as_user(void *unused)
{
	(void)unused;
	become_user();
	return load_program() >= 0;
}

static void check_bpf(void)
{
	int program = load_program();
	int fds[NR_EVENTS];
	int nr = 0;

	if (program < 0)
		die("BPF_PROG_LOAD");
	check(run_task(load_as_user, NULL) == 0, "a user has no BPF for tracepoints");
	for (size_t i = 0; i < NR_EVENTS; i++) {
		fds[i] = attach_program(program, events[i]);
		nr += fds[i] >= 0;
	}
	check(nr == NR_EVENTS && is_recording(), "root has it on each of ours, and so records");
	annotate();
	check(run_task(annotate_as_user, NULL) == 0, "programs annotate");
	for (size_t i = 0; i < NR_EVENTS; i++)
		close(fds[i]);
	close(program);
	usleep(300000 * slowdown());
	check(!is_recording(), "and no longer");
}

int main(void)
{
	ids = shared_memory(sizeof(*ids));
	for (size_t i = 0; i < NR_EVENTS; i++)
		ids->of[i] = event_id(events[i]);
	ids->other = event_id("../task/task_newtask");
	check_users();
	set(PARANOID, "2");
	check_inherited();
	check_bpf();
	check(!is_recording(), "no recording is left");
	return all_well ? 0 : 1;
}
