// SPDX-License-Identifier: GPL-2.0
/*
 * A program with the library, and a module of any version, in a guest with two CPUs.
 *
 *	abi version	prints the version of the ABI that it was built for
 *	abi used	prints TAP: the module is used, by rings and by write(), and nothing is lost
 *	abi refused	prints TAP: it is not, it is said why, and trace_marker takes its place
 */
#include <annot/annot.h>

#include "ring.h"
#include "switches.h"

#define NR_EACH 1000

static void annotate(void)
{
	for (int i = 0; i < NR_EACH; i++) {
		if (i % 100 == 0)
			stay_on(i / 100 % 2);
		annot_begin_value("span", i);
		annot_mark(i % 2 ? "odd" : "even");
		annot_end();
	}
	/* A switch takes what is in the ring. */
	leave_cpu();
}

static bool all_came(void)
{
	const size_t nr_expected = 3 * NR_EACH;

	for (size_t i = 0; i < nr_seen && i < nr_expected; i++) {
		char want[32] = "E";

		if (i % 3 == 0)
			snprintf(want, sizeof(want), "B span %zu", i / 3);
		if (i % 3 == 1)
			snprintf(want, sizeof(want), "I %s 0 (none)", i / 3 % 2 ? "odd" : "even");
		if (strcmp(seen[i].line, want)) {
			printf("# %zu: '%s' for '%s'\n", i, seen[i].line, want);
			return false;
		}
	}
	printf("# %zu annotations\n", nr_seen);
	return nr_seen == nr_expected && !nr_lost_otherwise;
}

static uint32_t module_version(void)
{
	const struct annot_control *control;
	uint32_t version;
	int fd = open("/dev/annot/ctl", O_RDONLY);

	control = mmap(NULL, PAGE_BYTES, PROT_READ, MAP_SHARED, fd, 0);
	if (control == MAP_FAILED)
		die("control page");
	version = control->version;
	munmap((void *)control, PAGE_BYTES);
	close(fd);
	return version;
}

static void use(void)
{
	const uint32_t version = module_version();

	record_as(true);
	annotate();
	printf("# %s\n", annot_status());
	check(strstr(annot_status(), "by rings"), "module of version %u: there are rings", version);
	collect();
	check(all_came(), "module of version %u: all that went through rings came", version);
	record_as(false);
	annotate();
	collect();
	check(all_came(), "module of version %u: all that was written came", version);
	enable("annot", false);
}

static size_t nr_in_trace(const char *text)
{
	static char line[4096];
	FILE *trace = fopen(TRACEFS "trace", "r");
	size_t nr = 0;

	while (trace && fgets(line, sizeof(line), trace))
		nr += !!strstr(line, text);
	if (!trace)
		die("trace");
	fclose(trace);
	return nr;
}

static void be_refused(void)
{
	const uint32_t version = module_version();
	char why[128];

	snprintf(why, sizeof(why),
		 "this library has version %d of the ABI, the module understands %d to %u",
		 ANNOT_ABI_VERSION, ANNOT_ABI_VERSION + 1, version);
	record_as(false);
	annotate();
	printf("# %s\n", annot_status());
	check(strstr(annot_status(), why), "module of version %u: the library says why not",
	      version);
	check(nr_in_trace("tracing_mark_write: B|") == NR_EACH,
	      "module of version %u: all came through trace_marker", version);
	enable("annot", false);
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "version")) {
		printf("%d\n", ANNOT_ABI_VERSION);
		return 0;
	}
	set(TRACEFS "tracing_on", "1");
	if (argc == 2 && !strcmp(argv[1], "used")) {
		use();
	} else if (argc == 2 && !strcmp(argv[1], "refused")) {
		be_refused();
	} else {
		fputs("usage: abi version|used|refused\n", stderr);
		return 2;
	}
	return all_well ? 0 : 1;
}
