/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the word that a misspelled one probably means.
 */
#ifndef ANNOT_UTIL_NEAREST_H
#define ANNOT_UTIL_NEAREST_H

/* The word of @words (NULL at the end) that @typed probably means, or NULL. Not allocated. */
const char *nearest_word(const char *typed, const char *const *words);

#endif /* ANNOT_UTIL_NEAREST_H */
