/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the module does when its events are enabled or disabled.
 */
#ifndef ANNOT_KMOD_WATCH_H
#define ANNOT_KMOD_WATCH_H

/*
 * From begin to end, rings are drained while annotations are still enabled and not before they
 * are, and perf needs the right to record the machine.
 *
 * Return: 0, or -EBUSY: a program has already opened an event through perf, unchecked. Then
 * annot_watch_end() must be called as well.
 */
int annot_watch_begin(void);
void annot_watch_end(void);

#endif /* ANNOT_KMOD_WATCH_H */
