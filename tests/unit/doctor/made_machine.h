/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A machine for doctor to look at: a tree of files in a temporary directory. What cannot be made ends
 * the test.
 */
#ifndef TESTS_MADE_MACHINE_H
#define TESTS_MADE_MACHINE_H

#include "doctor/checks.h"

/* A cmocka setup and teardown: *state is a struct machine, whose tree is empty. */
int made_machine_setup(void **state);
int made_machine_teardown(void **state);

/* Makes a file, and the directories above it. */
void made_file(const struct machine *machine, const char *path, const char *text);
void made_bytes(const struct machine *machine, const char *path, const void *bytes, size_t length);
void made_link(const struct machine *machine, const char *path, const char *target);
void made_remove(const struct machine *machine, const char *path);

/* What @check says has @what in it, and its cure @cure (""; there is none), each in one line. */
void expect(const struct machine *machine, enum doctor_check check, enum severity severity,
	    const char *what, const char *cure);

#endif /* TESTS_MADE_MACHINE_H */
