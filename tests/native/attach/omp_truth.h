/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a program with OpenMP does, as it counts itself. At its end it prints lines
 *
 *	did KIND LINE NUMBER
 *	took KIND LINE TID NS
 *
 * KIND is what is in the trace: "for" work, "wait:barrier" a wait, "chunks" those of a loop or sections.
 * Each time that something took is a line, in the order of each thread.
 * LINE is that of the directive; 0: its name has none.
 */
#ifndef OMP_TRUTH_H
#define OMP_TRUTH_H

#ifdef __cplusplus
extern "C" {
#endif

void did(const char *kind, int line, long number);
void took(const char *kind, int line, long ns);
long now_ns(void);

/* Keeps the CPU busy. */
void work_ns(long ns);

#ifdef __cplusplus
}
#endif

/* The directive in the next line. */
#define HERE(name) const int name = __LINE__ + 1

#endif /* OMP_TRUTH_H */
