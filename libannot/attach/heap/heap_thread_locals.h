/* SPDX-License-Identifier: MIT */
/*
 * Tells the reader of the trace where a thread has the thread-local variables of the program and of each library that
 * is loaded with it: a mark of each, "@thread_local BYTES BUILDID PATH", whose value is the address.
 *
 * The loader places these at one distance from the thread pointer in all threads (U. Drepper, ELF Handling For
 * Thread-Local Storage, section 3: the static model). So they are looked up once, in the first thread, and a thread needs
 * no lock of the loader's to tell its own. Those of a library that comes by dlopen() are not told: each thread has them elsewhere.
 */
#ifndef LIBANNOT_ATTACH_HEAP_THREAD_LOCALS_H
#define LIBANNOT_ATTACH_HEAP_THREAD_LOCALS_H

/* Those of the calling thread. Cost: an annotation for each file. */
void heap_tell_thread_locals(void);
void heap_end_thread_locals(void);

#endif /* LIBANNOT_ATTACH_HEAP_THREAD_LOCALS_H */
