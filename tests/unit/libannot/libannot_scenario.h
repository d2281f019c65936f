/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tests of the library inside a host program.
 *
 * What the library decides it decides once in a process, so each test is a scenario that runs in a
 * process of its own: the test program again, with the scenario's name as its argument, in an
 * empty directory with plain files for /dev/annot and tracefs. A failed check ends it with a line
 * on stderr.
 */
#ifndef LIBANNOT_SCENARIO_H
#define LIBANNOT_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct scenario {
	const char *name;
	void (*run)(void);
	const char *backend; /* ANNOT_BACKEND; default: auto */
	const char *tracefs; /* ANNOT_TRACEFS, below the directory; default: marker */
	const char *tracing_on; /* what that file holds; default: 1 */
	bool debug; /* ANNOT_DEBUG=1 */
	bool batches; /* ANNOT_BATCHES=1 */
	bool before_main; /* TEST_BEFORE_MAIN=1 */
};

#define SCENARIO(function, ...) .name = #function, .run = function, ##__VA_ARGS__

/* main() of a test program. */
int scenarios_main(int argc, char **argv, const struct scenario *scenarios, size_t nr);

#define check(condition) check_that(condition, #condition, __LINE__)
#define check_file(path, ...) check_text(path, __LINE__, __VA_ARGS__)
#define check_empty(path) check_text(path, __LINE__, "%s", "")

void check_that(bool holds, const char *condition, int line);
void check_text(const char *path, int line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Files below the directory of the scenario: marker/ is a tracefs, full/ one on a full disk,
 * clocksource what the kernel tells the time by.
 */
void put_text(const char *path, const char *text);
const char *get_text(const char *path);

/*
 * Makes dev/ what a module provides that tells @control, or that understands that one ABI version;
 * the library looks there now. The CPUs' devices are plain files, of @nr_cpus or 256 CPUs.
 */
struct annot_control;
void use_module(const struct annot_control *control, int nr_cpus);
void use_device(uint32_t version);

/* Binds the thread to the CPU it is on; the path of that CPU's device below dev/. */
const char *pinned_device(void);

/* An ANNOT_OP of each kind, and what the files then hold. */
void annotate_each_kind(void);
#define EACH_KIND_ON_DEVICE "B workW wait 1EI markC counter -2E"

#endif /* LIBANNOT_SCENARIO_H */
