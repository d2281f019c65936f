/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ANNOT_BINOMIAL_H
#define ANNOT_BINOMIAL_H

#include <stdint.h>

/* P(Binomial(@nr, @share) >= @least); @share is more than 0 and less than 1. */
double binomial_tail(uint64_t nr, double share, uint64_t least);

#endif /* ANNOT_BINOMIAL_H */
