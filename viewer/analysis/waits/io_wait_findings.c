// SPDX-License-Identifier: GPL-2.0
#include "analysis/waits/io_wait_findings.h"

#include <inttypes.h>
#include <string.h>

#include "util/text/figure.h"
#include "util/text/text.h"

#define FEW_WAITS 5
#define MANY_WAITS 20

/* Waits for files, and those of them that matter most. */
struct io_sum {
	uint64_t nr;
	uint64_t ns;
	uint64_t on_path_ns;
	const struct blocked_on_sum *cause;
	const struct blocked_on_sum *thread; /* of a thread and a cause */
};

bool io_wait_is_cause(const char *cause)
{
	static const char *const words[] = { "disk", "NFS", "9P", "FUSE" };
	static const char fault[] = "page fault: ";

	if (!strncmp(cause, fault, strlen(fault)))
		cause += strlen(fault);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		size_t length = strlen(words[i]);

		if (!strncmp(cause, words[i], length) && (!cause[length] || cause[length] == ' '))
			return true;
	}
	return false;
}

static bool is_io(const struct model *model, uint32_t cause)
{
	return cause != TRACE_NO_STRING && io_wait_is_cause(trace_string(model->trace, cause));
}

/* Both tables have the greatest sum first. */
static struct io_sum sum_up(const struct model *model, const struct blocked_on *blocked,
			    const struct critical_path *path)
{
	struct io_sum sum = { 0 };

	for (size_t i = 0; i < blocked->nr_causes; i++) {
		const struct blocked_on_sum *cause = &blocked->causes[i];

		if (!is_io(model, cause->cause))
			continue;
		sum.nr += cause->nr;
		sum.ns += cause->ns.sum;
		if (!sum.cause)
			sum.cause = cause;
	}
	for (size_t i = 0; i < blocked->nr_threads && !sum.thread; i++) {
		if (is_io(model, blocked->threads[i].cause))
			sum.thread = &blocked->threads[i];
	}
	for (size_t i = 0; i < path->nr_lines; i++) {
		if (is_io(model, path->lines[i].waits_for))
			sum.on_path_ns += path->lines[i].ns;
	}
	return sum;
}

/* For how long the threads of the session existed, taken together. */
static uint64_t lives_ns(const struct model *model)
{
	uint64_t sum_ns = 0;

	for (size_t i = 0; i < model->nr_threads; i++) {
		const struct thread *thread = &model->threads[i];

		for (int state = 0; thread->in_session && state < NR_THREAD_STATES; state++) {
			if (state != STATE_UNKNOWN && state != STATE_DEAD)
				sum_ns += thread->totals.state_ns[state];
		}
	}
	return sum_ns;
}

static void add_finding(const struct model *model, const struct io_sum *sum, double share,
			struct findings *findings)
{
	struct finding *finding = findings_add_at_most(findings, FINDING_IO_WAIT, sum->on_path_ns,
						       sum->thread->longest_from_ns,
						       sum->thread->longest_to_ns);

	finding->confidence = CONFIDENCE_MEDIUM;
	if (sum->nr >= MANY_WAITS)
		finding->confidence = CONFIDENCE_HIGH;
	if (sum->nr < FEW_WAITS) {
		finding->confidence = CONFIDENCE_LOW;
		finding->caveats |= CAVEAT_FEW;
	}
	finding_add_thread(finding, sum->thread->thread);
	finding_set_text(
		finding,
		"threads are blocked on files for %s, %.0f %% of their time, in %" PRIu64
		" wait%s: most for \"%s\" (%s), and %s for \"%s\" (%s, the longest %s); %s of "
		"all that is on the critical path",
		figure_ns(sum->ns, " ").text, 100 * share, sum->nr, text_plural(sum->nr),
		trace_string(model->trace, sum->cause->cause),
		figure_ns(sum->cause->ns.sum, " ").text,
		thread_label(model, sum->thread->thread).text,
		trace_string(model->trace, sum->thread->cause),
		figure_ns(sum->thread->ns.sum, " ").text, figure_ns(sum->thread->ns.max, " ").text,
		figure_ns(sum->on_path_ns, " ").text);
}

void io_wait_add_findings(const struct model *model, const struct blocked_on *blocked,
			  const struct critical_path *path, struct findings *findings)
{
	struct io_sum sum = sum_up(model, blocked, path);
	double lives = (double)lives_ns(model);

	if (sum.nr && (double)sum.ns >= IO_WAIT_LEAST_SHARE * lives)
		add_finding(model, &sum, (double)sum.ns / lives, findings);
}
