/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Thread-local variables: which one a sample accessed, where the program told the blocks in which its threads have them
 * (model/memory/data_objects.h).
 */
#ifndef ANNOT_SYMBOLS_THREAD_LOCALS_H
#define ANNOT_SYMBOLS_THREAD_LOCALS_H

#include "model/model.h"
#include "symbols/file/known_files.h"
#include "symbols/file/symbol_location.h"

/* How the thread is told behind the name of its variable. */
#define THREAD_LOCAL_OF " (thread-local of tid %d)"

struct thread_locals;

/* Both must outlive it. */
struct thread_locals *thread_locals_new(const struct model *model, struct known_files *files);
void thread_locals_free(struct thread_locals *locals);

/*
 * Whether the data that @sample accessed lies in such a block. If no symbol is known there, the location has the file
 * and the address.
 */
bool thread_locals_find(struct thread_locals *locals, size_t sample, bool with_field,
			struct symbol_location *location);

#endif /* ANNOT_SYMBOLS_THREAD_LOCALS_H */
