/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells the module which code each recorded process has mapped, so that it can walk their stacks.
 */
#ifndef ANNOT_RECORD_STACKS_H
#define ANNOT_RECORD_STACKS_H

#include <sys/types.h>

#include "record/log/perf_mmap.h"

struct stacks;

/*
 * @command: the program that will run, or NULL: tables of it and of the libraries that it needs are made
 * now, since its first functions run before anybody has read what it maps.
 */
struct stacks *stacks_open(int ctl_fd, const char *command);

/* A process has mapped code; a perf_mmap_handler. */
void stacks_hear(void *stacks, const struct mapping *mapping);

/* Tells the module of what has been mapped since. */
void stacks_update(struct stacks *stacks);

/* Reports what the module refused, and frees. @stacks may be NULL. */
void stacks_close(struct stacks *stacks);

#endif /* ANNOT_RECORD_STACKS_H */
