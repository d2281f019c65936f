// SPDX-License-Identifier: GPL-2.0
/*
 * TLB misses: the span walk goes -r times through -w KiB, one load a page and page by page, so that
 * each load misses in a TLB with fewer entries than half of the pages. The spans before and after do
 * as many loads from one place on the stack, none of which misses. An annotation's value is the
 * number of loads.
 *
 * The thread sleeps before and after each span: between two sleeps it does nothing else, and that
 * is what it counts itself (-e).
 */
#include <inttypes.h>
#include <unistd.h>

#include "count.h"
#include "load.h"
#include "truth.h"
#include "walk.h"

#define PAGE_BYTES 4096
#define SLEEP_US 20000

static struct options options = {
	.letters = "rweo",
	.nr_rounds = 5,
	.working_set_kib = 65536,
	.output = "-",
};
static struct truth_thread *thread;
static int count_fd = -1;

static struct part {
	const char *name;
	int64_t count;
} parts[] = { { "before", -1 }, { "walk", -1 }, { "after", -1 } };

static void do_part(struct part *part, void *at, uint64_t nr_loads)
{
	int64_t count = count_read(count_fd);

	usleep(SLEEP_US);
	count_start(count_fd);
	truth_begin(thread, part->name, (int64_t)nr_loads);
	walk(at, nr_loads);
	truth_end(thread);
	count_stop(count_fd);
	usleep(SLEEP_US);
	if (count_fd >= 0)
		part->count = count_read(count_fd) - count;
}

/* Also of each part what was counted, -1 for not known. */
static void write_details(FILE *out)
{
	size_t i;

	walk_write_details(out);
	fputs(",\n\"counts\": {", out);
	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		fprintf(out, "%s\"%s\": %" PRId64, i ? ", " : "", parts[i].name, parts[i].count);
	fputs("}", out);
}

static void open_count(void)
{
	count_fd = count_open(options.event);
	if (count_fd < 0)
		die("cannot count %s: errno %d", options.event, -count_fd);
	count_stop(count_fd);
}

int main(int argc, char **argv)
{
	struct truth *truth;
	void *self = &self;
	size_t nr_pages;
	char *pages;

	parse_options(argc, argv, &options);
	nr_pages = (size_t)options.working_set_kib * 1024 / PAGE_BYTES;
	pages = walk_map("pages", nr_pages * PAGE_BYTES);
	walk_link_in_order(pages, nr_pages, PAGE_BYTES);
	truth = truth_create(1);
	truth_add_details(truth, write_details);
	thread = truth_thread_begin(truth, 0, "pages");
	if (options.event)
		open_count();
	/* The library finds the device with its first annotation. */
	truth_mark(thread, "ready", 0);
	do_part(&parts[0], &self, nr_pages * options.nr_rounds);
	do_part(&parts[1], pages, nr_pages * options.nr_rounds);
	do_part(&parts[2], &self, nr_pages * options.nr_rounds);
	truth_thread_end(thread);
	truth_write(truth, options.output);
	return 0;
}
