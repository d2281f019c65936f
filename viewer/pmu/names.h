/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The events that libpfm4 knows by name: those of this machine's CPU, and the kernel's own. The
 * other PMUs it knows (of the memory controller, of the package) count for no thread and no CPU,
 * and are left out.
 *
 * LIBPFM_FORCE_PMU=NAME in the environment makes libpfm4 take this CPU for another (skl, icx, ...).
 */
#ifndef ANNOT_PMU_NAMES_H
#define ANNOT_PMU_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#define NAMES_MAX_PMUS 8

/* All strings are libpfm4's own. */
struct pmu_names_pmu {
	const char *name; /* "skl" */
	const char *description; /* "Intel Skylake" */
	bool is_cpu; /* false: the kernel's events: software events, generic names, raw codes */
	int id; /* libpfm4's */
	int first_event;
};

struct pmu_names_event {
	const struct pmu_names_pmu *pmu;
	const char *name;
	const char *description;
	const char *same_as; /* another name for this event; NULL: there is none */
	bool precise; /* with some of its masks at least */
	int index; /* libpfm4's */
	int nr_attributes;
};

struct pmu_names_attribute {
	const char *name;
	const char *description;
	const char *same_as; /* NULL, or as above */
	bool is_mask; /* else a modifier */
	bool takes_number;
	bool is_default;
	bool precise;
};

/*
 * Initialises libpfm4; call first. @cpu: the CPU whose events to name, as libpfm4 calls it; NULL:
 * that of this machine. Returns -1 after one line on stderr if there is no such CPU.
 */
int pmu_names_open(const char *cpu);

/* Whether the environment or pmu_names_open() chose another CPU than that of this machine. */
bool pmu_names_are_forced(void);

/* The CPU's own first. Returns how many. */
size_t pmu_names_pmus(const struct pmu_names_pmu **pmus);

/* The CPU's PMU; NULL: libpfm4 does not know this CPU. */
const struct pmu_names_pmu *pmu_names_cpu(void);

/* Calls @visit for each event of @pmu, until it returns false. */
void pmu_names_for_each(const struct pmu_names_pmu *pmu,
			bool (*visit)(const struct pmu_names_event *event, void *context),
			void *context);

/* Attribute @i of @event. Returns false if there is none. */
bool pmu_names_attribute(const struct pmu_names_event *event, int i,
			 struct pmu_names_attribute *attribute);

/* Finds the event with exactly this name, ignoring case. */
bool pmu_names_find(const char *name, struct pmu_names_event *event);

/* The event with libpfm4's index @index. Returns false if it is of none of pmu_names_pmus(). */
bool pmu_names_get(int index, struct pmu_names_event *event);

/* The name of an event (ours, libpfm4's or the kernel's) that @typed probably means, or NULL. */
const char *pmu_names_nearest(const char *typed);

#endif /* ANNOT_PMU_NAMES_H */
