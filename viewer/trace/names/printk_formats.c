// SPDX-License-Identifier: GPL-2.0
#include "trace/names/printk_formats.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "util/lower_bound.h"
#include "util/text/scan.h"
#include "util/xalloc.h"

struct printk_format {
	uint64_t address;
	const char *text;
};

struct printk_formats {
	printk_formats_reader *read;
	void *context;
	bool are_read;
	char *text; /* of all of them */
	size_t nr;
	size_t capacity;
	struct printk_format *rows; /* by address, once they are read */
};

struct printk_formats *printk_formats_new(void)
{
	return xcalloc(1, sizeof(struct printk_formats));
}

void printk_formats_free(struct printk_formats *formats)
{
	if (!formats)
		return;
	free(formats->text);
	free(formats->rows);
	free(formats);
}

void printk_formats_use(struct printk_formats *formats, printk_formats_reader *read, void *context)
{
	formats->read = read;
	formats->context = context;
}

static char unescaped(char letter)
{
	switch (letter) {
	case 'n':
		return '\n';
	case 't':
		return '\t';
	default:
		return letter;
	}
}

/* What is between the quotes, in place, as the kernel has it. Returns false if it does not end. */
static bool unescape(char *text)
{
	char *to = text;

	for (; *text && *text != '"'; text++) {
		if (*text == '\\' && text[1])
			*to++ = unescaped(*++text);
		else
			*to++ = *text;
	}
	if (!*text)
		return false;
	*to = '\0';
	return true;
}

/* 0xffffffff82a41d30 : "text\n" */
static void parse_line(struct printk_formats *formats, char *line)
{
	char *quote = strchr(line, '"');
	struct scan_text rest = { line, line + strlen(line) }, address;
	uint64_t value;

	if (!quote || strncmp(line, "0x", 2))
		return;
	rest.start += 2;
	if (!scan_field(&rest, ' ', &address) || !scan_hex(address, &value) || !unescape(quote + 1))
		return;
	ARRAY_MAKE_ROOM(formats->rows, formats->nr, formats->capacity);
	formats->rows[formats->nr++] = (struct printk_format){ value, quote + 1 };
}

static int compare(const void *a, const void *b)
{
	const struct printk_format *first = a, *second = b;

	if (first->address != second->address)
		return first->address < second->address ? -1 : 1;
	return 0;
}

static void read_all(struct printk_formats *formats)
{
	char *line, *rest;

	formats->are_read = true;
	if (formats->read)
		formats->text = formats->read(formats->context);
	rest = formats->text;
	while (rest && (line = strsep(&rest, "\n")))
		parse_line(formats, line);
	if (formats->nr)
		qsort(formats->rows, formats->nr, sizeof(*formats->rows), compare);
}

const char *printk_formats_get(struct printk_formats *formats, uint64_t address)
{
	size_t at;

	if (!formats->are_read)
		read_all(formats);
	at = LOWER_BOUND(i, 0, formats->nr, formats->rows[i].address < address);
	return at < formats->nr && formats->rows[at].address == address ? formats->rows[at].text :
									  NULL;
}
