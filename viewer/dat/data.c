// SPDX-License-Identifier: GPL-2.0
#include "dat/data.h"

#include "dat/move.h"

void dat_plan_extents(const struct dat_file *file, const struct dat_cpu *cpus, uint64_t at,
		      struct dat_extent *extents)
{
	for (int cpu = 0; cpu < file->plan.nr_cpus; cpu++) {
		at = dat_aligned(at, file->page_bytes);
		extents[cpu].at = at;
		extents[cpu].bytes = dat_source_bytes(&cpus[cpu], file->page_bytes);
		at += extents[cpu].bytes;
	}
}

static int move_one(struct dat_file *file, struct dat_mover *mover, const struct dat_cpu *cpu)
{
	struct dat_source source = dat_source_of(cpu, file->page_bytes);

	if (!file->compressor)
		return dat_move(mover, &source, &file->out);
	return dat_compress_source(file->compressor, &source, file->page_bytes, &file->out);
}

int dat_move_all(struct dat_file *file, const struct dat_cpu *cpus, struct dat_extent *extents)
{
	struct dat_mover mover = dat_mover_new();
	int err = 0;

	for (int cpu = 0; !err && cpu < file->plan.nr_cpus; cpu++) {
		dat_out_align(&file->out, file->page_bytes);
		extents[cpu].at = file->out.at;
		err = move_one(file, &mover, &cpus[cpu]);
		extents[cpu].bytes = file->out.at - extents[cpu].at;
	}
	dat_mover_free(&mover);
	return err;
}
