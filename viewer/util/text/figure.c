// SPDX-License-Identifier: GPL-2.0
#include "util/text/figure.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

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

struct figure figure_change_ns(int64_t ns)
{
	uint64_t length_ns = ns < 0 ? -(uint64_t)ns : (uint64_t)ns;
	struct figure figure = { "0" };

	if (ns)
		snprintf(figure.text, sizeof(figure.text), "%c%.16s", ns < 0 ? '-' : '+',
			 figure_ns(length_ns, "").text);
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

struct figure figure_bytes(uint64_t bytes)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	double number = (double)bytes;
	struct figure figure;
	size_t unit = 0;

	/* What would be printed as 1024 is one of the next. */
	for (; number >= 1023.5; unit++)
		number /= 1024;
	snprintf(figure.text, sizeof(figure.text), "%.*f %s",
		 number == floor(number) || number >= 99.95 ? 0 : 1, number, units[unit]);
	return figure;
}

struct figure figure_number(double number)
{
	struct figure figure;

	if (number == 0)
		return (struct figure){ "0" };
	if (number < 0) {
		snprintf(figure.text, sizeof(figure.text), "-%.8s", figure_number(-number).text);
		return figure;
	}
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
	if (of <= 0 && isinf(error))
		return (struct figure){ "unknown" };
	if (of <= 0) {
		snprintf(figure.text, sizeof(figure.text), "<%.8s", figure_number(error).text);
		return figure;
	}
	if (error / of > 9.995)
		return (struct figure){ ">999%" };
	three_digits(figure.text, sizeof(figure.text), error / of * 100, "", "%");
	return figure;
}
