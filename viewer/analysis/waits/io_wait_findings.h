/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Findings of threads that wait for files: for disks, page faults on files, file systems over a network.
 */
#ifndef ANNOT_IO_WAIT_FINDINGS_H
#define ANNOT_IO_WAIT_FINDINGS_H

#include "analysis/base/findings.h"
#include "analysis/regions/critical_path.h"
#include "analysis/waits/blocked_on.h"

/* Whether a cause, as the cause tables have it, is a wait for a file: "disk (fsync)", "page fault: disk". */
bool io_wait_is_cause(const char *cause);

/*
 * Adds one finding, if threads of the session were blocked on files for IO_WAIT_LEAST_SHARE of the time in which they
 * existed. At most what @path, that of the session, has of such waits is lost: if they took no time, what else is on it
 * would still.
 */
#define IO_WAIT_LEAST_SHARE 0.05
void io_wait_add_findings(const struct model *model, const struct blocked_on *blocked,
			  const struct critical_path *path, struct findings *findings);

#endif /* ANNOT_IO_WAIT_FINDINGS_H */
