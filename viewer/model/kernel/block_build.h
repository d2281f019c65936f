/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Requests to block devices that are not completed yet, while a model is built.
 */
#ifndef ANNOT_MODEL_BLOCK_BUILD_H
#define ANNOT_MODEL_BLOCK_BUILD_H

#include "model/tables.h"

struct open_block_io {
	uint32_t dev;
	uint64_t sector;
	uint64_t nr_losses; /* before it */
	size_t device; /* its place in model.block_devices; MODEL_MOST_BLOCK_DEVICES: it has none */
	struct block_io_row row;
};

struct block_build {
	uint64_t nr_losses;
	size_t nr;
	size_t capacity;
	struct open_block_io *open; /* in no order */
};

#endif /* ANNOT_MODEL_BLOCK_BUILD_H */
