/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ANNOT_HTML_TEXT_H
#define ANNOT_HTML_TEXT_H

#include <stdio.h>

/*
 * Writes @text, which may hold any bytes, as the content of an HTML element or of an attribute in
 * double quotes. At most six bytes for one of it.
 */
void write_html_text(const char *text, FILE *out);

#endif /* ANNOT_HTML_TEXT_H */
