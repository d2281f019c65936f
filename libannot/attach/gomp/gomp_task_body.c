// SPDX-License-Identifier: MIT
#include "gomp_task_body.h"

#include <stddef.h>

#include "gomp_runtime.h"

struct task_slot {
	struct place *place; /* NULL: free */
	gomp_body *body; /* NULL: another thread is about to set it */
};

static struct task_slot slots[GOMP_TASK_BODIES];

static void task_run(const struct task_slot *slot, void *data)
{
	struct attach_wait suspended;

	if (!attach_is_recording()) {
		gomp_runtime_run(slot->body, data);
		return;
	}
	suspended = attach_task_begin(slot->place);
	gomp_runtime_run(slot->body, data);
	attach_task_end(suspended);
}

/* Functions run_0x000 to run_0x3ff, one for each slot. */
#define EACH_OF_16(what, n)                                                                     \
	what(n##0) what(n##1) what(n##2) what(n##3) what(n##4) what(n##5) what(n##6) what(n##7) \
		what(n##8) what(n##9) what(n##a) what(n##b) what(n##c) what(n##d) what(n##e)    \
			what(n##f)
#define EACH_OF_256(what, n)   \
	EACH_OF_16(what, n##0) \
	EACH_OF_16(what, n##1) \
	EACH_OF_16(what, n##2) \
	EACH_OF_16(what, n##3) \
	EACH_OF_16(what, n##4) \
	EACH_OF_16(what, n##5) \
	EACH_OF_16(what, n##6) \
	EACH_OF_16(what, n##7) \
	EACH_OF_16(what, n##8) \
	EACH_OF_16(what, n##9) \
	EACH_OF_16(what, n##a) \
	EACH_OF_16(what, n##b) \
	EACH_OF_16(what, n##c) \
	EACH_OF_16(what, n##d) \
	EACH_OF_16(what, n##e) \
	EACH_OF_16(what, n##f)
#define EACH_SLOT(what)        \
	EACH_OF_256(what, 0x0) \
	EACH_OF_256(what, 0x1) \
	EACH_OF_256(what, 0x2) \
	EACH_OF_256(what, 0x3)

#define RUN(n)                             \
	static void run_##n(void *data)    \
	{                                  \
		task_run(&slots[n], data); \
	}
EACH_SLOT(RUN)

#define NAME_OF_RUN(n) run_##n,
static gomp_body *const runs[GOMP_TASK_BODIES] = { EACH_SLOT(NAME_OF_RUN) };

static bool slot_holds(const struct task_slot *slot, const struct place *place, gomp_body *body)
{
	return __atomic_load_n(&slot->place, __ATOMIC_ACQUIRE) == place &&
	       __atomic_load_n(&slot->body, __ATOMIC_ACQUIRE) == body;
}

/* Two threads that do so at once may take a slot each, for the same. */
static bool slot_take(struct task_slot *slot, struct place *place, gomp_body *body)
{
	struct place *none = NULL;

	if (!__atomic_compare_exchange_n(&slot->place, &none, place, false, __ATOMIC_ACQ_REL,
					 __ATOMIC_RELAXED))
		return false;
	__atomic_store_n(&slot->body, body, __ATOMIC_RELEASE);
	return true;
}

gomp_body *gomp_task_body(gomp_body *body, struct place *place)
{
	size_t at;

	for (size_t i = 0; i < GOMP_TASK_BODIES; i++) {
		at = (place->index + i) % GOMP_TASK_BODIES;
		if (slot_holds(&slots[at], place, body) || slot_take(&slots[at], place, body))
			return runs[at];
	}
	return body;
}
