/* SPDX-License-Identifier: MIT */
/* Names of kernels: what programs gave them, or the type of what they run. */
#ifndef LIBANNOT_ATTACH_KOKKOS_NAME_H
#define LIBANNOT_ATTACH_KOKKOS_NAME_H

#include <stddef.h>

#define KOKKOS_NAME_BYTES 128

/*
 * A type's mangled name is demangled with the program's own C++ library. Of a name that is too long, the innermost arguments
 * of templates are left out: "Fill<View<>>". Returns @name or @text.
 */
const char *kokkos_name_shorten(const char *name, char text[KOKKOS_NAME_BYTES]);

#endif /* LIBANNOT_ATTACH_KOKKOS_NAME_H */
