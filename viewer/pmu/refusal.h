/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Why the kernel does not measure an event, in words that tell what to do.
 */
#ifndef ANNOT_PMU_REFUSAL_H
#define ANNOT_PMU_REFUSAL_H

#include <stdbool.h>
#include <stddef.h>

/* What the words depend on. */
struct refusal_facts {
	bool has_pmu; /* the kernel drives one */
	bool nmi_watchdog; /* it runs, and has a counter of each CPU */
	int paranoid; /* kernel.perf_event_paranoid */
};

/* Of this machine. */
void refusal_read_facts(struct refusal_facts *facts);

/*
 * @error: the errno; @is_software: the event needs no PMU; @sampled: it was to be sampled, not only
 * counted. One line without an end in @why (of @size bytes).
 */
void refusal_explain(const struct refusal_facts *facts, int error, bool is_software, bool sampled,
		     char *why, size_t size);

/* What works where there is no PMU: the end of a line that says so. */
#define REFUSAL_NO_PMU \
	"the kernel has no PMU here (as in most virtual machines); page_faults works everywhere"

#endif /* ANNOT_PMU_REFUSAL_H */
