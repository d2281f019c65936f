/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The futex that a thread waits for, and who holds the lock that it is of.
 */
#ifndef ANNOT_KMOD_BLOCKED_FUTEX_H
#define ANNOT_KMOD_BLOCKED_FUTEX_H

struct annot_blocked;
struct annot_call;

/*
 * Fills what, object, holder and flags of @blocked. The current thread is in @call, which is
 * futex() or futex_wait(). Reads the thread's memory, but only what is there: it does not sleep.
 */
void annot_futex_note(const struct annot_call *call, struct annot_blocked *blocked);

#endif /* ANNOT_KMOD_BLOCKED_FUTEX_H */
