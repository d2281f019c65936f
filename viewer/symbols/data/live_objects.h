/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The objects that programs named (model.data_objects), by time and address: which one each sample fell into.
 */
#ifndef ANNOT_SYMBOLS_LIVE_OBJECTS_H
#define ANNOT_SYMBOLS_LIVE_OBJECTS_H

#include "model/model.h"

enum live_objects_of {
	LIVE_ALL,
	LIVE_THREAD_LOCAL, /* blocks of thread-local variables, whatever the program named within */
};

/* Of each sample 1 + the row of model.data_objects; 0: none. NULL: there are no objects. free() it. */
uint32_t *live_objects_of_samples(const struct model *model, enum live_objects_of of);

/* The row of @sample's object; SIZE_MAX: none. Cost: all objects are looked at. */
size_t live_object_of_sample(const struct model *model, size_t sample);

#endif /* ANNOT_SYMBOLS_LIVE_OBJECTS_H */
