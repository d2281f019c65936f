// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/unit/libannot/libannot_scenario.c */
/* Where annotations go, and who is told. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../../../libannot/device_rings.h"
#include "../../../libannot/rseq.h"
#include "../../../libannot/status.h"
#include "annot/annot.h"
#include "libannot_scenario.h"
#include "uapi/annot.h"

static void marker_writes(void)
{
	errno = 77;
	annotate_each_kind();
	check(errno == 77);
	check(annot_enabled());
	check(errno == 77);
	check_file("marker/trace_marker",
		   "B|%d|workB|%d|wait|wait|1E|%dI|%d|markC|%d|counter|-2E|%d", getpid(), getpid(),
		   getpid(), getpid(), getpid(), getpid());
	check(!strncmp(annot_status(), "marker: ", 8));
	check(strstr(annot_status(), "marker/trace_marker"));
}

/* Each thread looks when it has slept; where there is no such thing, one looks every 200 ms. */
static void marker_waits_for_a_recording(void)
{
	const struct timespec interval = { 0, 250000000 }, part_of_it = { 0, 50000000 };
	bool may_rest;

	annot_begin("unheard");
	check(!annot_enabled());
	check_empty("marker/trace_marker");
	may_rest = annot_control_page.recording == ANNOT_UNLESS_RESTING;
	check(may_rest == !annot_rseq_have());

	put_text("marker/tracing_on", "1\n");
	nanosleep(may_rest ? &part_of_it : &interval, NULL);
	annot_end();
	check(annot_enabled());
	check_file("marker/trace_marker", "E|%d", getpid());

	put_text("marker/events/enable", "0\n");
	nanosleep(&interval, NULL);
	annot_begin("unheard");
	check_file("marker/trace_marker", "E|%d", getpid());
}

static void marker_always_when_told(void)
{
	annot_mark("m");
	check(annot_enabled());
	check_file("marker/trace_marker", "I|%d|m", getpid());
}

static void marker_write_fails(void)
{
	errno = 77;
	annotate_each_kind();
	check(errno == 77);
}

static void off_when_told(void)
{
	annotate_each_kind();
	check(!annot_enabled());
	check(annot_control_page.recording == 0);
	check(!strcmp(annot_status(), "off; ANNOT_BACKEND=off"));
	check_empty("marker/trace_marker");
}

static void off_when_there_is_nothing(void)
{
	errno = 77;
	annotate_each_kind();
	check(!annot_enabled());
	check(errno == 77);
	check(annot_control_page.recording == 0);
	check(!strncmp(annot_status(), "off; ", 5));
	check(errno == 77);
	check(strstr(annot_status(), "(is the module annot loaded?)"));
	check(strstr(annot_status(), "nowhere/trace_marker: does not exist"));
}

static void annotate_with_stderr_in_file(void)
{
	int saved = dup(2);

	check(dup2(open("stderr", O_RDWR | O_CREAT, 0600), 2) == 2);
	annotate_each_kind();
	annotate_each_kind();
	check(dup2(saved, 2) == 2);
}

static void debug_says_why_once(void)
{
	annotate_with_stderr_in_file();
	check_file("stderr", "annot: %s\n", annot_status());
}

static void silent_unless_debug(void)
{
	annotate_with_stderr_in_file();
	check_empty("stderr");
}

static void device_writes(void)
{
	const char *device;

	use_device(ANNOT_ABI_VERSION);
	device = pinned_device();
	errno = 77;
	annotate_each_kind();
	check(errno == 77);
	check(annot_enabled());
	check_file(device, EACH_KIND_ON_DEVICE);
	check(!strncmp(annot_status(), "device: ", 8));
	/* the files have no clock */
	check(strstr(annot_status(), ", by write(), while an annot event is enabled; no rings: "));
	check_empty("marker/trace_marker");
}

/* Between another thread's decision for the device and its mapping of the page. */
static void rings_wait_for_the_control_page(void)
{
	use_device(ANNOT_ABI_VERSION);
	check(!annot_device_made_rings());
	check(annot_rings.progress == 0);
	annot_mark("m");
	check(strstr(annot_status(), "no rings: ")); /* so they were tried after it */
}

/* While another thread maps the rings, before the one that decided for the device has told so. */
static void rings_have_the_last_word(void)
{
	use_device(ANNOT_ABI_VERSION);
	annot_status_report_rings(0, 0);
	annot_mark("m");
	check(strstr(annot_status(), ", by rings, "));
}

static void device_page_switches(void)
{
	const char *device;
	int fd;

	use_device(ANNOT_ABI_VERSION);
	device = pinned_device();
	annot_begin("a");
	fd = open("dev/ctl", O_WRONLY);
	check(pwrite(fd, &(uint32_t){ 0 }, 4, offsetof(struct annot_control, recording)) == 4);
	check(!annot_enabled());
	annot_mark("unheard");
	check(pwrite(fd, &(uint32_t){ 1 }, 4, offsetof(struct annot_control, recording)) == 4);
	annot_end();
	check_file(device, "B aE");
}

static void device_of_another_version(void)
{
	use_device(ANNOT_ABI_VERSION + 1);
	annot_mark("m");
	check(!strncmp(annot_status(), "marker: ", 8));
	check(strstr(annot_status(), "dev: this library has version 2 of the ABI, "
				     "the module understands only 3"));
	check_file("marker/trace_marker", "I|%d|m", getpid());
}

static void device_or_nothing_when_told(void)
{
	annot_mark("m");
	check(!strncmp(annot_status(), "off; ", 5));
	check_empty("marker/trace_marker");
}

static void without_permission(void)
{
	use_device(ANNOT_ABI_VERSION);
	check(!chmod("dev", 0) && !chmod("marker/trace_marker", 0));
	if (geteuid() == 0)
		check(!setresuid(65534, 65534, 65534));
	annot_mark("m");
	check(!strncmp(annot_status(), "off; ", 5));
	check(strstr(annot_status(), "permission denied (join the group annot,"));
	check(strstr(annot_status(), "marker/trace_marker: permission denied"));
}

static const struct scenario scenarios[] = {
	{ SCENARIO(marker_writes) },
	{ SCENARIO(marker_waits_for_a_recording, .tracing_on = "0") },
	{ SCENARIO(marker_always_when_told, .backend = "marker", .tracing_on = "0") },
	{ SCENARIO(marker_write_fails, .tracefs = "full") },
	{ SCENARIO(off_when_told, .backend = "off") },
	{ SCENARIO(off_when_there_is_nothing, .tracefs = "nowhere") },
	{ SCENARIO(debug_says_why_once, .tracefs = "nowhere", .debug = true) },
	{ SCENARIO(silent_unless_debug, .tracefs = "nowhere") },
	{ SCENARIO(device_writes) },
	{ SCENARIO(rings_wait_for_the_control_page) },
	{ SCENARIO(rings_have_the_last_word) },
	{ SCENARIO(device_page_switches) },
	{ SCENARIO(device_of_another_version) },
	{ SCENARIO(device_or_nothing_when_told, .backend = "device") },
	{ SCENARIO(without_permission) },
};

int main(int argc, char **argv)
{
	return scenarios_main(argc, argv, scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
}
