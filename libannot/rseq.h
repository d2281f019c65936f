/* SPDX-License-Identifier: MIT */
/* The restartable sequences of a thread. */
#ifndef LIBANNOT_RSEQ_H
#define LIBANNOT_RSEQ_H

#include <stdint.h>

#define RSEQ_CPU_ID_OFFSET 4

/*
 * Registers the calling thread if it is not registered. Returns 0; -ENOSYS: neither C library nor
 * kernel support them; -EEXIST: another library has registered this thread; -ENOLINK: they would not
 * be safe from dlclose().
 */
int annot_rseq_have(void);
/* Offset of struct rseq from the thread pointer, if the thread has it. */
int64_t annot_rseq_offset(void);

static inline char *annot_thread_pointer(void)
{
#if defined(__x86_64__)
	char *pointer;

	__asm__("mov %%fs:0, %0" : "=r"(pointer));
	return pointer;
#else
	return __builtin_thread_pointer();
#endif
}

#endif /* LIBANNOT_RSEQ_H */
