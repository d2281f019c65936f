/* SPDX-License-Identifier: MIT */
/*
 * The text of annot_status(): where annotations go, and why nowhere better.
 */
#ifndef LIBANNOT_STATUS_H
#define LIBANNOT_STATUS_H

#include "backend.h"
#include "device.h"

/* What came of the attempts: 0, -errno, or that it was not tried. */
#define NOT_TRIED 1

struct attempts {
	struct abi_range range; /* of the device */
	int device;
	int marker;
	int raw;
	const char *tracefs; /* of the marker */
};

/*
 * The first text. Call only in the thread whose decision counts. Another thread may have mapped the rings
 * meanwhile.
 */
void annot_status_publish(enum backend backend, const struct attempts *attempts);

/*
 * Reports the result of mapping the ring of @cpu or, if @cpu < 0, all rings: 0, or -errno. Only the
 * first report of each kind counts.
 */
void annot_status_report_rings(int cpu, int error);

/*
 * Reports that batches were chosen, but are not available: -errno. That is known after the decision, so
 * it corrects the text. Only the first report counts.
 */
void annot_status_report_no_batches(int error);

/* NULL until there is one. */
const char *annot_status_text(void);

#endif /* LIBANNOT_STATUS_H */
