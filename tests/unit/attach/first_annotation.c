// SPDX-License-Identifier: GPL-2.0
/*
 * A library that is preloaded: makes the first annotation of a process before its threads are there. What another
 * thread annotates meanwhile is written as text, which has neither thread nor time in a plain file.
 */
#include "annot/annot.h"

__attribute__((constructor)) static void first(void)
{
	annot_mark("first");
}
