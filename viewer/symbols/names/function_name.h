/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of functions, of the symbols of what compilers make of them. They take parts out of a
 * function: the body of a parallel region ("main._omp_fn.0"), what is rarely executed ("main.cold"),
 * and make copies of it ("main.constprop.0").
 */
#ifndef ANNOT_SYMBOLS_FUNCTION_NAME_H
#define ANNOT_SYMBOLS_FUNCTION_NAME_H

#include <stddef.h>

/*
 * The demangled function in the sources to which the symbol of @bytes bytes belongs, "main"; "" if the
 * symbol does not say. free() it.
 */
char *function_name_of_source(const char *symbol, size_t bytes);

/*
 * The same with what tells the part from others, "main._omp_fn.0": offsets count from the start of that
 * part. free() it.
 */
char *function_name_of_part(const char *symbol, size_t bytes);

#endif /* ANNOT_SYMBOLS_FUNCTION_NAME_H */
