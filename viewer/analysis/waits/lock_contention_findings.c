// SPDX-License-Identifier: GPL-2.0
#include "analysis/waits/lock_contention_findings.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "util/text/figure.h"

#define HELD_LEAST_SHARE \
	0.3 /* of the waiting: a holder, or what holders do, that is worth naming */

static void say_holder(const struct model *model, const struct lock_contention_lock *lock,
		       char *text, size_t bytes)
{
	const char *task = trace_string(model->trace, lock->holder_task);

	text[0] = '\0';
	if (lock->holder == MODEL_NO_THREAD ||
	    (double)lock->held_ns < HELD_LEAST_SHARE * (double)lock->wait_ns)
		return;
	snprintf(text, bytes, "; %s holds it in %.0f %% of that time%s%s",
		 thread_label(model, lock->holder).text,
		 100 * (double)lock->held_ns / (double)lock->wait_ns,
		 lock->holder_task == TRACE_NO_STRING ? "" : ", in ", task);
}

/* What holders did most. */
static void say_holding(const struct model *model, const struct lock_contention_lock *lock,
			char *text, size_t bytes)
{
	bool has_cause = lock->holders_most_cause != TRACE_NO_STRING;
	const char *did;

	text[0] = '\0';
	if ((double)lock->holders_most_ns < HELD_LEAST_SHARE * (double)lock->wait_ns)
		return;
	switch (lock->holders_most_state) {
	case STATE_RUNNING:
		did = "runs";
		break;
	case STATE_PREEMPTED:
		did = "is preempted";
		break;
	case STATE_RUNNABLE:
		did = "waits for a CPU";
		break;
	case STATE_SLEEPING:
		did = "is blocked itself";
		break;
	default:
		return;
	}
	snprintf(text, bytes, "; its holder %s in %.0f %% of that time%s%s", did,
		 100 * (double)lock->holders_most_ns / (double)lock->wait_ns,
		 has_cause ? ", on " : "",
		 has_cause ? trace_string(model->trace, lock->holders_most_cause) : "");
}

struct holder_words {
	char text[768];
};

/* Who holds it, and what holders do; of each, what is worth naming. */
static struct holder_words say_holders(const struct model *model,
				       const struct lock_contention_lock *lock)
{
	struct holder_words words;
	size_t length;

	say_holder(model, lock, words.text, sizeof(words.text));
	length = strlen(words.text);
	say_holding(model, lock, words.text + length, sizeof(words.text) - length);
	return words;
}

static struct finding *new_finding(const struct lock_contention_lock *lock, enum finding_kind kind,
				   uint64_t from_ns, uint64_t to_ns, struct findings *findings)
{
	struct finding *finding = findings_add_at_most(findings, kind, lock->contended_ns, from_ns,
						       to_ns);

	finding->confidence = CONFIDENCE_MEDIUM;
	finding->cure = (struct run_change){ .kind = CHANGE_NO_LOCK, .name = lock->name };
	finding_add_thread(finding, lock->longest_waiter);
	if (lock->holder != MODEL_NO_THREAD && lock->holder != lock->longest_waiter)
		finding_add_thread(finding, lock->holder);
	return finding;
}

static void add_contention(const struct model *model, const struct lock_contention_lock *lock,
			   struct findings *findings)
{
	struct finding *finding = new_finding(lock, FINDING_LOCK_CONTENTION, lock->longest_from_ns,
					      lock->longest_to_ns, findings);

	finding_set_text(finding,
			 "%" PRIu64 " %s for %s: %s in %" PRIu64
			 " waits, the longest %s%s; for %s in all, at least one of them waits",
			 lock->waiters, lock->waiters > 1 ? "threads wait" : "thread waits",
			 trace_string(model->trace, lock->name), figure_ns(lock->wait_ns, " ").text,
			 lock->waits, figure_ns(lock->longest_ns, " ").text,
			 say_holders(model, lock).text, figure_ns(lock->contended_ns, " ").text);
}

static void add_convoy(const struct model *model, const struct lock_contention_lock *lock,
		       struct findings *findings)
{
	const struct lock_convoys *convoys = &lock->convoys;
	struct finding *finding = new_finding(lock, FINDING_LOCK_CONVOY, convoys->longest_from_ns,
					      convoys->longest_to_ns, findings);

	finding_set_text(finding,
			 "%" PRIu64
			 " threads queue for %s again and again: %s in convoys, the longest "
			 "of %" PRIu64 " waits of %" PRIu64
			 " threads; a wait takes %s, each thread has the lock for %s%s; "
			 "for %s in all, at least one of them waits",
			 lock->waiters, trace_string(model->trace, lock->name),
			 figure_ns(convoys->persistent_ns, " ").text, convoys->longest_waits,
			 convoys->longest_threads, figure_ns(lock->wait_ns / lock->waits, " ").text,
			 figure_ns(convoys->ns / (convoys->waits - convoys->nr), " ").text,
			 say_holders(model, lock).text, figure_ns(lock->contended_ns, " ").text);
}

void lock_contention_add_findings(const struct model *model,
				  const struct lock_contention *contention,
				  struct findings *findings)
{
	double session_ns = (double)(findings->session_to_ns - findings->session_from_ns);

	for (size_t i = 0; i < contention->nr; i++) {
		const struct lock_contention_lock *lock = &contention->locks[i];
		bool has_convoys = lock->convoys.persistent_ns &&
				   (double)lock->convoys.persistent_ns >=
					   CONVOY_LEAST_SHARE * session_ns;

		if (!findings_note_loss(findings,
					has_convoys ? FINDING_LOCK_CONVOY : FINDING_LOCK_CONTENTION,
					lock->contended_ns))
			continue;
		if (has_convoys)
			add_convoy(model, lock, findings);
		else
			add_contention(model, lock, findings);
	}
}
