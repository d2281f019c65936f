/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whose data a sample accessed: the first of these that its address is in.
 *
 *	an object that the program named (annot_object()) and that lives then; of several, the innermost: the one
 *		that begins last
 *	a variable, global or static, of a file that is mapped, or of the kernel
 *	a thread-local variable, of a file of which an attached program told where its threads have them. It has one name in all
 *		threads, but for a thread that accesses another one's: then that one is told, too. Without a symbol it has the
 *		name of the file
 *	the stack of the process' first thread, the heap that brk(2) makes, a file: by what is mapped there
 *
 * Else it is not known whose it is. That is so of large blocks of malloc() and of stacks of other threads, which
 * are memory of no file; and of thread-local variables, which are within those. Attached to a program, the front `heap` names
 * blocks and stacks after the calls that made them, as objects.
 */
#ifndef ANNOT_SYMBOLS_DATA_OWNER_H
#define ANNOT_SYMBOLS_DATA_OWNER_H

#include "symbols/symbols.h"

enum data_owner_kind {
	OWNER_UNKNOWN,
	OWNER_OBJECT,
	OWNER_VARIABLE,
	OWNER_STACK,
	OWNER_HEAP,
	OWNER_FILE,
	OWNER_THREAD_LOCAL,
	OWNER_KERNEL, /* memory of the kernel's without a name */
	NR_OWNER_KINDS,
};

struct data_owner {
	enum data_owner_kind kind;
	uint32_t
		name; /* string id: "grid", "counters", "[heap]", "[unknown]", "counters (thread-local of tid 17)", ... */
	uint32_t
		file; /* of a variable, thread-local or not, string id: "program", "[kernel]"; else TRACE_NO_STRING */
	uint64_t offset; /* from the object's or the variable's start; else the address */
	size_t row; /* of an object: of model.data_objects */
	uint64_t one_of; /* of an object: see sampled_block_one_of(); else 0 */
};

struct data_owners;

/* Both must outlive it. Cost: samples, times the logarithm of the objects that live at once. */
struct data_owners *data_owners_new(const struct model *model, struct symbols *symbols);
void data_owners_free(struct data_owners *owners);

/* Of sample @sample, which must have an address. */
struct data_owner data_owner_of(const struct data_owners *owners, size_t sample);

/*
 * Where in @owner, an object or a variable, the sample's data is, with the field. Returns false if it is in neither: nothing else has types, nor a name of the
 * program's.
 */
bool data_owner_place(const struct data_owners *owners, size_t sample,
		      const struct data_owner *owner, struct symbol_location *place);

/* "object", "variable", ... */
const char *data_owner_word(enum data_owner_kind kind);

#endif /* ANNOT_SYMBOLS_DATA_OWNER_H */
