// SPDX-License-Identifier: MIT
/*
 * Chooses where annotations go. The first annotation makes the choice, on any thread. It is kept.
 *
 * There is no lock, because a signal handler may interrupt the choice and annotate itself. A thread
 * that finds no choice makes it alone. All threads come to the same result. Each part of the result
 * is published by compare-and-exchange, so what two threads opened is closed once.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "backend.h"
#include "annot/annot.h"
#include "device.h"
#include "environment.h"
#include "marker.h"
#include "raw.h"
#include "rest.h"
#include "status.h"

static _Atomic(enum backend) chosen_backend;

static int try_marker(struct attempts *attempts)
{
	static const char *const usual[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };
	const char *tracefs = annot_environment()->tracefs;
	bool always = annot_environment_is_always();
	size_t i;

	if (tracefs[0]) {
		attempts->tracefs = tracefs;
		return annot_marker_open(tracefs, always);
	}
	for (i = 0; i < sizeof(usual) / sizeof(usual[0]); i++) {
		int error = annot_marker_open(usual[i], always);

		/* Report the first directory, unless it does not exist. */
		if (!i || error != -ENOENT) {
			attempts->tracefs = usual[i];
			attempts->marker = error;
		}
		if (!error)
			break;
	}
	return attempts->marker;
}

static enum backend try_backends(struct attempts *attempts)
{
	enum choice choice = annot_environment()->choice;

	if (choice == CHOICE_OFF)
		return BACKEND_OFF;
	if (choice != CHOICE_MARKER && choice != CHOICE_RAW) {
		attempts->device = annot_device_open(&attempts->range);
		if (!attempts->device)
			return BACKEND_DEVICE;
	}
	if (choice != CHOICE_DEVICE) {
		attempts->marker = try_marker(attempts);
		if (attempts->marker)
			return BACKEND_OFF;
		if (annot_environment_may_be_raw())
			attempts->raw = annot_raw_open(attempts->tracefs);
		return attempts->raw ? BACKEND_MARKER : BACKEND_RAW;
	}
	return BACKEND_OFF;
}

static void publish_word(enum backend backend)
{
	uint32_t word = backend != BACKEND_OFF;

	if (backend == BACKEND_DEVICE) {
		annot_device_map_control();
		return;
	}
	if (word && !annot_environment_is_always() && annot_rest_prepare())
		word = ANNOT_UNLESS_RESTING;
	__atomic_store_n(&annot_control_page.recording, word, __ATOMIC_RELEASE);
}

static enum backend choose_backend(void)
{
	struct attempts attempts = {
		.device = NOT_TRIED,
		.marker = NOT_TRIED,
		.raw = NOT_TRIED,
	};
	enum backend none = BACKEND_UNDECIDED;
	enum backend backend;

	backend = try_backends(&attempts);
	if (!atomic_compare_exchange_strong(&chosen_backend, &none, backend))
		return none; /* which now holds what another has decided */
	publish_word(backend);
	annot_status_publish(backend, &attempts);
	return backend;
}

enum backend annot_backend(void)
{
	enum backend backend = atomic_load_explicit(&chosen_backend, memory_order_acquire);

	return backend == BACKEND_UNDECIDED ? choose_backend() : backend;
}

const char *annot_status(void)
{
	const char *text;
	int saved_errno = errno;

	annot_backend();
	text = annot_status_text();
	errno = saved_errno;
	return text ? text : "being decided by another thread";
}
