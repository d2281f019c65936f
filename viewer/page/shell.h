/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The string of shell.html with style.css and the script, joined at build time by join.sh. page.c
 * replaces the markers: @title@ and, after it, @data@, @analysis@ and @windows@.
 */
#ifndef ANNOT_PAGE_SHELL_H
#define ANNOT_PAGE_SHELL_H

extern const char page_shell[];

#endif /* ANNOT_PAGE_SHELL_H */
