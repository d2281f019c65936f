// SPDX-License-Identifier: GPL-2.0
#include "page/markers.h"

#include <string.h>

const char *page_write_up_to(const char *at, const char *marker, FILE *out)
{
	const char *found = strstr(at, marker);

	fwrite(at, 1, (size_t)(found - at), out);
	return found + strlen(marker);
}
