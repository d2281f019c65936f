/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ANNOT_UTIL_RARE_H
#define ANNOT_UTIL_RARE_H

/*
 * Marks a function that is rarely called, so that the path that does not call it is fast. Use it
 * only for calls behind a condition.
 */
#define RARE __attribute__((cold))

#endif /* ANNOT_UTIL_RARE_H */
