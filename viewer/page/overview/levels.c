// SPDX-License-Identifier: GPL-2.0
#include "page/overview/levels.h"

#include <stdlib.h>

/*
 * So large may the overview be, before base64. It gives up detail for that, but not for fewer buckets
 * than a screen shows.
 */
#define FINE_BYTES 262144
#define FINE_BUCKETS_FEWEST 2048
#define EVENTS_PER_FINE_BYTE 6

/* A larger one is preceded by one that is seen for a moment: of about so many buckets if they fit. */
#define FIRST_BYTES 131072
#define FIRST_BUCKETS 1024
#define FIRST_BUCKETS_FEWEST 128

static int pack_level(struct overview_level *level, struct overview *overview,
		      const struct model *rest)
{
	struct block block = { 0 };
	int status;

	overview_level_drop(level);
	overview_write(overview, rest, &block);
	status = block_pack(&block, &level->block);
	block_free(&block);
	level->nr_buckets = overview_nr_buckets(overview);
	level->bucket_ns = overview_bucket_ns(overview);
	return status;
}

/* Until it has no more than @most bytes, or too few buckets. */
static int pack_within(struct overview_level *level, struct overview *overview,
		       const struct model *rest, uint64_t most, uint32_t nr_fewest)
{
	int status;

	do {
		status = pack_level(level, overview, rest);
	} while (!status && level->block.nr_bytes > most && overview_widen(overview, nr_fewest));
	return status;
}

static uint64_t most_fine_bytes(const struct model *rest)
{
	uint64_t most = trace_info(rest->trace)->nr_events / EVENTS_PER_FINE_BYTE;

	return most > FINE_BYTES ? most : FINE_BYTES;
}

int overview_levels_pack(struct overview_levels *levels, struct overview *overview,
			 const struct model *rest)
{
	if (pack_within(&levels->fine, overview, rest, most_fine_bytes(rest), FINE_BUCKETS_FEWEST))
		return -1;
	if (levels->fine.block.nr_bytes <= FIRST_BYTES) {
		levels->first = levels->fine;
		levels->fine = (struct overview_level){ 0 };
		return 0;
	}
	while (overview_widen(overview, FIRST_BUCKETS))
		;
	return pack_within(&levels->first, overview, rest, FIRST_BYTES, FIRST_BUCKETS_FEWEST);
}

void overview_level_drop(struct overview_level *level)
{
	free(level->block.bytes);
	*level = (struct overview_level){ 0 };
}

void overview_levels_free(struct overview_levels *levels)
{
	overview_level_drop(&levels->first);
	overview_level_drop(&levels->fine);
}
