/* SPDX-License-Identifier: MIT */
/*
 * Threads that rest: they do not check for a recording until they are preempted
 * (annot_control_page).
 */
#ifndef LIBANNOT_REST_H
#define LIBANNOT_REST_H

#include <stdbool.h>

bool annot_rest_prepare(void); /* false: this is not supported */
bool annot_rest_can(void); /* whether the calling thread can rest */
void annot_rest_begin(void); /* until it is preempted, or a signal comes */
void annot_rest_end(void);

#endif /* LIBANNOT_REST_H */
