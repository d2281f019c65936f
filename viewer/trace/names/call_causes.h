/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a thread waits for, by the system call that it sleeps in and what the descriptor is. The causes are those that
 * symbols/kernel/wait_causes.h finds by the kernel's stack of the same wait.
 */
#ifndef ANNOT_TRACE_NAMES_CALL_CAUSES_H
#define ANNOT_TRACE_NAMES_CALL_CAUSES_H

#include <stdint.h>

/*
 * @call: its name. @what: ANNOT_BLOCKED_*. @variant: of a futex, the operation; of fcntl(), the command; of a
 * character device, its major number; else 0. Returns NULL if the call alone does not tell: it then is the cause.
 */
const char *call_cause_of(const char *call, uint8_t what, uint32_t variant);

#endif /* ANNOT_TRACE_NAMES_CALL_CAUSES_H */
