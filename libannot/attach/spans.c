// SPDX-License-Identifier: MIT
#include "spans.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "sink.h"

enum span_state {
	SPAN_UNTOLD, /* nothing recorded at its begin, or that was before a fork */
	SPAN_WORK,
	SPAN_WAIT,
};

struct span {
	struct attach_span_key key;
	struct attach_wait suspended;
	enum span_state state;
	bool is_over; /* and those in it are not */
};

struct thread_spans {
	unsigned int nr;
	unsigned int nr_beyond; /* open, but not in the array */
	struct span spans[SPANS_MAX];
};

static __thread struct thread_spans *thread_spans __attribute__((tls_model("initial-exec")));
static pthread_key_t end_of_thread;
static bool has_key;

static void forget_spans(void *spans)
{
	thread_spans = NULL;
	free(spans);
}

/* The child of a fork has begun none of its parent's spans. */
static void untell_spans(void)
{
	for (unsigned int i = 0; thread_spans && i < thread_spans->nr; i++)
		thread_spans->spans[i].state = SPAN_UNTOLD;
}

__attribute__((constructor)) static void watch_threads(void)
{
	has_key = !pthread_key_create(&end_of_thread, forget_spans);
	pthread_atfork(NULL, NULL, untell_spans);
}

/* NULL: there is no memory. */
static struct thread_spans *spans_of_thread(void)
{
	int saved_errno = errno;

	if (!thread_spans && has_key) {
		thread_spans = calloc(1, sizeof(*thread_spans));
		if (thread_spans)
			pthread_setspecific(end_of_thread, thread_spans);
		errno = saved_errno;
	}
	return thread_spans;
}

static bool is_key(const struct span *span, struct attach_span_key key)
{
	return !span->is_over && span->key.owner == key.owner && span->key.id == key.id;
}

/* NULL: there is no room for it. */
static struct span *span_push(struct attach_span_key key)
{
	struct thread_spans *spans = spans_of_thread();
	struct span *span;

	if (!spans)
		return NULL;
	if (spans->nr == SPANS_MAX) {
		spans->nr_beyond++;
		return NULL;
	}
	span = &spans->spans[spans->nr++];
	*span = (struct span){ .key = key };
	return span;
}

static void tell_begin(struct span *span, struct place *place, unsigned int op, int64_t value)
{
	span->state = SPAN_WORK;
	span->suspended = attach_wait_suspend();
	annot_put(&place->site, op, place->name, value);
}

void attach_span_begin(struct attach_span_key key, struct place *place)
{
	struct span *span = span_push(key);

	if (span && place)
		tell_begin(span, place, ANNOT_OP_BEGIN, 0);
}

void attach_span_begin_value(struct attach_span_key key, struct place *place, int64_t value)
{
	struct span *span = span_push(key);

	if (span && place)
		tell_begin(span, place, ANNOT_OP_BEGIN | ANNOT_OP_HAS_VALUE, value);
}

void attach_span_wait_begin(struct attach_span_key key, struct place *place, int64_t value)
{
	struct span *span = span_push(key);

	if (!span || !place)
		return;
	span->state = SPAN_WAIT;
	span->suspended = attach_wait_suspend();
	attach_wait_begin_value(place, value);
}

static void tell_end(const struct span *span)
{
	if (span->state == SPAN_UNTOLD)
		return;
	if (span->state == SPAN_WAIT)
		attach_wait_end();
	else
		attach_work_end();
	attach_wait_resume(span->suspended);
}

static void pop_what_is_over(struct thread_spans *spans)
{
	while (spans->nr && spans->spans[spans->nr - 1].is_over)
		tell_end(&spans->spans[--spans->nr]);
}

bool attach_span_end(struct attach_span_key key)
{
	struct thread_spans *spans = thread_spans;

	if (!spans)
		return false;
	if (spans->nr_beyond) {
		spans->nr_beyond--;
		return true;
	}
	for (unsigned int i = spans->nr; i-- > 0;) {
		if (is_key(&spans->spans[i], key)) {
			spans->spans[i].is_over = true;
			pop_what_is_over(spans);
			return true;
		}
	}
	return false;
}

unsigned int attach_span_count(struct attach_span_key key)
{
	unsigned int nr = 0;

	if (!thread_spans)
		return 0;
	for (unsigned int i = 0; i < thread_spans->nr; i++)
		nr += is_key(&thread_spans->spans[i], key);
	return nr + thread_spans->nr_beyond;
}
