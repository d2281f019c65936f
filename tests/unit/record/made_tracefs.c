// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "made_tracefs.h"
#include "trace/file/trace_file_open.h"
#include "trace/file/pages.h"

#define PAGE_HEADER_BYTES 16u
#define ENTRY_BYTES 16u
#define RECORD_BYTES 12u
#define EVENT_ID 77
#define FIRST_NS 5000000000ull
#define PAGE_NS 1000000ull

#define COMMON                                                                         \
	"format:\n"                                                                    \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"         \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"         \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static const struct made_file {
	const char *path;
	const char *text;
} files[] = {
	{ "events/header_page", "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
				"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
				"\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
				"\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;\n" },
	{ "events/header_event", "# compressed entry header\n" },
	{ "events/enable", "X\n" },
	{ "events/ftrace/print/format",
	  "name: print\nID: 5\n" COMMON "\tfield:unsigned long ip;\toffset:8;\tsize:8;\tsigned:0;\n"
	  "\tfield:char buf[];\toffset:16;\tsize:0;\tsigned:0;\n\n"
	  "print fmt: \"%ps: %s\", (void *)REC->ip, REC->buf\n" },
	{ "events/made/enable", "1\n" },
	{ "events/made/number/format",
	  "name: number\nID: 77\n" COMMON "\tfield:unsigned int number;\toffset:8;\tsize:4;\t"
	  "signed:0;\n\nprint fmt: \"number=%u\", REC->number\n" },
	{ "events/made/nothing/enable", "0\n" },
	{ "events/empty/enable", "0\n" },
	{ "trace_clock", "[local] global mono\n" },
	{ "saved_cmdlines", "4711 writer\n" },
	{ "saved_cmdlines_size", "128\n" },
};

static void make_directories(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		assert_true(!mkdir(path, 0755) || errno == EEXIST);
		*slash = '/';
	}
}

void made_tracefs(const char *dir)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		char path[PATH_MAX];
		FILE *file;

		snprintf(path, sizeof(path), "%s/tracing/%s", dir, files[i].path);
		make_directories(path);
		file = fopen(path, "w");
		assert_non_null(file);
		assert_true(fputs(files[i].text, file) >= 0);
		assert_int_equal(fclose(file), 0);
	}
}

/* What is returned stays until the process ends: plans and CPUs hold it. */
static const char *path_of(const char *dir, const char *name)
{
	static char **paths;
	static size_t nr;
	char *path;

	assert_true(asprintf(&path, "%s/%s", dir, name) > 0);
	paths = realloc(paths, (nr + 1) * sizeof(*paths));
	assert_non_null(paths);
	paths[nr++] = path;
	return path;
}

struct dat_plan made_plan(const char *dir, const char *name, int version, const char *compression)
{
	const char *tracing = path_of(dir, "tracing");

	return (struct dat_plan){
		.path = path_of(dir, name),
		.tracing_dir = tracing,
		.buffer_dir = tracing,
		.clock = "mono",
		.compression = compression,
		.version = version,
		.nr_cpus = MADE_NR_CPUS,
	};
}

uint32_t made_number(int cpu, uint64_t nr)
{
	uint64_t mixed = (nr + 1 + ((uint64_t)cpu << 40)) * 0x9e3779b97f4a7c15ull;

	mixed = (mixed ^ mixed >> 29) * 0xbf58476d1ce4e5b9ull;
	return (uint32_t)(mixed >> 32);
}

void made_page(int cpu, uint64_t page, uint8_t bytes[MADE_PAGE_BYTES])
{
	uint64_t head[2] = { FIRST_NS + page * PAGE_NS, MADE_PAGE_EVENTS * ENTRY_BYTES };

	memcpy(bytes, head, sizeof(head));
	for (uint32_t i = 0; i < MADE_PAGE_EVENTS; i++) {
		uint32_t entry[4] = {
			(i ? 1u : 0) << 5 | RECORD_BYTES / 4,
			EVENT_ID,
			4711,
			made_number(cpu, page * MADE_PAGE_EVENTS + i),
		};

		memcpy(bytes + PAGE_HEADER_BYTES + (size_t)i * ENTRY_BYTES, entry, sizeof(entry));
	}
}

static struct dat_cpu open_cpu(const char *dir, int cpu)
{
	struct dat_cpu made = { .stats = "entries: 1\nread events: 1\n" };
	char name[16];

	snprintf(name, sizeof(name), "cpu%d", cpu);
	made.path = path_of(dir, name);
	made.fd = open(made.path, O_RDWR | O_CREAT | O_TRUNC, 0644);
	assert_true(made.fd >= 0);
	return made;
}

static bool add_page(struct dat_cpu *made, int cpu, uint64_t page)
{
	uint8_t bytes[MADE_PAGE_BYTES];

	made_page(cpu, page, bytes);
	if (pwrite(made->fd, bytes, sizeof(bytes), (off_t)made->bytes) != sizeof(bytes))
		return false;
	made->bytes += sizeof(bytes);
	return true;
}

struct dat_cpu made_cpu(const char *dir, int cpu, uint64_t nr_pages)
{
	struct dat_cpu made = open_cpu(dir, cpu);

	if (!nr_pages)
		made.stats = "entries: 0\nread events: 0\n";
	for (uint64_t page = 0; page < nr_pages; page++)
		assert_true(add_page(&made, cpu, page));
	return made;
}

struct dat_cpu made_cpu_to_the_full(const char *dir, int cpu)
{
	struct dat_cpu made = open_cpu(dir, cpu);

	while (add_page(&made, cpu, made.bytes / MADE_PAGE_BYTES))
		;
	assert_int_equal(errno, ENOSPC);
	return made;
}

static void no_format(void *context, const char *system, const char *text)
{
	(void)system;
	(void)text;
	(*(int *)context)++;
}

static int read_cpu(struct trace_file *file, const struct cpu_data *data, struct made_read *read)
{
	struct page_reader *reader = page_reader_new(file, data, NULL);
	uint64_t *nr = &read->nr_events[data->cpu];
	struct raw_record record;
	int got;

	while ((got = page_reader_next(reader, &record)) > 0) {
		assert_int_equal(record.size, RECORD_BYTES);
		assert_int_equal(record.time_ns, FIRST_NS + *nr / MADE_PAGE_EVENTS * PAGE_NS +
							 *nr % MADE_PAGE_EVENTS);
		assert_int_equal(load_u32(record.data + 8, false), made_number(data->cpu, *nr));
		++*nr;
	}
	page_reader_free(reader);
	return got;
}

int made_read(const char *dir, const char *name, struct made_read *read)
{
	const char *path = path_of(dir, name);
	struct trace_file file;
	int nr_formats = 0;
	int err = 0;

	*read = (struct made_read){ 0 };
	if (trace_file_open(&file, path, no_format, &nr_formats))
		return -1;
	assert_int_equal(nr_formats, 2);
	assert_string_equal(file.clock, "mono");
	read->truncated = file.truncated;
	read->cpus_guessed = file.cpus_guessed;
	for (int i = 0; !err && i < file.nr_cpus; i++)
		err = read_cpu(&file, &file.cpus[i], read);
	trace_file_close(&file);
	return err;
}

char *made_kallsyms(const char *dir, const char *name)
{
	struct trace_file file;
	int nr_formats = 0;
	char *text;

	assert_int_equal(trace_file_open(&file, path_of(dir, name), no_format, &nr_formats), 0);
	text = trace_file_text(&file, TRACE_FILE_KALLSYMS);
	assert_non_null(text);
	trace_file_close(&file);
	return text;
}

static int stderr_before = -1;
static FILE *told;

void told_begin(void)
{
	fflush(stderr);
	told = tmpfile();
	assert_non_null(told);
	stderr_before = dup(STDERR_FILENO);
	assert_true(stderr_before >= 0 && dup2(fileno(told), STDERR_FILENO) >= 0);
}

char *told_end(void)
{
	size_t size = 0;
	char *text = NULL;

	fflush(stderr);
	dup2(stderr_before, STDERR_FILENO);
	close(stderr_before);
	rewind(told);
	if (getdelim(&text, &size, '\0', told) < 0) {
		free(text);
		text = strdup("");
	}
	fclose(told);
	assert_non_null(text);
	return text;
}

void expect_one_line(const char *one, const char *other)
{
	char *text = told_end();
	char *end = strchr(text, '\n');

	if (!end || end[1] || !strstr(text, one) || !strstr(text, other))
		fail_msg("not one line with '%s' and '%s': '%s'", one, other, text);
	free(text);
}
