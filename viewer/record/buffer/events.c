// SPDX-License-Identifier: GPL-2.0
#include "record/buffer/events.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>
#include <unistd.h>

#include "util/diag.h"

const char *const *events_of_scheduler(void)
{
	static const char *const events[] = {
		"sched:sched_switch",
		"sched:sched_waking",
		"sched:sched_wakeup",
		"sched:sched_wakeup_new",
		"sched:sched_migrate_task",
		"sched:sched_process_fork",
		"sched:sched_process_exec",
		"sched:sched_process_exit",
		"task:task_newtask",
		"task:task_rename",
		NULL,
	};

	return events;
}

const char *const *events_of_power(void)
{
	static const char *const events[] = { "power:cpu_frequency", NULL };

	return events;
}

const char *const *events_of_annot(enum events_annot annot)
{
	/* While annot_begin is enabled, the module makes no batches: they are not to be mixed. */
	static const char *const events[][7] = {
		[EVENTS_ANNOT_NONE] = { NULL },
		[EVENTS_ANNOT_ALL] = { "annot", NULL },
		[EVENTS_ANNOT_BATCHED] = { "annot:annot_name", "annot:annot_lost",
					   "annot:annot_config", "annot:annot_batch", NULL },
		[EVENTS_ANNOT_ONE_BY_ONE] = { "annot:annot_lost", "annot:annot_config",
					      "annot:annot_begin", "annot:annot_end",
					      "annot:annot_mark", "annot:annot_counter", NULL },
	};

	return events[annot];
}

const char *const *events_of_pmu(bool samples, bool counts)
{
	/* The events that report the state of counters are enabled before counters start. */
	static const char *const events[2][2][4] = {
		{ { NULL }, { "annot:annot_pmu_state", "annot:annot_slice_counts", NULL } },
		{ { "annot:annot_pmu_state", "annot:annot_sample", NULL },
		  { "annot:annot_pmu_state", "annot:annot_sample", "annot:annot_slice_counts",
		    NULL } },
	};

	return events[samples][counts];
}

const char *const *events_of_sleep(bool blocked)
{
	static const char *const events[][2] = { { NULL }, { "annot:annot_blocked", NULL } };

	return events[blocked];
}

const char *const *events_of_stacks(bool stacks)
{
	static const char *const events[2][2] = { { NULL }, { "annot:annot_stack", NULL } };

	return events[stacks];
}

const char *const *events_of_wakers(bool wakers)
{
	static const char *const events[2][2] = { { NULL }, { "annot:annot_waking", NULL } };

	return events[wakers];
}

/* How many events were found and enabled; and why one of those found was not. */
struct enabling {
	const char *dir; /* of the buffer */
	int nr_enabled;
	int error;
};

static void enable_file(struct enabling *enabling, const char *path)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, "1", 1) != 1)
		enabling->error = errno;
	else
		enabling->nr_enabled++;
	if (fd >= 0)
		close(fd);
}

/* The events of @system that are called @name; both may have wildcards. */
static void enable_matching(struct enabling *enabling, int system_length, const char *system,
			    const char *name)
{
	char pattern[PATH_MAX];
	glob_t found;

	snprintf(pattern, sizeof(pattern), "%s/events/%.*s/%s/enable", enabling->dir, system_length,
		 system, name);
	if (!glob(pattern, GLOB_NOSORT, NULL, &found)) {
		for (size_t i = 0; i < found.gl_pathc; i++)
			enable_file(enabling, found.gl_pathv[i]);
	}
	globfree(&found);
}

/* Of a whole system, some events are for perf only: the rest is recorded. */
static int enable_event(const char *dir, const char *event, bool may_be_missing)
{
	struct enabling enabling = { .dir = dir };
	const char *colon = strchr(event, ':');

	if (colon) {
		enable_matching(&enabling, (int)(colon - event), event, colon[1] ? colon + 1 : "*");
	} else {
		enable_matching(&enabling, (int)strlen(event), event, "*");
		enable_matching(&enabling, 1, "*", event);
	}
	if (enabling.nr_enabled || (may_be_missing && !enabling.error))
		return 0;
	if (enabling.error)
		return diag_error("record: -e %s: cannot be enabled: %s", event,
				  strerror(enabling.error));
	return diag_error("record: -e %s: the kernel has no such event", event);
}

static int enable_events(struct tracefs_instance *instance, const char *const *events,
			 bool may_be_missing)
{
	char *dir = tracefs_instance_get_dir(instance);
	int err = dir ? 0 : diag_error("record: %s", strerror(ENOMEM));

	for (; !err && *events; events++)
		err = enable_event(dir, *events, may_be_missing);
	free(dir);
	return err;
}

int events_enable(struct tracefs_instance *instance, const char *const *events)
{
	return enable_events(instance, events, false);
}

int events_enable_present(struct tracefs_instance *instance, const char *const *events)
{
	return enable_events(instance, events, true);
}
