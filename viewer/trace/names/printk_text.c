// SPDX-License-Identifier: GPL-2.0
#include "trace/names/printk_text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "util/load.h"

#define MOST_WIDTH 255

/* One "%-08.3lx". */
struct conversion {
	bool is_left, has_plus, has_space, has_prefix, has_zeros;
	int width;
	int precision; /* -1: none */
	uint8_t bytes; /* of the value */
	bool is_short; /* than an int */
	char kind;
};

struct printer {
	const struct printk_arguments *arguments;
	size_t at; /* in the arguments */
	bool failed;
	/* Linux packs a short in two bytes or, since 6.15, as an int. */
	bool has_wide_shorts;
	printk_function_name *name;
	void *context;
	char *text;
	size_t nr;
};

static void put_bytes(struct printer *printer, const char *bytes, size_t nr)
{
	size_t room = PRINTK_TEXT_BYTES - 1 - printer->nr;

	nr = nr < room ? nr : room;
	memcpy(printer->text + printer->nr, bytes, nr);
	printer->nr += nr;
}

static void put_times(struct printer *printer, char letter, int nr)
{
	while (nr-- > 0)
		put_bytes(printer, &letter, 1);
}

/* Where the next value of @bytes is: 8 bytes need no more than 4 do. */
static const uint8_t *take_bytes(struct printer *printer, size_t bytes)
{
	const struct printk_arguments *arguments = printer->arguments;
	size_t align = bytes == 8 ? 4 : bytes, at = (printer->at + align - 1) / align * align;

	if (at > arguments->bytes || bytes > arguments->bytes - at) {
		printer->failed = true;
		return NULL;
	}
	printer->at = at + bytes;
	return arguments->data + at;
}

static uint64_t take_value(struct printer *printer, size_t bytes)
{
	const uint8_t *at = take_bytes(printer, bytes);

	if (!at)
		return 0;
	switch (bytes) {
	case 1:
		return *at;
	case 2:
		return load_u16(at, printer->arguments->swap);
	case 4:
		return load_u32(at, printer->arguments->swap);
	default:
		return load_u64(at, printer->arguments->swap);
	}
}

static int64_t with_sign(uint64_t value, uint8_t bytes)
{
	unsigned int shift = 64 - 8u * bytes;

	return (int64_t)(value << shift) >> shift;
}

static void put_padded(struct printer *printer, const struct conversion *conversion,
		       const char *bytes, size_t nr)
{
	int padding = conversion->width - (int)nr;

	if (!conversion->is_left)
		put_times(printer, ' ', padding);
	put_bytes(printer, bytes, nr);
	if (conversion->is_left)
		put_times(printer, ' ', padding);
}

static const char *prefix_of(const struct conversion *conversion, bool is_negative)
{
	bool is_signed = strchr("di", conversion->kind);

	if (conversion->has_prefix && strchr("xX", conversion->kind))
		return conversion->kind == 'x' ? "0x" : "0X";
	if (conversion->has_prefix && conversion->kind == 'o')
		return "0";
	if (is_negative)
		return "-";
	if (is_signed && conversion->has_plus)
		return "+";
	return is_signed && conversion->has_space ? " " : "";
}

static int print_digits(char *digits, size_t bytes, char kind, uint64_t value)
{
	switch (kind) {
	case 'x':
		return snprintf(digits, bytes, "%" PRIx64, value);
	case 'X':
		return snprintf(digits, bytes, "%" PRIX64, value);
	case 'o':
		return snprintf(digits, bytes, "%" PRIo64, value);
	default:
		return snprintf(digits, bytes, "%" PRIu64, value);
	}
}

static void put_number(struct printer *printer, const struct conversion *conversion, uint64_t value)
{
	bool is_negative = strchr("di", conversion->kind) &&
			   with_sign(value, conversion->bytes) < 0;
	const char *prefix = prefix_of(conversion, is_negative);
	char number[MOST_WIDTH + 32], digits[32];
	int nr_digits, nr_zeros, nr = (int)strlen(prefix);

	if (is_negative)
		value = -(uint64_t)with_sign(value, conversion->bytes);
	nr_digits = print_digits(digits, sizeof(digits), conversion->kind, value);
	nr_zeros = conversion->precision - nr_digits;
	if (conversion->precision < 0 && conversion->has_zeros && !conversion->is_left)
		nr_zeros = conversion->width - nr_digits - nr;
	memcpy(number, prefix, (size_t)nr);
	while (nr_zeros-- > 0)
		number[nr++] = '0';
	memcpy(number + nr, digits, (size_t)nr_digits);
	put_padded(printer, conversion, number, (size_t)nr + (size_t)nr_digits);
}

/* The text is in the arguments, with its NUL. */
static void put_string(struct printer *printer, const struct conversion *conversion)
{
	const struct printk_arguments *arguments = printer->arguments;
	const char *string = (const char *)arguments->data + printer->at;
	size_t nr = strnlen(string, arguments->bytes - printer->at);

	if (nr == arguments->bytes - printer->at) {
		printer->failed = true;
		return;
	}
	printer->at += nr + 1;
	if (conversion->precision >= 0 && nr > (size_t)conversion->precision)
		nr = (size_t)conversion->precision;
	put_padded(printer, conversion, string, nr);
}

/* Of %p and what follows it: some are kept as pointers, the others are texts already. */
static void put_pointer(struct printer *printer, struct conversion *conversion, const char **format)
{
	char letter = **format;
	uint64_t value;

	while (isalnum((unsigned char)**format))
		(*format)++;
	if (isalnum((unsigned char)letter) && !strchr("SsxKe", letter)) {
		put_string(printer, conversion);
		return;
	}
	value = take_value(printer, printer->arguments->long_bytes);
	if (letter == 'S' || letter == 's') {
		const char *name = printer->name(printer->context, value);

		put_padded(printer, conversion, name, strlen(name));
		return;
	}
	conversion->kind = 'x';
	conversion->has_prefix = letter != 'x';
	conversion->bytes = 8;
	put_number(printer, conversion, value);
}

static void read_flags(struct conversion *conversion, const char **format)
{
	for (;; (*format)++) {
		switch (**format) {
		case '-':
			conversion->is_left = true;
			break;
		case '+':
			conversion->has_plus = true;
			break;
		case ' ':
			conversion->has_space = true;
			break;
		case '#':
			conversion->has_prefix = true;
			break;
		case '0':
			conversion->has_zeros = true;
			break;
		default:
			return;
		}
	}
}

static int read_length(struct printer *printer, const char **format)
{
	int64_t length = 0;

	if (**format == '*') {
		(*format)++;
		length = with_sign(take_value(printer, 4), 4);
	}
	for (; isdigit((unsigned char)**format); (*format)++)
		length = length <= MOST_WIDTH ? length * 10 + (**format - '0') : length;
	if (length < -MOST_WIDTH)
		return -MOST_WIDTH;
	return length < MOST_WIDTH ? (int)length : MOST_WIDTH;
}

static void read_size(struct printer *printer, struct conversion *conversion, const char **format)
{
	const char *first = *format;
	size_t nr = strspn(first, "hlLzZtjq");

	*format += nr;
	conversion->bytes = 4;
	if (nr && *first == 'h')
		conversion->bytes = nr == 1 ? 2 : 1;
	else if (nr > 1 || (nr && strchr("Lqj", *first)))
		conversion->bytes = 8;
	else if (nr)
		conversion->bytes = printer->arguments->long_bytes;
	conversion->is_short = conversion->bytes < 4;
}

static struct conversion read_conversion(struct printer *printer, const char **format)
{
	struct conversion conversion = { .precision = -1 };

	read_flags(&conversion, format);
	conversion.width = read_length(printer, format);
	if (conversion.width < 0) {
		conversion.is_left = true;
		conversion.width = -conversion.width;
	}
	if (**format == '.') {
		(*format)++;
		conversion.precision = read_length(printer, format);
	}
	read_size(printer, &conversion, format);
	if (**format)
		conversion.kind = *(*format)++;
	return conversion;
}

static uint64_t take_number(struct printer *printer, const struct conversion *conversion)
{
	size_t bytes = conversion->bytes;
	uint64_t value;

	if (conversion->is_short && printer->has_wide_shorts)
		bytes = 4;
	value = take_value(printer, bytes);
	return conversion->is_short ? value & ((1u << 8 * conversion->bytes) - 1) : value;
}

static void put_conversion(struct printer *printer, const char **format)
{
	struct conversion conversion = read_conversion(printer, format);
	char letter;

	switch (conversion.kind) {
	case '%':
		put_bytes(printer, "%", 1);
		break;
	case 'c':
		letter = (char)take_value(printer, 1);
		put_padded(printer, &conversion, &letter, 1);
		break;
	case 's':
		put_string(printer, &conversion);
		break;
	case 'p':
		put_pointer(printer, &conversion, format);
		break;
	case 'd':
	case 'i':
	case 'u':
	case 'x':
	case 'X':
	case 'o':
		put_number(printer, &conversion, take_number(printer, &conversion));
		break;
	default:
		printer->failed = true;
	}
}

/* Returns whether the arguments were all that there are. */
static bool print_all(struct printer *printer, const char *format)
{
	printer->nr = printer->at = 0;
	printer->failed = false;
	while (*format && !printer->failed) {
		size_t nr = strcspn(format, "%");

		put_bytes(printer, format, nr);
		format += nr;
		if (*format) {
			format++;
			put_conversion(printer, &format);
		}
	}
	printer->text[printer->nr] = '\0';
	return !printer->failed && (printer->at + 3) / 4 == printer->arguments->bytes / 4;
}

bool printk_text_print(char text[PRINTK_TEXT_BYTES], const char *format,
		       const struct printk_arguments *arguments, printk_function_name *name,
		       void *context)
{
	struct printer printer = {
		.arguments = arguments,
		.name = name,
		.context = context,
		.text = text,
	};

	if (print_all(&printer, format))
		return true;
	printer.has_wide_shorts = true;
	if (print_all(&printer, format))
		return true;
	printer.has_wide_shorts = false;
	print_all(&printer, format);
	return !printer.failed;
}
