// SPDX-License-Identifier: MIT
/* What the inline functions of annot/annot.h call when there is something to do. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>

#include "annot/annot.h"
#include "backend.h"
#include "device.h"
#include "device_rings.h"
#include "format.h"
#include "marker.h"
#include "pages.h"
#include "raw.h"
#include "rings.h"

#define THREAD_NAME_MAX_BYTES 15

static void emit_to_device(struct annot_site *site, unsigned int op, const char *name,
			   int64_t value)
{
	if (!annot_word_is_set())
		return;
	if (annot_device_made_rings() && annot_rings_emit(site, op, name, value))
		return;
	if (annot_device_call(site, op, name, value))
		return;
	if (annot_device_emit(op, name, value))
		annot_device_count_dropped();
}

/* A write() to trace_marker is one event. */
static void emit_to_marker(unsigned int op, const char *name, int64_t value)
{
	if ((op & ~ANNOT_OP_HAS_VALUE) == ANNOT_OP_NEXT) {
		annot_marker_emit(ANNOT_OP_END, NULL, 0);
		op = ANNOT_OP_BEGIN | (op & ANNOT_OP_HAS_VALUE);
	}
	annot_marker_emit(op, name, value);
}

static void emit_to_raw(struct annot_site *site, unsigned int op, const char *name, int64_t value)
{
	if (!annot_raw_emit(site, op, name, value))
		emit_to_marker(op, name, value);
}

void annot_emit(struct annot_site *site, unsigned int op, const char *name, int64_t value)
{
	unsigned int kind = op & ~ANNOT_OP_HAS_VALUE;
	int saved_errno = errno;

	if (kind > ANNOT_OP_NEXT) /* of a newer header than this library */
		return;
	if (kind == ANNOT_OP_COUNTER)
		op |= ANNOT_OP_HAS_VALUE;
	/* The one that wastes no time first: what it takes is counted, too. */
	if (annot_device_call(site, op, name, value) || annot_rings_emit(site, op, name, value)) {
		errno = saved_errno;
		return;
	}
	switch (annot_backend()) {
	case BACKEND_DEVICE:
		emit_to_device(site, op, name, value);
		break;
	case BACKEND_MARKER:
		emit_to_marker(op, name, value);
		break;
	case BACKEND_RAW:
		emit_to_raw(site, op, name, value);
		break;
	case BACKEND_UNDECIDED:
	case BACKEND_OFF:
		break;
	}
	errno = saved_errno;
}

int annot_recording(void)
{
	int saved_errno = errno;
	bool recording = false;

	switch (annot_backend()) {
	case BACKEND_DEVICE:
		recording = annot_word_is_set();
		break;
	case BACKEND_MARKER:
	case BACKEND_RAW:
		recording = annot_marker_recording();
		break;
	case BACKEND_UNDECIDED:
	case BACKEND_OFF:
		break;
	}
	errno = saved_errno;
	return recording;
}

void annot_thread_name(const char *name)
{
	char kept[THREAD_NAME_MAX_BYTES + 1] = "";
	int saved_errno = errno;

	if (!name || !*name)
		name = "?";
	memcpy(kept, name, annot_format_length(name, THREAD_NAME_MAX_BYTES));
	prctl(PR_SET_NAME, kept, 0, 0, 0);
	errno = saved_errno;
}
