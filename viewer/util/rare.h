/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ANNOT_UTIL_RARE_H
#define ANNOT_UTIL_RARE_H

/*
 * A function that is called so seldom that whoever calls it is to be fast when it does not. For what
 * stands behind a condition only: what is done always is not rare.
 */
#define RARE __attribute__((cold))

#endif /* ANNOT_UTIL_RARE_H */
