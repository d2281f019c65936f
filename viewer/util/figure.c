// SPDX-License-Identifier: GPL-2.0
#include "util/units.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/json.h"
#include "util/xalloc.h"

/* Three significant digits, rounded as printf rounds. */
static void three_digits(char *text, size_t bytes, double value, const char *space,
			 const char *unit)
{
	int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;

	snprintf(text, bytes, "%.*f%s%s", decimals, value, space, unit);
}

struct figure figure_ns(uint64_t ns, const char *space)
{
	static const struct {
		double ns;
		const char *name;
	} units[] = { { 1e3, "us" }, { 1e6, "ms" }, { 1e9, "s" }, { 3.6e12, "h" } };
	struct figure figure;
	size_t unit = 0;

	if (!ns)
		return (struct figure){ "0" };
	if (ns < 1000) {
		snprintf(figure.text, sizeof(figure.text), "%" PRIu64 "%sns", ns, space);
		return figure;
	}
	/* 999.5 us would be printed as 1000 us; seconds go on to 9999. */
	while (unit < 3 && (double)ns >= units[unit].ns * (unit == 2 ? 9999.5 : 999.5))
		unit++;
	three_digits(figure.text, sizeof(figure.text), (double)ns / units[unit].ns, space,
		     units[unit].name);
	return figure;
}

struct figure figure_count(uint64_t count)
{
	struct figure figure;

	if (count < 1000000)
		snprintf(figure.text, sizeof(figure.text), "%" PRIu64, count);
	else if ((double)count < 999.5e6)
		three_digits(figure.text, sizeof(figure.text), (double)count / 1e6, "", "M");
	else
		three_digits(figure.text, sizeof(figure.text), (double)count / 1e9, "", "G");
	return figure;
}

struct figure figure_number(double number)
{
	struct figure figure;

	if (number == 0)
		return (struct figure){ "0" };
	if (number >= 999.5e6)
		three_digits(figure.text, sizeof(figure.text), number / 1e9, "", "G");
	else if (number >= 999999.5)
		three_digits(figure.text, sizeof(figure.text), number / 1e6, "", "M");
	else if (number >= 0.9995)
		three_digits(figure.text, sizeof(figure.text), number, "", "");
	else if (number >= 0.000995)
		snprintf(figure.text, sizeof(figure.text), "%.*f",
			 number < 0.00995 ? 5 :
			 number < 0.0995  ? 4 :
					    3,
			 number);
	else
		snprintf(figure.text, sizeof(figure.text), "%.0e", number);
	return figure;
}

struct figure figure_error(double error, double of)
{
	struct figure figure;

	if (error == 0)
		return (struct figure){ "0" };
	if (of <= 0) {
		snprintf(figure.text, sizeof(figure.text), "<%.8s", figure_number(error).text);
		return figure;
	}
	if (error / of > 9.995)
		return (struct figure){ ">999%" };
	three_digits(figure.text, sizeof(figure.text), error / of * 100, "", "%");
	return figure;
}

int next_column(const char *name, bool *safe)
{
	int bytes = utf8_sequence_bytes(name);
	unsigned char first = (unsigned char)name[0], second = (unsigned char)name[1];

	/* Control characters: C0 and DEL, and C1, which UTF-8 has as 0xc2 0x80 to 0xc2 0x9f. */
	*safe = bytes && first >= 0x20 && first != 0x7f && !(first == 0xc2 && second < 0xa0);
	return bytes ? bytes : 1;
}

int name_columns(const char *name)
{
	int columns = 0;
	bool safe;

	for (; *name; columns++)
		name += next_column(name, &safe);
	return columns;
}

void print_name(FILE *out, const char *name, int width, int pad)
{
	int columns = name_columns(name), kept = columns, printed;

	if (width >= 0 && columns > width)
		kept = width > 3 ? width - 3 : width;
	for (printed = 0; printed < kept; printed++) {
		bool safe;
		int bytes = next_column(name, &safe);

		if (safe)
			fwrite(name, 1, (size_t)bytes, out);
		else
			fputc('?', out);
		name += bytes;
	}
	if (kept < columns && width > 3)
		printed += fprintf(out, "...");
	if (printed < pad)
		fprintf(out, "%*s", pad - printed, "");
}

void print_wrapped(FILE *out, const char *text, int width, int indent)
{
	int column = indent;

	while (*text) {
		char *word = xstrndup(text, strcspn(text, " "));
		int columns = name_columns(word);

		if (column > indent && column + 1 + columns > width) {
			fprintf(out, "\n%*s", indent, "");
			column = indent;
		} else if (column > indent) {
			fputc(' ', out);
			column++;
		}
		print_name(out, word, -1, 0);
		column += columns;
		text += strcspn(text, " ");
		text += *text == ' ';
		free(word);
	}
}

int widest_name(int so_far, const char *name, int limit)
{
	int columns = name_columns(name);

	columns = columns > limit ? limit : columns;
	return columns > so_far ? columns : so_far;
}

const char *plural(uint64_t nr)
{
	return nr == 1 ? "" : "s";
}
