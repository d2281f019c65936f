// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "environment.h"

static struct environment environment;

static enum choice parse_choice(const char *text)
{
	if (!text || !strcmp(text, "auto"))
		return CHOICE_AUTO;
	if (!strcmp(text, "device"))
		return CHOICE_DEVICE;
	if (!strcmp(text, "marker"))
		return CHOICE_MARKER;
	if (!strcmp(text, "raw"))
		return CHOICE_RAW;
	if (!strcmp(text, "off"))
		return CHOICE_OFF;
	return CHOICE_UNKNOWN;
}

static bool is_set(const char *variable)
{
	const char *value = secure_getenv(variable);

	return value && *value && strcmp(value, "0");
}

/* Early, but other constructors may annotate before it. */
__attribute__((constructor(101))) static void read_environment(void)
{
	const char *tracefs = secure_getenv("ANNOT_TRACEFS");

	environment.choice = parse_choice(secure_getenv("ANNOT_BACKEND"));
	environment.debug = is_set("ANNOT_DEBUG");
	environment.batches = is_set("ANNOT_BATCHES");
	if (tracefs && strlen(tracefs) < sizeof(environment.tracefs))
		strcpy(environment.tracefs, tracefs);
	environment.known = true;
}

const struct environment *annot_environment(void)
{
	if (!environment.known)
		read_environment();
	return &environment;
}

bool annot_environment_may_be_raw(void)
{
	return environment.choice == CHOICE_RAW ||
	       ((environment.choice == CHOICE_AUTO || environment.choice == CHOICE_UNKNOWN) &&
		environment.batches);
}

bool annot_environment_is_always(void)
{
	return environment.choice == CHOICE_MARKER || environment.choice == CHOICE_RAW;
}
