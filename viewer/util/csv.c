// SPDX-License-Identifier: GPL-2.0
#include "util/csv.h"

#include <string.h>

void csv_field(const char *field, FILE *out)
{
	if (!strpbrk(field, ",\"\r\n")) {
		fputs(field, out);
		return;
	}
	fputc('"', out);
	for (; *field; field++) {
		if (*field == '"')
			fputc('"', out);
		fputc(*field, out);
	}
	fputc('"', out);
}
