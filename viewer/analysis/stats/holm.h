/* SPDX-License-Identifier: GPL-2.0 */
/*
 * p-values of several tests, such that the chance of any false alarm among all of them is what is asked for (Holm: A Simple
 * Sequentially Rejective Multiple Test Procedure, Scandinavian Journal of Statistics 6, 1979). It holds however the tests
 * depend on each other, as those of a task's wall time and of its time on CPUs do.
 */
#ifndef ANNOT_HOLM_H
#define ANNOT_HOLM_H

#include <stddef.h>

/* Where one of @p_values is at most a, so is the chance that it, or any other such one, is of no difference. In place. */
void holm_adjust(double *p_values, size_t nr);

#endif /* ANNOT_HOLM_H */
