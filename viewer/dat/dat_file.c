// SPDX-License-Identifier: GPL-2.0
#include "dat/dat_file.h"

#include "trace/file/dat_ids.h"

void dat_add_magic(const struct dat_file *file, struct dat_bytes *bytes)
{
	dat_bytes_add(bytes, DAT_MAGIC, DAT_MAGIC_BYTES);
	dat_bytes_add_string(bytes, file->plan.version == 7 ? "7" : "6");
	dat_bytes_add_u8(bytes, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	dat_bytes_add_u8(bytes, sizeof(long));
	/* Of the ring buffer: version 6 has no other place for it. */
	dat_bytes_add_u32(bytes, file->page_bytes);
}
