/* SPDX-License-Identifier: MIT */
/*
 * What is run in place of a task's body, and tells when. Its data stay as the program made them: the
 * runtime writes into them what the program reads there. So for each body and place there is a function of our
 * own, of which there are GOMP_TASK_BODIES.
 */
#ifndef LIBANNOT_ATTACH_GOMP_TASK_BODY_H
#define LIBANNOT_ATTACH_GOMP_TASK_BODY_H

#include "../place.h"
#include "gomp_api.h"

#define GOMP_TASK_BODIES 1024

/* @body itself: there is no room for more. Such tasks are not told. */
gomp_body *gomp_task_body(gomp_body *body, struct place *place);

#endif /* LIBANNOT_ATTACH_GOMP_TASK_BODY_H */
