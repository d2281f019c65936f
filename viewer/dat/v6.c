// SPDX-License-Identifier: GPL-2.0
/*
 * Version 6: the parts are in a fixed order. Until the names of threads are written, the file is
 * too short for any reader.
 */
#include "dat/v6.h"

#include <stdlib.h>
#include <string.h>

#include "dat/data.h"
#include "dat/options.h"
#include "trace/file/dat_ids.h"
#include "util/xalloc.h"

int dat_begin_v6(struct dat_file *file, const struct dat_head *head)
{
	struct dat_bytes magic = { 0 };
	int err;

	dat_add_magic(file, &magic);
	err = dat_out_write_bytes(&file->out, &magic);
	dat_bytes_free(&magic);
	for (int i = 0; !err && i < DAT_NR_PARTS; i++)
		err = dat_out_write_bytes(&file->out, &head->parts[i]);
	return err;
}

static void add_clock(const struct dat_file *file, struct dat_bytes *bytes)
{
	size_t length = strlen(file->plan.clock);

	dat_bytes_add_u64(bytes, length + 2);
	dat_bytes_add(bytes, "[", 1);
	dat_bytes_add(bytes, file->plan.clock, length);
	dat_bytes_add(bytes, "]", 1);
}

/* The position of each CPU's pages: from the first whole page after these @bytes. */
static void add_data_head(const struct dat_file *file, const struct dat_cpu *cpus,
			  struct dat_extent *extents, struct dat_bytes *bytes)
{
	size_t table;

	dat_bytes_add(bytes, DAT_V6_DATA, DAT_V6_NAME_BYTES);
	table = bytes->size;
	for (int i = 0; i < 2 * file->plan.nr_cpus; i++)
		dat_bytes_add_u64(bytes, 0);
	add_clock(file, bytes);
	dat_plan_extents(file, cpus, file->out.at + bytes->size, extents);
	for (int cpu = 0; cpu < file->plan.nr_cpus; cpu++, table += 2 * sizeof(uint64_t)) {
		dat_bytes_set_u64(bytes, table, extents[cpu].at);
		dat_bytes_set_u64(bytes, table + sizeof(uint64_t), extents[cpu].bytes);
	}
}

static int write_rest(struct dat_file *file, const struct dat_cpu *cpus, struct dat_extent *extents)
{
	struct dat_bytes rest = { 0 };
	int err;

	dat_add_cmdlines(&rest, file->plan.tracing_dir);
	dat_bytes_add_u32(&rest, (uint32_t)file->plan.nr_cpus);
	dat_bytes_add(&rest, DAT_V6_OPTIONS, DAT_V6_NAME_BYTES);
	dat_add_common_options(file, cpus, &rest);
	dat_bytes_add_u16(&rest, OPTION_DONE);
	add_data_head(file, cpus, extents, &rest);
	err = dat_out_write_bytes(&file->out, &rest);
	dat_bytes_free(&rest);
	return err ? -1 : dat_move_all(file, cpus, extents);
}

int dat_finish_v6(struct dat_file *file, const struct dat_cpu *cpus)
{
	struct dat_extent *extents = xcalloc((size_t)file->plan.nr_cpus, sizeof(*extents));
	int err = write_rest(file, cpus, extents);

	free(extents);
	return err;
}
