/* SPDX-License-Identifier: MIT */
/*
 * What the environment says of where annotations go, as it was when the program started: setenv() may be
 * running now.
 */
#ifndef LIBANNOT_ENVIRONMENT_H
#define LIBANNOT_ENVIRONMENT_H

#include <stdbool.h>

enum choice {
	CHOICE_AUTO,
	CHOICE_DEVICE,
	CHOICE_MARKER,
	CHOICE_RAW,
	CHOICE_OFF,
	CHOICE_UNKNOWN, /* as auto */
};

struct environment {
	bool known;
	enum choice choice;
	bool debug;
	bool batches; /* recorders understand batches */
	char tracefs[256];
};

/* Never NULL. */
const struct environment *annot_environment(void);

/* Whether it permits batches. */
bool annot_environment_may_be_raw(void);

/* Whether the marker is written even while nothing is recorded. */
bool annot_environment_is_always(void);

#endif /* LIBANNOT_ENVIRONMENT_H */
