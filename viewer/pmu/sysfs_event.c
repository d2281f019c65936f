// SPDX-License-Identifier: GPL-2.0
#include "pmu/sysfs_event.h"

#include <ctype.h>
#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmu/sysfs_line.h"
#include "pmu/uncore.h"
#include "util/text/scan.h"
#include "util/xalloc.h"

#define MAX_TEXT_BYTES 256
#define NR_CONFIGS 3
#define CONFIG_BITS 64

/* AMD's driver rounds periods down to a multiple without a word. */
#define IBS_PREFIX "ibs_"
#define IBS_PERIOD_STEP 16
/* Instructions. Its interrupts take some thousands of them. */
#define IBS_DEFAULT_PERIOD 500000

/* An event that is being parsed. */
struct parse {
	const char *folder;
	char *pmu;
	uint64_t configs[NR_CONFIGS];
	struct pmu_code *code;
	char *why;
	size_t size;
};

bool sysfs_event_is_one(const char *name)
{
	return strchr(name, '/') != NULL;
}

size_t sysfs_event_length(const char *list)
{
	size_t length = strcspn(list, ",/");
	const char *end = list[length] == '/' ? strchr(list + length + 1, '/') : NULL;

	return end ? (size_t)(end - list) + strcspn(end, ",") : strcspn(list, ",");
}

static bool __attribute__((format(printf, 2, 3)))
fail(const struct parse *parse, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(parse->why, parse->size, format, args);
	va_end(args);
	return false;
}

/* What goes into a path: no slash, and no ".." */
static bool is_plain_name(struct scan_text text)
{
	for (const char *at = text.start; at < text.end; at++) {
		if (!isalnum((unsigned char)*at) && *at != '_' && *at != '-')
			return false;
	}
	return scan_bytes(text) > 0;
}

/* The first line of the PMU's file @kind/@name. What is longer than any of the kernel's is none. */
static bool read_line(const struct parse *parse, const char *kind, struct scan_text name,
		      char line[MAX_TEXT_BYTES])
{
	char *file = xasprintf("%s%.*s", kind, (int)scan_bytes(name), name.start);
	char *text = sysfs_line_read(parse->folder, parse->pmu, file);
	bool is_read = text && strlen(text) < MAX_TEXT_BYTES;

	if (is_read)
		strcpy(line, text);
	free(text);
	free(file);
	return is_read;
}

static struct scan_text text_of(const char *string)
{
	return (struct scan_text){ string, string + strlen(string) };
}

static bool take_number(struct scan_text text, uint64_t *value)
{
	if (scan_bytes(text) > 2 && text.start[0] == '0' && tolower(text.start[1]) == 'x')
		return scan_hex((struct scan_text){ text.start + 2, text.end }, value);
	return scan_unsigned(text, value);
}

/* A PMU of one core says "cpus", if its CPUs are not all; the kernel's perf takes this for the same sign. */
static bool is_uncore(const struct parse *parse)
{
	char line[MAX_TEXT_BYTES];

	return read_line(parse, UNCORE_CPUMASK, text_of(""), line);
}

/* The next part of @rest, up to @separator or to its end; false: it is empty. */
static bool next_part(struct scan_text *rest, char separator, struct scan_text *part)
{
	if (!scan_bytes(*rest))
		return false;
	if (scan_field(rest, separator, part))
		return true;
	*part = *rest;
	rest->start = rest->end;
	return true;
}

/* "config", "config1", "config2": a whole word; -1: none of them. */
static int find_config(struct scan_text name)
{
	static const char *const names[NR_CONFIGS] = { "config", "config1", "config2" };

	for (int i = 0; i < NR_CONFIGS; i++) {
		if (scan_is(name, names[i]))
			return i;
	}
	return -1;
}

/* Puts the low bits of @value to the bits @range, "8-15" or "19", and drops them. */
static bool place_bits(struct scan_text range, uint64_t *config, uint64_t *value)
{
	struct scan_text first;
	uint64_t from, to;
	unsigned int nr;

	if (!next_part(&range, '-', &first) || !scan_unsigned(first, &from))
		return false;
	to = from;
	if (scan_bytes(range) && !scan_unsigned(range, &to))
		return false;
	if (to < from || to >= CONFIG_BITS)
		return false;
	nr = (unsigned int)(to - from) + 1;
	*config |= (nr < CONFIG_BITS ? *value & ((1ull << nr) - 1) : *value) << from;
	*value = nr < CONFIG_BITS ? *value >> nr : 0;
	return true;
}

/* @format: "config1:0-7,21". */
static bool place_value(const struct parse *parse, struct scan_text name, const char *format,
			uint64_t value, uint64_t configs[NR_CONFIGS])
{
	struct scan_text rest = text_of(format), word, range;
	int config = scan_field(&rest, ':', &word) ? find_config(word) : -1;
	uint64_t left = value;
	bool is_placed = config >= 0;

	while (is_placed && next_part(&rest, ',', &range))
		is_placed = place_bits(range, &configs[config], &left);
	if (!is_placed)
		return fail(parse, "the kernel's format of '%.*s' is not known: %s",
			    (int)scan_bytes(name), name.start, format);
	if (left)
		return fail(parse, "'%.*s=0x%llx' has more bits than %s", (int)scan_bytes(name),
			    name.start, (unsigned long long)value, parse->pmu);
	return true;
}

static bool take_terms(struct parse *parse, struct scan_text terms, bool may_be_event);

static bool take_term(struct parse *parse, struct scan_text term, bool may_be_event)
{
	char line[MAX_TEXT_BYTES];
	struct scan_text name;
	uint64_t value = 1;
	bool has_value = scan_field(&term, '=', &name);

	if (!has_value)
		name = term;
	if (!is_plain_name(name) || (has_value && !take_number(term, &value)))
		return fail(parse, "'%.*s' is not TERM=NUMBER", (int)(term.end - name.start),
			    name.start);
	if (!has_value && may_be_event && read_line(parse, "events/", name, line))
		return take_terms(parse, text_of(line), false);
	if (scan_is(name, "period")) {
		parse->code->period = value;
		return value ? true : fail(parse, "a period is 1 or more");
	}
	if (find_config(name) >= 0) {
		parse->configs[find_config(name)] |= value;
		return true;
	}
	if (!read_line(parse, "format/", name, line))
		return fail(parse, "%s has no '%.*s' (ls %s/%s/format %s/%s/events)", parse->pmu,
			    (int)scan_bytes(name), name.start, parse->folder, parse->pmu,
			    parse->folder, parse->pmu);
	return place_value(parse, name, line, value, parse->configs);
}

static bool take_terms(struct parse *parse, struct scan_text terms, bool may_be_event)
{
	struct scan_text term;

	while (next_part(&terms, ',', &term)) {
		if (!take_term(parse, term, may_be_event))
			return false;
	}
	return true;
}

/* "period=N" or "precise=N". */
static bool take_figure(const struct parse *parse, struct scan_text name, struct scan_text number)
{
	uint64_t value;

	if (scan_is(name, "period") && take_number(number, &value) && value)
		parse->code->period = value;
	else if (scan_is(name, "precise") && take_number(number, &value) && value <= PRECISE_MOST)
		parse->code->precise = (int)value;
	else
		return fail(parse, "'%.*s' is not period=N (1 or more) or precise=N (at most %d)",
			    (int)(number.end - name.start), name.start, PRECISE_MOST);
	return true;
}

/* "u", "k" and "p", as often as wanted. */
static bool take_letters(const struct parse *parse, struct scan_text letters)
{
	for (const char *at = letters.start; at < letters.end; at++) {
		if (*at == 'u')
			parse->code->user = true;
		else if (*at == 'k')
			parse->code->kernel = true;
		else if (*at == 'p')
			parse->code->precise++;
		else
			return fail(parse, "'%c' is not one of its modifiers: u, k, p", *at);
	}
	if (parse->code->precise > PRECISE_MOST)
		return fail(parse, "'p' may stand %d times", PRECISE_MOST);
	return true;
}

/* Colons may stand between modifiers, as behind other events. */
static bool take_modifiers(const struct parse *parse, const char *modifiers)
{
	struct scan_text rest = text_of(modifiers), part, name;
	bool user = parse->code->user, kernel = parse->code->kernel, is_taken = true;

	parse->code->user = false;
	parse->code->kernel = false;
	while (is_taken && next_part(&rest, ':', &part)) {
		if (scan_field(&part, '=', &name))
			is_taken = take_figure(parse, name, part);
		else
			is_taken = take_letters(parse, part);
	}
	parse->code->sides_named = parse->code->user || parse->code->kernel;
	if (!parse->code->sides_named) {
		parse->code->user = user;
		parse->code->kernel = kernel;
	}
	return is_taken;
}

static bool take_type(const struct parse *parse)
{
	char line[MAX_TEXT_BYTES];
	uint64_t type;

	if (!read_line(parse, "type", text_of(""), line) || !scan_unsigned(text_of(line), &type) ||
	    type > UINT32_MAX)
		return false;
	parse->code->type = (uint32_t)type;
	return true;
}

static enum pmu_encoding encode(struct parse *parse, struct scan_text terms, const char *modifiers)
{
	if (!take_type(parse)) {
		fail(parse, "this machine has no PMU '%s' (ls %s)", parse->pmu, parse->folder);
		return PMU_NOT_HERE;
	}
	if (!take_terms(parse, terms, true) || !take_modifiers(parse, modifiers))
		return PMU_NAME_WRONG;
	parse->code->config = parse->configs[0];
	parse->code->config1 = parse->configs[1];
	parse->code->config2 = parse->configs[2];
	parse->code->is_uncore = is_uncore(parse);
	if (parse->code->is_uncore && parse->code->sides_named) {
		fail(parse,
		     "%s counts for a socket, not what user code or the kernel causes: without %s",
		     parse->pmu, modifiers);
		return PMU_NAME_WRONG;
	}
	if (!strncmp(parse->pmu, IBS_PREFIX, strlen(IBS_PREFIX))) {
		parse->code->period_step = IBS_PERIOD_STEP;
		parse->code->default_period = IBS_DEFAULT_PERIOD;
	}
	return PMU_ENCODED;
}

enum pmu_encoding sysfs_event_encode(const char *folder, const char *name, struct pmu_code *code,
				     char *why, size_t size)
{
	struct parse parse = { .folder = folder, .code = code, .why = why, .size = size };
	struct scan_text pmu = { name, name + strcspn(name, "/") };
	const char *end = *pmu.end ? strchr(pmu.end + 1, '/') : NULL;
	enum pmu_encoding result;

	if (!is_plain_name(pmu) || !end) {
		fail(&parse, "it is not written PMU/TERM=VALUE,.../");
		return PMU_NAME_WRONG;
	}
	parse.pmu = xstrndup(name, scan_bytes(pmu));
	result = encode(&parse, (struct scan_text){ pmu.end + 1, end }, end + 1);
	free(parse.pmu);
	return result;
}

/* The number behind @pmu, of @bytes, and an underscore; -1: it is not the name of such a one. */
static long instance_of(const char *name, const char *pmu, size_t bytes)
{
	struct scan_text digits = { name, name + strlen(name) };
	uint64_t number;

	if (strncmp(name, pmu, bytes) || name[bytes] != '_')
		return -1;
	digits.start += bytes + 1;
	return scan_unsigned(digits, &number) && number <= INT32_MAX ? (long)number : -1;
}

static int compare_instances(const void *a, const void *b)
{
	const long *first = a, *second = b;

	return *first < *second ? -1 : *first > *second;
}

/* Their numbers; free() them. */
static long *find_instances(const char *folder, const char *pmu, size_t bytes, size_t *nr)
{
	DIR *directory = opendir(folder);
	struct dirent *entry;
	size_t capacity = 0;
	long *found = NULL;

	*nr = 0;
	while (directory && (entry = readdir(directory))) {
		long number = instance_of(entry->d_name, pmu, bytes);

		if (!strncmp(entry->d_name, pmu, bytes) && !entry->d_name[bytes]) {
			*nr = 0;
			break;
		}
		if (number < 0)
			continue;
		ARRAY_MAKE_ROOM(found, *nr, capacity);
		found[(*nr)++] = number;
	}
	if (directory)
		closedir(directory);
	if (*nr)
		qsort(found, *nr, sizeof(*found), compare_instances);
	return found;
}

char **sysfs_event_instances(const char *folder, const char *name, size_t *nr)
{
	size_t bytes = strcspn(name, "/");
	long *numbers = find_instances(folder, name, bytes, nr);
	/* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
	char **names = xcalloc(*nr + 1, sizeof(*names));

	for (size_t i = 0; i < *nr; i++)
		names[i] = xasprintf("%.*s_%ld%s", (int)bytes, name, numbers[i], name + bytes);
	free(numbers);
	return names;
}
