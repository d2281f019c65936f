// SPDX-License-Identifier: MIT
/*
 * The front of MPI, one for each ABI. LD_PRELOAD puts it before the MPI library: a call comes here first, and the
 * library's own function is called from here.
 *
 * Each function has two names, MPI_Send() and PMPI_Send(). Both are here: Fortran calls the latter in Open MPI and the
 * former in MPICH, and tools that came before us call the latter. What is called within a call is not told.
 *
 * No function takes a floating-point number, and all other parameters of MPI take a register or eight bytes on the stack.
 * The functions here therefore know no more of their types than how many there are: they hand on words.
 */
#include <stdint.h>

#include "mpi_call.h"
#include "mpi_functions.h"
#include "mpi_real.h"

#if !defined(__LP64__)
#error "a parameter of MPI is a word on 64-bit machines only"
#endif

typedef uintptr_t word;

#define PARAMETERS_0 void
#define PARAMETERS_1 word a
#define PARAMETERS_2 PARAMETERS_1, word b
#define PARAMETERS_3 PARAMETERS_2, word c
#define PARAMETERS_4 PARAMETERS_3, word d
#define PARAMETERS_5 PARAMETERS_4, word e
#define PARAMETERS_6 PARAMETERS_5, word f
#define PARAMETERS_7 PARAMETERS_6, word g
#define PARAMETERS_8 PARAMETERS_7, word h
#define PARAMETERS_9 PARAMETERS_8, word i
#define PARAMETERS_10 PARAMETERS_9, word j
#define PARAMETERS_11 PARAMETERS_10, word k
#define PARAMETERS_12 PARAMETERS_11, word l
#define PARAMETERS_13 PARAMETERS_12, word m

#define WORDS_0 0
#define WORDS_1 a
#define WORDS_2 WORDS_1, b
#define WORDS_3 WORDS_2, c
#define WORDS_4 WORDS_3, d
#define WORDS_5 WORDS_4, e
#define WORDS_6 WORDS_5, f
#define WORDS_7 WORDS_6, g
#define WORDS_8 WORDS_7, h
#define WORDS_9 WORDS_8, i
#define WORDS_10 WORDS_9, j
#define WORDS_11 WORDS_10, k
#define WORDS_12 WORDS_11, l
#define WORDS_13 WORDS_12, m

#define HANDED_ON_0
#define HANDED_ON_1 words[0]
#define HANDED_ON_2 HANDED_ON_1, words[1]
#define HANDED_ON_3 HANDED_ON_2, words[2]
#define HANDED_ON_4 HANDED_ON_3, words[3]
#define HANDED_ON_5 HANDED_ON_4, words[4]
#define HANDED_ON_6 HANDED_ON_5, words[5]
#define HANDED_ON_7 HANDED_ON_6, words[6]
#define HANDED_ON_8 HANDED_ON_7, words[7]
#define HANDED_ON_9 HANDED_ON_8, words[8]
#define HANDED_ON_10 HANDED_ON_9, words[9]
#define HANDED_ON_11 HANDED_ON_10, words[10]
#define HANDED_ON_12 HANDED_ON_11, words[11]
#define HANDED_ON_13 HANDED_ON_12, words[12]

#define ERROR_OF_MISSING_FUNCTION 16 /* MPI_ERR_OTHER, or something like it: not MPI_SUCCESS */

static void *find_once(void **kept, const char *name)
{
	void *found = __atomic_load_n(kept, __ATOMIC_RELAXED);

	if (!found) {
		found = mpi_real_find(name);
		__atomic_store_n(kept, found, __ATOMIC_RELAXED);
	}
	return found;
}

#define WRAPPER(symbol, name, nr)                                                            \
	__attribute__((visibility("default"))) int symbol(PARAMETERS_##nr);                  \
	int symbol(PARAMETERS_##nr)                                                          \
	{                                                                                    \
		static void *kept;                                                           \
		int (*real)(PARAMETERS_##nr) = (int (*)(PARAMETERS_##nr))find_once(&kept,    \
										   #symbol); \
		word words[] = { WORDS_##nr };                                               \
		struct mpi_call call;                                                        \
		int error;                                                                   \
                                                                                             \
		if (!real)                                                                   \
			return ERROR_OF_MISSING_FUNCTION;                                    \
		if (!mpi_call_begin(&call, &function_##name, words))                         \
			return real(HANDED_ON_##nr);                                         \
		error = real(HANDED_ON_##nr);                                                \
		mpi_call_end(&call, error);                                                  \
		return error;                                                                \
	}

#define FUNCTION(its_kind, its_role, its_name, its_nr_words, its_comm) \
	static struct mpi_function function_##its_name = {             \
		.name = "MPI_" #its_name,                              \
		.kind = MPI_##its_kind,                                \
		.role = MPI_##its_role,                                \
		.comm = its_comm,                                      \
		.nr_words = its_nr_words,                              \
	};                                                             \
	WRAPPER(MPI_##its_name, its_name, its_nr_words)                \
	WRAPPER(PMPI_##its_name, its_name, its_nr_words)

MPI_EACH_FUNCTION(FUNCTION)
