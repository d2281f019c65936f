// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/unit/libannot/libannot_scenario.c tests/unit/libannot/raw_file.c */
/* The fall-back in batches: when it is used, and when it writes what it has gathered. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "annot/annot.h"
#include "libannot_scenario.h"
#include "raw_file.h"
#include "uapi/annot.h"

#define RAW "marker/trace_marker_raw"
#define MAX_PENDING 250 /* as annot(3) tells */
#define MAX_AGE_MS 10

static void wait_ms(long ms)
{
	nanosleep(&(struct timespec){ 0, ms * 1000000 }, NULL);
}

static void check_is(const struct raw_annotation *annotation, uint8_t op, const char *name,
		     bool has_value, int64_t value)
{
	check(annotation->op == op);
	check(!strcmp(annotation->name, name));
	check(annotation->has_value == has_value);
	check(!has_value || annotation->value == value);
	check(annotation->tid == gettid());
	check(annotation->tgid == getpid());
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void writes_batches(void)
{
	struct raw_file file;
	uint64_t begin_ns = now_ns();

	errno = 77;
	annotate_each_kind();
	annot_next_value("next", INT64_MIN);
	check(errno == 77);
	check(annot_enabled());
	check(raw_file_count(RAW) == 0);
	annot_flush();
	check(errno == 77);
	file = raw_file_read(RAW);
	check(file.nr == 7 && file.nr_batches == 1);
	check_is(&file.annotations[0], ANNOT_OP_BEGIN, "work", false, 0);
	check_is(&file.annotations[1], ANNOT_OP_WAIT_BEGIN, "wait", true, 1);
	check_is(&file.annotations[2], ANNOT_OP_END, "", false, 0);
	check_is(&file.annotations[3], ANNOT_OP_MARK, "mark", false, 0);
	check_is(&file.annotations[4], ANNOT_OP_COUNTER, "counter", true, -2);
	check_is(&file.annotations[5], ANNOT_OP_END, "", false, 0);
	check_is(&file.annotations[6], ANNOT_OP_NEXT, "next", true, INT64_MIN);
	check(file.annotations[0].ns >= begin_ns && file.annotations[6].ns <= now_ns());
	check(file.nr_lost == 0 && file.nr_hellos == 1 && file.nr_paddings == 1);
	check_empty("marker/trace_marker");
	check(!strncmp(annot_status(), "raw: ", 5));
	check(strstr(annot_status(), "/trace_marker_raw, in batches, while events are recorded"));
	raw_file_free(&file);
}

static void always_when_told(void)
{
	annot_mark("m");
	check(annot_enabled());
	annot_flush();
	check(raw_file_count(RAW) == 1);
	check(strstr(annot_status(), "in batches, always"));
}

static void users_choice_wins(void)
{
	annot_mark("m");
	annot_flush();
	check_file("marker/trace_marker", "I|%d|m", getpid());
	check(raw_file_count(RAW) == 0);
	check(!strncmp(annot_status(), "marker: ", 8));
	check(!strstr(annot_status(), "batches"));
}

static void check_falls_back(const char *why)
{
	errno = 77;
	annot_mark("m");
	check(errno == 77);
	check_file("marker/trace_marker", "I|%d|m", getpid());
	check(!strncmp(annot_status(), "marker: ", 8));
	check(strstr(annot_status(), why));
}

static void without_the_file(void)
{
	check(!unlink(RAW));
	check_falls_back("; no batches: trace_marker_raw: does not exist");
}

static void without_permission(void)
{
	check(!chmod(RAW, 0));
	check(!chmod("marker/trace_marker", 0666) && !chmod(".", 0777) && !chmod("marker", 0777));
	check(!chmod("clocksource", 0444) && !chmod("marker/tracing_on", 0444));
	check(!chmod("marker/events", 0777));
	check(!chmod("marker/events/enable", 0444));
	if (geteuid() == 0)
		check(!setresuid(65534, 65534, 65534));
	check_falls_back("; no batches: trace_marker_raw: permission denied");
}

static void without_a_clock(void)
{
	put_text("clocksource", "hpet\n");
	check_falls_back("; no batches: the kernel does not trust the processor's clock");
}

static void without_any_clock(void)
{
	check(!unlink("clocksource"));
	check_falls_back("; no batches: the kernel does not trust");
}

static void device_is_preferred(void)
{
	const char *device;

	use_device(ANNOT_ABI_VERSION);
	device = pinned_device();
	annot_mark("m");
	check_file(device, "I m");
	check(raw_file_count(RAW) == 0);
}

static void set_recording(const char *on)
{
	put_text("marker/tracing_on", on);
	wait_ms(250); /* so often it looks */
}

static void waits_for_a_recording(void)
{
	struct raw_file file;

	annot_begin("unheard");
	annot_flush();
	set_recording("1\n");
	annot_mark("heard");
	annot_flush();
	set_recording("0\n");
	annot_mark("unheard");
	wait_ms(2 * MAX_AGE_MS);
	annot_mark("unheard");
	annot_flush();
	set_recording("1\n");
	annot_mark("heard again");
	annot_flush();
	file = raw_file_read(RAW);
	check(file.nr == 2);
	check_is(&file.annotations[0], ANNOT_OP_MARK, "heard", false, 0);
	check_is(&file.annotations[1], ANNOT_OP_MARK, "heard again", false, 0);
	check_empty("marker/trace_marker");
	/* Who began to record knows neither the thread nor the names from before. */
	check(file.nr_hellos == 2 && file.nr_names_told >= 3);
	raw_file_free(&file);
}

/* A SIGKILL may come at any time. */
static void keeps_no_more_than_it_says(void)
{
	int64_t i;

	for (i = 1; i <= 3000; i++) {
		annot_mark_value("m", i);
		if (i % 37 == 0)
			check(raw_file_count(RAW) + MAX_PENDING >= (size_t)i);
	}
}

static void keeps_none_longer_than_it_says(void)
{
	size_t nr = 0;
	int i;

	for (i = 1; i <= 5; i++) {
		annot_begin("b");
		annot_end();
		nr += 2;
		wait_ms(MAX_AGE_MS + 2);
		annot_mark("m");
		check(raw_file_count(RAW) >= nr);
		nr++;
	}
	check(raw_file_count(RAW) < nr); /* but it gathers */
}

static void all_in_order(void)
{
	struct raw_file file;
	int64_t i;

	for (i = 0; i < 100000; i++)
		annot_counter("c", i);
	annot_flush();
	file = raw_file_read(RAW);
	check(file.nr == 100000 && file.nr_lost == 0);
	for (i = 0; i < 100000; i++) {
		check_is(&file.annotations[i], ANNOT_OP_COUNTER, "c", true, i);
		check(!i || file.annotations[i - 1].ns <= file.annotations[i].ns);
	}
	check(file.nr_batches < 100000 / 100); /* not many of them were small */
	raw_file_free(&file);
}

static void names_of_all_sorts(void)
{
	char longest[300], name[32];
	struct raw_file file;
	size_t i;

	memset(longest, 'x', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = 0;
	annot_mark(longest);
	annot_mark(NULL);
	annot_mark("tab\t|wait|5");
	for (i = 0; i < 100; i++) {
		snprintf(name, sizeof(name), "name %zu", i % 10);
		annot_mark(name);
	}
	annot_flush();
	file = raw_file_read(RAW);
	check(file.nr == 103);
	check(strlen(file.annotations[0].name) == 255);
	check(!strcmp(file.annotations[1].name, "?"));
	check(!strcmp(file.annotations[2].name, "tab?|wait|5"));
	for (i = 0; i < 100; i++) {
		snprintf(name, sizeof(name), "name %zu", i % 10);
		check(!strcmp(file.annotations[3 + i].name, name));
	}
	raw_file_free(&file);
}

static size_t count_lines(const char *text, char of)
{
	size_t nr = 0;

	for (; *text; text++)
		nr += *text == of;
	return nr;
}

/* What does not get a number is written as text, and behind what was made before. */
static void more_names_than_it_keeps(void)
{
	char name[32];
	size_t nr_as_text;
	int i;

	for (i = 0; i < 3000; i++) {
		snprintf(name, sizeof(name), "%d", i);
		annot_mark(name);
		if (i == 2500)
			check(raw_file_count(RAW) +
				      count_lines(get_text("marker/trace_marker"), 'I') ==
			      2501);
	}
	annot_flush();
	nr_as_text = count_lines(get_text("marker/trace_marker"), 'I');
	check(nr_as_text >= 900 && raw_file_count(RAW) + nr_as_text == 3000);
}

static void names_are_told_again(void)
{
	struct raw_file file;
	size_t nr_told;

	annot_mark("m");
	annot_flush();
	file = raw_file_read(RAW);
	nr_told = file.nr_names_told;
	raw_file_free(&file);
	nanosleep(&(struct timespec){ 1, 50000000 }, NULL);
	annot_mark("m");
	annot_flush();
	file = raw_file_read(RAW);
	check(file.nr_names_told > nr_told);
	raw_file_free(&file);
}

static void write_fails(void)
{
	int i;

	errno = 77;
	for (i = 0; i < 1000; i++)
		annotate_each_kind();
	annot_flush();
	check(errno == 77);
	check(!strncmp(annot_status(), "raw: ", 5));
}

static void losses_are_told(void)
{
	struct raw_file file;
	int i, fd;

	annot_mark("m");
	annot_flush();
	/* its descriptor, for a while, is that of something that is full */
	for (fd = 48; fd < 200; fd++) {
		char link[64], target[64] = "";

		snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
		if (readlink(link, target, sizeof(target) - 1) > 0 && strstr(target, "marker_raw"))
			break;
	}
	check(fd < 200);
	check(dup2(fd, 300) == 300);
	check(dup2(open("/dev/full", O_WRONLY), fd) == fd);
	check(!fcntl(fd, F_SETSIG, fcntl(300, F_GETSIG)));
	for (i = 0; i < 10; i++)
		annot_mark("lost");
	annot_flush();
	check(dup2(300, fd) == fd);
	annot_mark("m");
	annot_flush();
	file = raw_file_read(RAW);
	check(file.nr_lost == 10);
	check(file.nr == 2);
	raw_file_free(&file);
}

static void spares_strangers(void)
{
	int fd;

	annot_begin("a");
	for (fd = 3; fd < 200; fd++)
		close(fd);
	for (fd = 3; fd < 200; fd++)
		check(open("stranger", O_RDWR | O_CREAT, 0600) == fd);
	annot_end();
	annot_flush();
	check_empty("stranger");
}

#if defined(__x86_64__)
static void without_the_tsc(void)
{
	check(!prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0));
	annot_mark("m");
	annot_flush();
	check(raw_file_count(RAW) == 0);
	check_file("marker/trace_marker", "I|%d|m", getpid());
	check(!strncmp(annot_status(), "marker: ", 8));
	check(strstr(annot_status(), "; no batches: the thread may not read the TSC (PR_SET_TSC)"));
}
#endif

static void as_device_or_nothing(void)
{
	annot_mark("m");
	annot_flush();
	check(!strncmp(annot_status(), "off; ", 5));
	check(raw_file_count(RAW) == 0);
}

static const struct scenario scenarios[] = {
	{ SCENARIO(writes_batches, .batches = true) },
	{ SCENARIO(always_when_told, .backend = "raw", .tracing_on = "0") },
	{ SCENARIO(users_choice_wins, .backend = "marker", .batches = true) },
	{ SCENARIO(without_the_file, .batches = true) },
	{ SCENARIO(without_permission, .batches = true) },
	{ SCENARIO(without_a_clock, .batches = true) },
	{ SCENARIO(without_any_clock, .backend = "raw") },
	{ SCENARIO(device_is_preferred, .batches = true) },
	{ SCENARIO(waits_for_a_recording, .batches = true, .tracing_on = "0") },
	{ SCENARIO(keeps_no_more_than_it_says, .batches = true) },
	{ SCENARIO(keeps_none_longer_than_it_says, .batches = true) },
	{ SCENARIO(all_in_order, .batches = true) },
	{ SCENARIO(names_of_all_sorts, .batches = true) },
	{ SCENARIO(more_names_than_it_keeps, .batches = true) },
	{ SCENARIO(names_are_told_again, .batches = true) },
	{ SCENARIO(write_fails, .batches = true, .tracefs = "full") },
	{ SCENARIO(losses_are_told, .batches = true) },
	{ SCENARIO(spares_strangers, .batches = true) },
#if defined(__x86_64__)
	{ SCENARIO(without_the_tsc, .batches = true) },
#endif
	{ SCENARIO(as_device_or_nothing, .backend = "device", .batches = true) },
};

int main(int argc, char **argv)
{
	return scenarios_main(argc, argv, scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
}
