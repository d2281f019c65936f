// SPDX-License-Identifier: GPL-2.0
#include "dat/dat.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dat/dat_file.h"
#include "dat/move.h"
#include "dat/options.h"
#include "dat/v6.h"
#include "dat/v7.h"
#include "util/diag.h"
#include "util/xalloc.h"

/* The most that options take, without and for each CPU, its figures among them. */
#define OPTIONS_MAX_BYTES (16u * 1024)
#define CPU_OPTIONS_MAX_BYTES 512u

static int check_plan(const struct dat_plan *plan)
{
	if (plan->version != 6 && plan->version != 7)
		return diag_error("record: %s: trace.dat has no version %d", plan->path,
				  plan->version);
	if (!dat_compression_known(plan->compression))
		return diag_error("record: %s: unknown compression '%s' (none, zlib and zstd are"
				  " known)",
				  plan->path, plan->compression);
	if (plan->version == 6 && strcmp(plan->compression, "none"))
		return diag_error("record: %s: version 6 of a trace.dat cannot be compressed",
				  plan->path);
	return 0;
}

static void free_file(struct dat_file *file)
{
	dat_compressor_free(file->compressor);
	free(file->clocks);
	free(file);
}

static int write_head(struct dat_file *file, const struct dat_head *head)
{
	if (file->plan.version == 7)
		return dat_begin_v7(file, head);
	return dat_begin_v6(file, head);
}

/* So that a disk which the recording has filled can still take its end, and a piece to move. */
static void reserve_rest(const struct dat_file *file)
{
	dat_out_reserve(&file->out, dat_cmdlines_max_bytes(file->plan.tracing_dir) +
					    OPTIONS_MAX_BYTES +
					    (uint64_t)file->plan.nr_cpus * CPU_OPTIONS_MAX_BYTES +
					    file->page_bytes + DAT_PIECE_BYTES);
}

static struct dat_file *create_file(const struct dat_plan *plan, const struct dat_head *head)
{
	struct dat_file *file = xcalloc(1, sizeof(*file));

	file->plan = *plan;
	file->page_bytes = head->page_bytes;
	file->compressor = dat_compressor_new(plan->compression);
	file->clocks = dat_clocks(plan->tracing_dir, plan->clock);
	if (dat_out_open(&file->out, plan->path)) {
		free_file(file);
		return NULL;
	}
	if (write_head(file, head)) {
		dat_abandon(file);
		return NULL;
	}
	reserve_rest(file);
	return file;
}

struct dat_file *dat_create(const struct dat_plan *plan)
{
	struct dat_file *file = NULL;
	struct dat_head head;

	if (check_plan(plan))
		return NULL;
	if (!dat_head_read(&head, plan->tracing_dir, plan->buffer_dir))
		file = create_file(plan, &head);
	dat_head_free(&head);
	return file;
}

uint32_t dat_page_bytes(const struct dat_file *file)
{
	return file->page_bytes;
}

int dat_finish(struct dat_file *file, const struct dat_cpu *cpus)
{
	int err;

	if (file->plan.version == 7)
		err = dat_finish_v7(file, cpus);
	else
		err = dat_finish_v6(file, cpus);
	if (dat_out_close(&file->out))
		err = -1;
	free_file(file);
	return err;
}

void dat_abandon(struct dat_file *file)
{
	close(file->out.fd);
	unlink(file->plan.path);
	free_file(file);
}

void dat_leave(struct dat_file *file)
{
	close(file->out.fd);
	free_file(file);
}
