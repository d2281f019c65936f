/* SPDX-License-Identifier: MIT */
/* Who called, by the address that the call returns to. */
#ifndef LIBANNOT_ATTACH_PTHREAD_CALLER_H
#define LIBANNOT_ATTACH_PTHREAD_CALLER_H

#include "../place.h"

/*
 * The place of a wait, whose name begins with @word. NULL: the call is one of a runtime whose waits another
 * front tells (OpenMP, MPI, TBB), or of annot's.
 *
 * The C++ library waits on behalf of its caller: the place is then the call of std::thread::join(). Cost: a
 * hash; of the C++ library's waits also unwinding of a few frames, one to two microseconds.
 */
struct place *caller_place(const char *word, const void *return_address);

#endif /* LIBANNOT_ATTACH_PTHREAD_CALLER_H */
