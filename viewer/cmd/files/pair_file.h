/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The page of two traces: annot diff --page.
 */
#ifndef ANNOT_CMD_PAIR_FILE_H
#define ANNOT_CMD_PAIR_FILE_H

/*
 * Writes the page of the traces @paths to @output ("-": standard output) and prints what was written. Of the two
 * traces, one at a time is in memory. Returns the exit status.
 */
int pair_file_write(const char *const paths[2], const char *output);

#endif /* ANNOT_CMD_PAIR_FILE_H */
