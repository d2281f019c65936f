/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The result of one check: a line with the fact, and one with the cure.
 */
#ifndef ANNOT_DOCTOR_VERDICT_H
#define ANNOT_DOCTOR_VERDICT_H

#define VERDICT_LINE_BYTES 256

/* From good to bad. */
enum severity {
	SEVERITY_OK,
	SEVERITY_UNKNOWN, /* cannot be determined */
	SEVERITY_LIMITS, /* something is not recorded, or less exactly */
	SEVERITY_PREVENTS, /* annot record cannot record */
};

struct verdict {
	enum severity severity;
	char what[VERDICT_LINE_BYTES];
	char cure[VERDICT_LINE_BYTES]; /* "": no cure, or none needed */
};

/* As annot doctor prints it: "ok", "unknown", "limits", "prevents". */
const char *severity_name(enum severity severity);

void verdict_say(struct verdict *verdict, enum severity severity, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

void verdict_cure(struct verdict *verdict, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif /* ANNOT_DOCTOR_VERDICT_H */
