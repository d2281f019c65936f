/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The library's own registration of restartable sequences, as it is compiled for a C library that
 * has none for this machine. The one here must be told to leave it: OWN_RSEQ_TUNABLE.
 */
#ifndef RSEQ_OWN_H
#define RSEQ_OWN_H

#include <sys/rseq.h>

enum {
	OTHERS_SIGNATURE = RSEQ_SIG, /* of whoever registers before */
};

#undef RSEQ_SIG
#include "../../../libannot/rseq.c"

#define OWN_RSEQ_TUNABLE "glibc.pthread.rseq=0"

#endif /* RSEQ_OWN_H */
