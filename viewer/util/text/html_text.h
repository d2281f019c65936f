/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ANNOT_UTIL_HTML_TEXT_H
#define ANNOT_UTIL_HTML_TEXT_H

#include <stdio.h>

/*
 * Writes @text, which may hold any bytes, as the content of an HTML element or of an attribute in
 * double quotes. At most six bytes for one of it.
 */
void html_text_write(const char *text, FILE *out);

#endif /* ANNOT_UTIL_HTML_TEXT_H */
