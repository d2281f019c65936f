/* SPDX-License-Identifier: GPL-2.0 */
/*
 * shell.html with style.css and the script in it, as join.sh put them together at build time; a
 * string. Markers are left for page.c: @title@ and, after it, @data@, @analysis@ and
 * @windows@.
 */
#ifndef ANNOT_PAGE_SHELL_H
#define ANNOT_PAGE_SHELL_H

extern const char page_shell[];

#endif /* ANNOT_PAGE_SHELL_H */
