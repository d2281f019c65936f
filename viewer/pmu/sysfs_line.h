/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What sysfs tells of a PMU: files of one line.
 */
#ifndef ANNOT_SYSFS_LINE_H
#define ANNOT_SYSFS_LINE_H

/* The first line of the file @folder/@pmu/@file; free() it. NULL: there is none. */
char *sysfs_line_read(const char *folder, const char *pmu, const char *file);

#endif /* ANNOT_SYSFS_LINE_H */
