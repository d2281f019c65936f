/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counters that the CPUs of a socket share, as counters of Chrome's trace event format ("C") of the CPU that counts: what they counted a
 * second, from each reading on. The format has no way to say that a value is not known: there, the one before stands on.
 */
#ifndef ANNOT_CONVERT_UNCORE_TRACKS_H
#define ANNOT_CONVERT_UNCORE_TRACKS_H

#include "model/model.h"
#include "util/text/json.h"

void uncore_tracks_write(struct json *json, const struct model *model);

#endif /* ANNOT_CONVERT_UNCORE_TRACKS_H */
