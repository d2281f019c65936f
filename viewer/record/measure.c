// SPDX-License-Identifier: GPL-2.0
#include "record/measure.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <uapi/annot.h>

#include "doctor/checks.h"
#include "doctor/paths.h"
#include "record/measure_topdown.h"
#include "util/diag.h"

#define NS_PER_MS 1e6
#define DEFAULT_PERIOD 10007

uint64_t measure_period(const struct measure_plan *plan, const struct pmu_code *code)
{
	uint64_t period = code->period ? code->period : plan->period;

	if (!period)
		period = code->default_period ? code->default_period : DEFAULT_PERIOD;
	if (code->period_step && period > code->period_step)
		period -= period % code->period_step;
	return period;
}

static void fill_event(struct annot_event *event, const struct pmu_request *request,
		       const struct measure_plan *plan, bool shares)
{
	const struct pmu_code *code = &request->code;

	*event = (struct annot_event){
		.config = code->config,
		.config1 = code->config1,
		.config2 = code->config2,
		.type = code->type,
		.flags = (code->user ? ANNOT_EVENT_USER : 0u) |
			 (code->kernel ? ANNOT_EVENT_KERNEL : 0u),
		.mode = request->counted ? ANNOT_EVENT_COUNT : ANNOT_EVENT_SAMPLE,
	};
	snprintf(event->name, sizeof(event->name), "%s", request->name);
	if (request->counted && shares)
		event->flags |= ANNOT_EVENT_SHARED;
	if (request->counted)
		return;
	event->period = measure_period(plan, code);
	event->precise = (uint8_t)code->precise;
	if (plan->registers)
		event->flags |= ANNOT_EVENT_REGISTERS;
	if (plan->stacks)
		event->flags |= ANNOT_EVENT_STACK;
	if (request->skips_idle)
		event->flags |= ANNOT_EVENT_NO_IDLE;
}

static int explain_refusal(int error)
{
	return diag_error("record: " PATH_CTL_DEVICE ": the events are refused: %s",
			  strerror(error));
}

static int explain_set(const struct measure_plan *plan, int error)
{
	switch (error) {
	case ENOTTY:
		return diag_error("record: the annot.ko that is loaded is too old for -e and "
				  "--count: install that of annot " ANNOT_VERSION);
	case EINVAL:
		if (plan->stacks)
			return diag_error(
				"record: the annot.ko that is loaded is too old for "
				"-F and --call-stacks: install that of annot " ANNOT_VERSION);
		return explain_refusal(error);
	case EPERM:
	case EACCES:
		if (doctor_check_report("record: -e and --count", CHECK_PERF, SEVERITY_LIMITS))
			return -1;
		return diag_error("record: -e, -F and --count need root, or CAP_PERFMON");
	case EBUSY:
		return diag_error("record: another program already measures with annot.ko");
	default:
		return explain_refusal(error);
	}
}

/* For @options. */
static int open_ctl(const char *options)
{
	int fd = open(PATH_CTL_DEVICE, O_RDWR | O_CLOEXEC);
	char need[80];
	int error;

	if (fd >= 0)
		return fd;
	error = errno;
	snprintf(need, sizeof(need), "record: %s the module annot.ko", options);
	if (doctor_check_report(need, CHECK_MODULE, SEVERITY_LIMITS) ||
	    doctor_check_report("record", CHECK_DEVICES, SEVERITY_LIMITS))
		return -1;
	return diag_error("record: " PATH_CTL_DEVICE ": %s", strerror(error));
}

static void print_precision(const struct annot_event *event, int asked)
{
	if (event->precise >= asked)
		return;
	if (event->precise)
		diag_warn("record: event '%s': precise level %d, not %d", event->name,
			  event->precise, asked);
	else
		diag_warn("record: event '%s': precise level 0, not %d: PEBS is not available here "
			  "(in most virtual machines), so instructions are approximate",
			  event->name, asked);
}

static void print_event(const struct annot_event *event, const struct pmu_request *request,
			const struct measure_plan *plan)
{
	const struct pmu_code *code = &request->code;

	if (plan->quiet)
		return;
	if (request->skips_idle)
		diag_note("samples what runs on each CPU every %.3f ms, %s",
			  (double)event->period / NS_PER_MS, pmu_code_sides(code));
	else if (request->counted)
		diag_note("counts %s (%s), %s", event->name, code->stands_for,
			  pmu_code_sides(code));
	else
		diag_note("samples %s (%s) every %" PRIu64 ", %s, precise level %d", event->name,
			  code->stands_for, (uint64_t)event->period, pmu_code_sides(code),
			  event->precise);
}

/* Its samples are of points in time: they have no data. */
static bool is_clock(const struct pmu_code *code)
{
	return code->type == PERF_TYPE_SOFTWARE && (code->config == PERF_COUNT_SW_CPU_CLOCK ||
						    code->config == PERF_COUNT_SW_TASK_CLOCK);
}

static void count_measured(struct measure *measure, const struct pmu_request *request)
{
	if (request->counted) {
		measure->counts = true;
	} else {
		measure->samples = true;
		measure->addresses |= !is_clock(&request->code);
	}
	measure->nr_measured++;
}

/* Reports the result of each event, and counts those that are measured. */
static void describe_event(struct measure *measure, const struct measure_plan *plan,
			   const struct annot_event *events)
{
	for (size_t i = 0; i < plan->requests.nr; i++) {
		const struct pmu_request *request = &plan->requests.requests[i];
		const struct annot_event *event = request->not_here ? NULL : events++;

		if (request->is_of_topdown) {
			if (!event->error)
				count_measured(measure, request);
			continue;
		}
		if (!event || event->error) {
			pmu_request_report_refusal(request, "record", event ? event->error : 0);
			continue;
		}
		print_event(event, request, plan);
		print_precision(event, request->counted ? 0 : request->code.precise);
		count_measured(measure, request);
	}
}

/*
 * Fills @events, of ANNOT_EVENTS_MAX, in the order of the requests that have a code, with what came of them. Returns 0 or an
 * errno.
 */
static int ask_for_events(const struct measure *measure, const struct measure_plan *plan,
			  struct annot_event *events)
{
	struct annot_events set = {
		.events = (uint64_t)(uintptr_t)events,
		.max_samples = plan->max_samples,
	};

	for (size_t i = 0; i < plan->requests.nr; i++) {
		if (!plan->requests.requests[i].not_here)
			fill_event(&events[set.nr++], &plan->requests.requests[i], plan,
				   measure->shares);
	}
	return set.nr && ioctl(measure->ctl_fd, ANNOT_IOC_EVENTS, &set) ? errno : 0;
}

static int set_events(const struct measure *measure, const struct measure_plan *plan,
		      struct annot_event *events)
{
	int error = ask_for_events(measure, plan, events);

	return error ? explain_set(plan, error) : 0;
}

/* Whether a counted event found no counter left. */
static bool lacks_counters(const struct measure_plan *plan, const struct annot_event *events)
{
	for (size_t i = 0; i < plan->requests.nr; i++) {
		if (plan->requests.requests[i].not_here)
			continue;
		if (events->mode == ANNOT_EVENT_COUNT && events->error == EBUSY)
			return true;
		events++;
	}
	return false;
}

/* All counted events then take turns, so that none has less time than another. An older module cannot do it. */
static void share_counters(struct measure *measure, const struct measure_plan *plan,
			   struct annot_event *events)
{
	struct annot_event shared[ANNOT_EVENTS_MAX];

	measure->shares = true;
	if (ask_for_events(measure, plan, shared)) {
		measure->shares = false;
		return;
	}
	memcpy(events, shared, sizeof(shared));
	if (!plan->quiet)
		diag_note(
			"there are more events than counters: they take turns, and their counts are estimates");
}

static void take_events_back(const struct measure *measure)
{
	struct annot_events none = { .nr = 0 };

	ioctl(measure->ctl_fd, ANNOT_IOC_EVENTS, &none);
}

static int try_events(struct measure *measure, const struct measure_plan *plan)
{
	struct annot_event events[ANNOT_EVENTS_MAX];

	if (set_events(measure, plan, events))
		return -1;
	if (lacks_counters(plan, events))
		share_counters(measure, plan, events);
	describe_event(measure, plan, events);
	measure_topdown_report(plan, events);
	take_events_back(measure);
	if (!measure->nr_measured)
		return diag_error(
			"record: nothing is recorded: none of the events can be measured here (annot list lists events)");
	return 0;
}

/* The stacks are of threads that fall asleep: no event is measured. */
static int open_for_stacks(struct measure *measure)
{
	measure->ctl_fd = open_ctl("--call-stacks needs");
	return measure->ctl_fd < 0 ? EXIT_BAD_INPUT : EXIT_OK;
}

int measure_open(struct measure *measure, const struct measure_plan *plan)
{
	*measure = MEASURE_NONE;
	if (!plan->requests.nr)
		return plan->stacks ? open_for_stacks(measure) : EXIT_OK;
	if (plan->requests.nr > ANNOT_EVENTS_MAX) {
		diag_error("record: %zu events are more than the %d that annot.ko measures at once "
			   "(user and kernel apart are two)",
			   plan->requests.nr, ANNOT_EVENTS_MAX);
		return EXIT_USAGE;
	}
	measure->ctl_fd = open_ctl("-e and -F need");
	if (measure->ctl_fd < 0)
		return EXIT_BAD_INPUT;
	if (try_events(measure, plan)) {
		measure_close(measure);
		return EXIT_BAD_INPUT;
	}
	return EXIT_OK;
}

/* The number after @key in the module's status; -1: there is none. */
static int64_t read_state(const struct measure *measure, const char *key)
{
	char state[256];
	ssize_t length = pread(measure->ctl_fd, state, sizeof(state) - 1, 0);
	size_t key_length = strlen(key);

	state[length > 0 ? length : 0] = '\0';
	for (char *line = strtok(state, "\n"); line; line = strtok(NULL, "\n")) {
		if (!strncmp(line, key, key_length) && line[key_length] == ' ')
			return strtoll(line + key_length, NULL, 10);
	}
	return -1;
}

int measure_start(struct measure *measure, const struct measure_plan *plan)
{
	struct annot_event events[ANNOT_EVENTS_MAX];

	if (measure->nr_measured)
		measure->throttled_before_ns = read_state(measure, "throttled_ns");
	return measure->nr_measured ? set_events(measure, plan, events) : 0;
}

bool measure_runs(const struct measure *measure)
{
	int64_t wanted = measure->nr_measured * sysconf(_SC_NPROCESSORS_ONLN);

	return !wanted || read_state(measure, "counters") >= wanted;
}

uint64_t measure_throttled_ns(const struct measure *measure)
{
	int64_t until_now_ns = !measure->nr_measured ? -1 : read_state(measure, "throttled_ns");

	return until_now_ns < 0 ? 0 : (uint64_t)(until_now_ns - measure->throttled_before_ns);
}

void measure_close(struct measure *measure)
{
	if (measure->ctl_fd >= 0)
		close(measure->ctl_fd);
	measure->ctl_fd = -1;
}
