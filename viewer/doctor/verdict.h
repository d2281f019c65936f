/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What one check found: a line that says what is so, and one that cures it.
 */
#ifndef ANNOT_DOCTOR_VERDICT_H
#define ANNOT_DOCTOR_VERDICT_H

#define VERDICT_LINE_BYTES 256

/* From good to bad. */
enum severity {
	SEVERITY_OK,
	SEVERITY_UNKNOWN, /* it cannot be told */
	SEVERITY_LIMITS, /* something is not recorded, or less exactly */
	SEVERITY_PREVENTS, /* annot record cannot record */
};

struct verdict {
	enum severity severity;
	char what[VERDICT_LINE_BYTES];
	char cure[VERDICT_LINE_BYTES]; /* "": there is nothing to be cured, or no cure */
};

/* As annot doctor prints it: "ok", "unknown", "limits", "prevents". */
const char *severity_name(enum severity severity);

void verdict_say(struct verdict *verdict, enum severity severity, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

void verdict_cure(struct verdict *verdict, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif /* ANNOT_DOCTOR_VERDICT_H */
