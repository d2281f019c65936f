/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The word that a misspelled one was likely meant to be.
 */
#ifndef ANNOT_UTIL_NEAREST_H
#define ANNOT_UTIL_NEAREST_H

/* The word of @words (NULL at the end) that @typed is a likely misspelling of, or NULL. Not allocated. */
const char *nearest_word(const char *typed, const char *const *words);

#endif /* ANNOT_UTIL_NEAREST_H */
