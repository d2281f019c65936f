/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is the same in all pages, joined with style and script at build time by join.sh.
 */
#ifndef ANNOT_PAGE_SHELL_H
#define ANNOT_PAGE_SHELL_H

/* Of shell.html. page.c replaces the markers: @title@ and, after it, @data@, @analysis@ and @windows@. */
extern const char page_shell[];

/* Of pair.html. pair.c replaces the markers: @title@ and, after it, @page-a@ and @page-b@. */
extern const char pair_shell[];

#endif /* ANNOT_PAGE_SHELL_H */
