/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ANNOT_CPU_HOLDERS_H
#define ANNOT_CPU_HOLDERS_H

#include "analysis/instances/instances.h"

/* The name (string id) of the threads that had the CPU longest in whose queue @instances waited in @state, STATE_PREEMPTED or
 * STATE_RUNNABLE; TRACE_NO_STRING: none did, it was idle longer, or it is not known. Cost: their rows. */
uint32_t cpu_holder_of(const struct model *model, const struct instance *instances, size_t nr,
		       enum thread_state state);

#endif /* ANNOT_CPU_HOLDERS_H */
