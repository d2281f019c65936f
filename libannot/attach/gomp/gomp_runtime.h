/* SPDX-License-Identifier: MIT */
/*
 * The runtimes whose functions are wrapped: mostly one, libgomp. A process may have several copies of it, one in
 * each package of Python, say; each caller's calls go to its own. LLVM's libomp has these
 * functions, too.
 */
#ifndef LIBANNOT_ATTACH_GOMP_RUNTIME_H
#define LIBANNOT_ATTACH_GOMP_RUNTIME_H

#include <stdbool.h>
#include <stdint.h>

#include "../sink.h"
#include "gomp_api.h"
#include "gomp_callers.h"

/*
 * Its functions; NULL: an old one lacks it.
 * @is_told: false: it speaks OMPT, by which another front hears of all that it does
 */
struct gomp_runtime {
	bool is_told;
#define GOMP_FUNCTION(type, name, parameters) type (*name)(PARAMETERS_##parameters);
#include "gomp_functions.def"
};

extern struct gomp_runtime gomp_runtimes[GOMP_NR_RUNTIMES];

const struct gomp_runtime *gomp_runtime_find(uintptr_t return_address);

/* That of the body that the thread was last told to run. */
extern __thread const struct gomp_runtime *gomp_runtime_current
	__attribute__((tls_model("initial-exec")));

/* The runtime that a call means that returns to @return_address, or that calls with a body there. */
static inline const struct gomp_runtime *gomp_runtime_of(const void *return_address)
{
	unsigned int number = gomp_callers_number_of((uintptr_t)return_address);

	if (__builtin_expect(!number, 0))
		return gomp_runtime_find((uintptr_t)return_address);
	return &gomp_runtimes[number];
}

/* Runs the program's @body. A call that it ends with may have been made a jump, and then returns to here. */
static inline void gomp_runtime_run(gomp_body *body, void *data)
{
	const struct gomp_runtime *outer = gomp_runtime_current;

	gomp_runtime_current = gomp_runtime_of((const void *)body);
	body(data);
	gomp_runtime_current = outer;
}

/* Whether what it does is to be told, now. */
static inline bool gomp_runtime_is_told(const struct gomp_runtime *runtime)
{
	return attach_is_recording() && runtime->is_told;
}

#endif /* LIBANNOT_ATTACH_GOMP_RUNTIME_H */
