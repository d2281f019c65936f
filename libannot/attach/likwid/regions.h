/* SPDX-License-Identifier: MIT */
/*
 * Regions with names, which may overlap, as spans, which nest. Where a region ends that is not the innermost, the
 * spans within it end, too, and begin again.
 */
#ifndef LIBANNOT_ATTACH_LIKWID_REGIONS_H
#define LIBANNOT_ATTACH_LIKWID_REGIONS_H

void region_begin(const char *name);

/* Nothing, if the calling thread is in no region of that name that was told. */
void region_end(const char *name);

#endif /* LIBANNOT_ATTACH_LIKWID_REGIONS_H */
