// SPDX-License-Identifier: MIT
/* Critical sections, locks, and the order of iterations. */
#include <stdarg.h>

#include "gomp_runtime.h"
#include "gomp_share.h"

/* Those in which the thread is already are told or not, each for itself: a bit each. */
static void critical_begin(bool is_told)
{
	gomp_thread.criticals = gomp_thread.criticals << 1 | is_told;
}

static bool critical_end(void)
{
	bool is_told = gomp_thread.criticals & 1;

	gomp_thread.criticals >>= 1;
	return is_told;
}

/* The unnamed one. */
static struct place *critical_place(void)
{
	static struct place *critical;

	return place_of_literal(&critical, "critical");
}

void GOMP_critical_start(void)
{
	const struct gomp_runtime *runtime = gomp_runtime_of(__builtin_return_address(0));
	bool is_told = gomp_runtime_is_told(runtime);

	critical_begin(is_told);
	if (!is_told) {
		runtime->GOMP_critical_start();
		return;
	}
	attach_wait_begin_value(critical_place(), 0);
	runtime->GOMP_critical_start();
	attach_wait_end_work_begin_value(critical_place(), 0);
}

/* The end is told behind the real one, so that others need not wait for that, too. */
void GOMP_critical_end(void)
{
	gomp_runtime_of(__builtin_return_address(0))->GOMP_critical_end();
	if (critical_end())
		attach_work_end();
}

void GOMP_critical_name_start(void **lock)
{
	const struct gomp_runtime *runtime = gomp_runtime_of(__builtin_return_address(0));
	bool is_told = gomp_runtime_is_told(runtime);
	struct place *place;

	critical_begin(is_told);
	if (!is_told) {
		runtime->GOMP_critical_name_start(lock);
		return;
	}
	place = place_of_address("critical", PLACE_DATA, lock);
	attach_wait_begin_value(place, (intptr_t)lock);
	runtime->GOMP_critical_name_start(lock);
	attach_wait_end_work_begin_value(place, (intptr_t)lock);
}

void GOMP_critical_name_end(void **lock)
{
	gomp_runtime_of(__builtin_return_address(0))->GOMP_critical_name_end(lock);
	if (critical_end())
		attach_work_end();
}

void GOMP_atomic_start(void)
{
	static struct place *atomic;
	const struct gomp_runtime *runtime = gomp_runtime_of(__builtin_return_address(0));

	if (!gomp_runtime_is_told(runtime)) {
		runtime->GOMP_atomic_start();
		return;
	}
	attach_wait_begin(place_of_literal(&atomic, "atomic"));
	runtime->GOMP_atomic_start();
	attach_wait_end();
}

void GOMP_ordered_start(void)
{
	const void *caller = __builtin_return_address(0);
	const struct gomp_runtime *runtime = gomp_runtime_of(caller);

	if (!gomp_runtime_is_told(runtime)) {
		runtime->GOMP_ordered_start();
		return;
	}
	attach_wait_begin(place_of_call("ordered", PLACE_LINE, caller));
	runtime->GOMP_ordered_start();
	attach_wait_end();
}

/*
 * One argument for each loop of the nest. Only the runtime knows how many, and reads those. What lies behind them on
 * the stack is handed on for the others.
 */
#define NEST_MAX 16

#define DOACROSS_WAIT(name, type)                                                                  \
	static void hand_on_##name(void (*wait)(type first, ...), const type *at)                  \
	{                                                                                          \
		wait(at[0], at[1], at[2], at[3], at[4], at[5], at[6], at[7], at[8], at[9], at[10], \
		     at[11], at[12], at[13], at[14], at[15]);                                      \
	}                                                                                          \
                                                                                                   \
	void name(type first, ...)                                                                 \
	{                                                                                          \
		const void *caller = __builtin_return_address(0);                                  \
		const struct gomp_runtime *runtime = gomp_runtime_of(caller);                      \
		bool is_told = gomp_runtime_is_told(runtime);                                      \
		type at[NEST_MAX] = { first };                                                     \
		va_list others;                                                                    \
                                                                                                   \
		va_start(others, first);                                                           \
		for (int i = 1; i < NEST_MAX; i++)                                                 \
			at[i] = va_arg(others, type);                                              \
		va_end(others);                                                                    \
		if (is_told)                                                                       \
			attach_wait_begin(place_of_call("ordered", PLACE_LINE, caller));           \
		hand_on_##name(runtime->name, at);                                                 \
		if (is_told)                                                                       \
			attach_wait_end();                                                         \
	}
DOACROSS_WAIT(GOMP_doacross_wait, long)
DOACROSS_WAIT(GOMP_doacross_ull_wait, gomp_ull)

#define GOMP_FUNCTION(type, name, parameters)
#define GOMP_LOCK(name, test)                                                      \
	void name(void *lock)                                                      \
	{                                                                          \
		const void *caller = __builtin_return_address(0);                  \
		const struct gomp_runtime *runtime = gomp_runtime_of(caller);      \
                                                                                   \
		if (!gomp_runtime_is_told(runtime)) {                              \
			runtime->name(lock);                                       \
			return;                                                    \
		}                                                                  \
		/* What can be had at once is no wait. */                          \
		if (runtime->test(lock))                                           \
			return;                                                    \
		attach_wait_begin_value(place_of_call("lock", PLACE_LINE, caller), \
					(intptr_t)lock);                           \
		runtime->name(lock);                                               \
		attach_wait_end();                                                 \
	}
#include "gomp_functions.def"
