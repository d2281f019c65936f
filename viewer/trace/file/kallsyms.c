// SPDX-License-Identifier: GPL-2.0
#include "trace/file/kallsyms.h"

#include <stdlib.h>
#include <string.h>

#include "util/lower_bound.h"
#include "util/text/scan.h"
#include "util/xalloc.h"

struct entry {
	uint64_t address;
	uint32_t line; /* where its name begins in the text */
	char type;
};

struct kallsyms {
	char *text;
	size_t nr;
	size_t capacity;
	struct entry *entries; /* by address; of one address, in the order of the text */
};

static void add_entry(struct kallsyms *kallsyms, struct entry entry)
{
	ARRAY_MAKE_ROOM(kallsyms->entries, kallsyms->nr, kallsyms->capacity);
	kallsyms->entries[kallsyms->nr++] = entry;
}

/* "ffffffff81000000 T _text", or with "\t[module]" at the end. */
static void parse_line(struct kallsyms *kallsyms, struct scan_text line)
{
	struct scan_text address, type;
	struct entry entry;

	if (!scan_field(&line, ' ', &address) || !scan_field(&line, ' ', &type))
		return;
	if (!scan_hex(address, &entry.address) || !entry.address || scan_bytes(type) != 1 ||
	    !scan_bytes(line) || line.start - kallsyms->text > UINT32_MAX)
		return;
	entry.type = *type.start;
	/* Symbols of no address, and those that only mark one. */
	if (strchr("aAuU", entry.type))
		return;
	entry.line = (uint32_t)(line.start - kallsyms->text);
	add_entry(kallsyms, entry);
}

static bool type_is_code(char type)
{
	return strchr("tTwW", type);
}

static int compare(const void *a, const void *b)
{
	const struct entry *first = a, *second = b;

	if (first->address != second->address)
		return first->address < second->address ? -1 : 1;
	return first->line < second->line ? -1 : first->line > second->line;
}

/* The kernel writes its own, which are most, in order. Those of modules mostly go behind them, in an order of their own. */
static void sort_entries(struct kallsyms *kallsyms)
{
	struct entry *entries = kallsyms->entries;
	size_t nr_sorted = 1, first, from;

	while (nr_sorted < kallsyms->nr &&
	       compare(&entries[nr_sorted - 1], &entries[nr_sorted]) < 0)
		nr_sorted++;
	if (nr_sorted >= kallsyms->nr)
		return;
	first = nr_sorted;
	for (size_t i = first; i < kallsyms->nr; i++) {
		if (compare(&entries[i], &entries[first]) < 0)
			first = i;
	}
	from = LOWER_BOUND(row, 0, nr_sorted, compare(&entries[row], &entries[first]) < 0);
	qsort(entries + from, kallsyms->nr - from, sizeof(*entries), compare);
}

struct kallsyms *kallsyms_new(char *text)
{
	struct kallsyms *kallsyms = xcalloc(1, sizeof(*kallsyms));
	struct scan_text rest = { text, text + strlen(text) }, line;

	kallsyms->text = text;
	while (scan_field(&rest, '\n', &line))
		parse_line(kallsyms, line);
	parse_line(kallsyms, rest);
	sort_entries(kallsyms);
	return kallsyms;
}

void kallsyms_free(struct kallsyms *kallsyms)
{
	if (!kallsyms)
		return;
	free(kallsyms->text);
	free(kallsyms->entries);
	free(kallsyms);
}

size_t kallsyms_count(const struct kallsyms *kallsyms)
{
	return kallsyms->nr;
}

/* Of the entries that share the greatest address not above @address, the first one of code, or just the first. */
static const struct entry *find_entry(const struct kallsyms *kallsyms, uint64_t address)
{
	const struct entry *entries = kallsyms->entries;
	size_t at = LOWER_BOUND(row, 0, kallsyms->nr, entries[row].address <= address);

	if (!at)
		return NULL;
	for (at--; at && entries[at - 1].address == entries[at].address;)
		at--;
	for (size_t i = at; i < kallsyms->nr && entries[i].address == entries[at].address; i++) {
		if (type_is_code(entries[i].type))
			return &entries[i];
	}
	return &entries[at];
}

bool kallsyms_find(const struct kallsyms *kallsyms, uint64_t address, struct kernel_symbol *symbol)
{
	const struct entry *entry = find_entry(kallsyms, address);
	const char *end;

	if (!entry)
		return false;
	*symbol = (struct kernel_symbol){
		.name = kallsyms->text + entry->line,
		.is_code = type_is_code(entry->type),
		.offset = address - entry->address,
	};
	end = symbol->name + strcspn(symbol->name, "\t\n ");
	symbol->name_bytes = (size_t)(end - symbol->name);
	end += strspn(end, "\t ");
	if (*end != '[')
		return true;
	symbol->module = end;
	symbol->module_bytes = strcspn(end, "\t\n ");
	return true;
}
