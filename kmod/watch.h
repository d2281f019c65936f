/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the module does when somebody enables or disables its events.
 */
#ifndef ANNOT_KMOD_WATCH_H
#define ANNOT_KMOD_WATCH_H

/*
 * From begin to end, rings are drained while annotations are still enabled and not before they
 * are, and perf needs the right to record the machine.
 *
 * Return: 0, or -EBUSY: somebody has opened an event through perf already, unchecked. Then
 * annot_watch_end() must be called as well.
 */
int annot_watch_begin(void);
void annot_watch_end(void);

#endif /* ANNOT_KMOD_WATCH_H */
