// SPDX-License-Identifier: GPL-2.0
#include "record/log/mapped_file.h"

#include <inttypes.h>
#include <stdio.h>

#include "record/log/careful_open.h"

int mapped_file_open(const struct mapping *mapping)
{
	char path[96];

	snprintf(path, sizeof(path), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, mapping->tgid,
		 mapping->start, mapping->start + mapping->length);
	return careful_open(path, 0, mapping->tgid);
}
