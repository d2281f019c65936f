/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Words with commas between them, as options have them. There is always one at least, which may be empty.
 */
#ifndef ANNOT_UTIL_WORD_LIST_H
#define ANNOT_UTIL_WORD_LIST_H

/* The place of @word in @list, or -1. */
int word_list_find(const char *list, const char *word);

int word_list_count(const char *list);

/* The word at that place; free() it. */
char *word_list_get(const char *list, int at);

#endif /* ANNOT_UTIL_WORD_LIST_H */
