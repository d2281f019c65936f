/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which CPU this is, by its own words: for what libpfm4 does not know.
 */
#ifndef ANNOT_PMU_CPU_MODEL_H
#define ANNOT_PMU_CPU_MODEL_H

struct cpu_model {
	char vendor[16]; /* "AuthenticAMD"; "": not known, as on others than x86 */
	unsigned int family;
	unsigned int model;
};

/* Of the first CPU in @path, which is like /proc/cpuinfo. */
struct cpu_model cpu_model_read(const char *path);

#endif /* ANNOT_PMU_CPU_MODEL_H */
