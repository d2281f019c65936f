// SPDX-License-Identifier: GPL-2.0
/*
 * The library of places_program.c.
 */
#include "places_tell.h"

void in_library(void);

void in_library(void)
{
	TELL("in_library", in_library);
}
