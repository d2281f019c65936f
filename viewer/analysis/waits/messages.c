// SPDX-License-Identifier: GPL-2.0
#include "analysis/waits/messages.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analysis/stats/distribution.h"
#include "model/threads/tids.h"
#include "util/text/figure.h"
#include "util/xalloc.h"

#define FIELD_UNKNOWN 0xfffff /* of a rank or a tag */
#define BYTES_MANTISSA_BITS 19

#define COMPARE(a, b)                              \
	do {                                       \
		if ((a) != (b))                    \
			return (a) < (b) ? -1 : 1; \
	} while (0)

/* A send or a receive, as it was told. */
struct message_end {
	uint32_t job; /* the parent of its process */
	uint32_t from; /* ranks */
	uint32_t to;
	uint32_t tag;
	uint64_t bytes;
	uint64_t from_ns; /* when its call began */
	uint64_t time_ns;
	uint32_t thread;
};

struct message_ends {
	size_t nr;
	size_t capacity;
	struct message_end *rows;
};

struct messages_build {
	const struct model *model;
	struct tid_table ranks; /* tgid -> rank */
	struct tid_table jobs; /* tgid -> parent */
	struct message_ends sends;
	struct message_ends receives;
	uint64_t nr_untold_sends; /* whose tag is unknown */
	uint64_t nr_untold_receives;
	struct messages *result;
};

static int32_t process_of_thread(const struct thread *thread)
{
	return thread->tgid ? thread->tgid : thread->tid;
}

static uint64_t bytes_of_value(uint64_t value)
{
	uint64_t packed = value & 0xffffff;

	return (packed & ((1u << BYTES_MANTISSA_BITS) - 1)) << (packed >> BYTES_MANTISSA_BITS);
}

static void collect_ranks(struct messages_build *build)
{
	const struct model *model = build->model;

	for (size_t i = 0; i < model->nr_threads; i++) {
		const struct thread *thread = &model->threads[i];

		if (thread->has_rank && thread->rank < FIELD_UNKNOWN &&
		    tid_is_valid(process_of_thread(thread)))
			tid_table_set(&build->ranks, process_of_thread(thread), thread->rank);
		if (tid_is_valid(thread->tid) && thread->tid == thread->tgid)
			tid_table_set(&build->jobs, thread->tid, thread->parent);
	}
}

/* An unknown rank is nobody's. But an unknown tag may be that of several. */
static void add_end(struct message_ends *ends, const struct message_end *end, uint64_t *nr_untold)
{
	if (end->tag == FIELD_UNKNOWN) {
		++*nr_untold;
		return;
	}
	ARRAY_MAKE_ROOM(ends->rows, ends->nr, ends->capacity);
	ends->rows[ends->nr++] = *end;
}

static void take_note(struct messages_build *build, size_t note, bool is_send)
{
	const struct note_table *notes = &build->model->notes;
	int32_t tgid = process_of_thread(&build->model->threads[notes->thread[note]]);
	uint64_t value = (uint64_t)notes->value[note];
	uint32_t own = tid_table_get(&build->ranks, tgid), partner = (uint32_t)(value >> 44);
	struct message_end end = {
		.job = tid_table_get(&build->jobs, tgid),
		.from = is_send ? own : partner,
		.to = is_send ? partner : own,
		.tag = (uint32_t)(value >> 24) & FIELD_UNKNOWN,
		.bytes = bytes_of_value(value),
		.from_ns = notes->span_start_ns[note],
		.time_ns = notes->time_ns[note],
		.thread = notes->thread[note],
	};

	add_end(is_send ? &build->sends : &build->receives, &end,
		is_send ? &build->nr_untold_sends : &build->nr_untold_receives);
}

static void collect_ends(struct messages_build *build)
{
	const struct note_table *notes = &build->model->notes;
	uint32_t send = trace_find(build->model->trace, "@send");
	uint32_t receive = trace_find(build->model->trace, "@recv");

	for (size_t i = 0; i < notes->nr; i++) {
		if (notes->name[i] == send || notes->name[i] == receive)
			take_note(build, i, notes->name[i] == send);
	}
}

static int compare_channels(const struct message_end *a, const struct message_end *b)
{
	COMPARE(a->job, b->job);
	COMPARE(a->from, b->from);
	COMPARE(a->to, b->to);
	COMPARE(a->tag, b->tag);
	return 0;
}

static int compare_ends(const void *a, const void *b)
{
	const struct message_end *first = a, *second = b;
	int order = compare_channels(first, second);

	if (order)
		return order;
	COMPARE(first->time_ns, second->time_ns);
	COMPARE(first->thread, second->thread);
	return 0;
}

static uint64_t late_ns(const struct message_end *send, const struct message_end *receive)
{
	uint64_t until_ns = send->from_ns < receive->time_ns ? send->from_ns : receive->time_ns;

	return until_ns > receive->from_ns ? until_ns - receive->from_ns : 0;
}

static void add_message(struct messages *messages, size_t *capacity, const struct message_end *send,
			const struct message_end *receive)
{
	ARRAY_MAKE_ROOM(messages->rows, messages->nr, *capacity);
	messages->rows[messages->nr++] = (struct message){
		.sender = send->thread,
		.receiver = receive->thread,
		.sender_rank = send->from,
		.receiver_rank = send->to,
		.tag = send->tag,
		.bytes = receive->bytes,
		.is_contradictory = send->bytes != receive->bytes ||
				    receive->time_ns < send->from_ns,
		.send_from_ns = send->from_ns,
		.sent_ns = send->time_ns,
		.receive_from_ns = receive->from_ns,
		.received_ns = receive->time_ns,
		.late_ns = late_ns(send, receive),
	};
}

static void add_to_pair(struct message_pair *pair, const struct message *message,
			uint64_t *worst_ns)
{
	uint64_t late = message->late_ns;

	pair->messages++;
	pair->bytes += message->bytes;
	pair->contradictory += message->is_contradictory;
	if (!late || message->is_contradictory)
		return;
	pair->late++;
	pair->late_ns += late;
	if (late <= *worst_ns)
		return;
	*worst_ns = late;
	pair->worst_from_ns = message->receive_from_ns;
	pair->worst_to_ns = message->received_ns;
}

static struct message_pair pair_of(const struct message *messages, size_t nr,
				   const struct message_end *send)
{
	struct message_pair pair = {
		.sender = messages[0].sender,
		.receiver = messages[0].receiver,
		.sender_rank = send->from,
		.receiver_rank = send->to,
		.worst_from_ns = messages[0].send_from_ns,
		.worst_to_ns = messages[0].received_ns,
	};
	uint64_t *times_ns = xcalloc(nr, sizeof(*times_ns)), worst_ns = 0;
	size_t nr_times = 0;

	for (size_t i = 0; i < nr; i++) {
		add_to_pair(&pair, &messages[i], &worst_ns);
		if (messages[i].is_contradictory)
			continue;
		if (messages[i].received_ns > messages[i].sent_ns)
			times_ns[nr_times] = messages[i].received_ns - messages[i].sent_ns;
		nr_times++;
	}
	pair.median_ns = distribution_of(times_ns, nr_times, 0).median;
	free(times_ns);
	return pair;
}

static bool is_same_pair(const struct message_end *a, const struct message_end *b)
{
	return a->job == b->job && a->from == b->from && a->to == b->to;
}

/* Matches sends and receives, which are sorted alike. Messages of a pair follow each other. */
static void match_ends(struct messages_build *build)
{
	const struct message_end *send = build->sends.rows, *receive = build->receives.rows;
	const struct message_end *sends_end = send + build->sends.nr;
	const struct message_end *receives_end = receive + build->receives.nr;
	struct messages *messages = build->result;
	size_t capacity = 0, pairs_capacity = 0, first = 0;

	while (send < sends_end && receive < receives_end) {
		const struct message_end *last = send;
		int order = compare_channels(send, receive);

		if (order == 0)
			add_message(messages, &capacity, send, receive);
		send += order <= 0;
		receive += order >= 0;
		if (messages->nr == first ||
		    (send < sends_end && receive < receives_end && is_same_pair(last, send)))
			continue;
		ARRAY_MAKE_ROOM(messages->pairs, messages->nr_pairs, pairs_capacity);
		messages->pairs[messages->nr_pairs++] = pair_of(messages->rows + first,
								messages->nr - first, last);
		first = messages->nr;
	}
}

static void count_unmatched(struct messages_build *build)
{
	struct messages *messages = build->result;

	messages->nr_unmatched_sends = build->nr_untold_sends + build->sends.nr - messages->nr;
	messages->nr_unmatched_receives = build->nr_untold_receives + build->receives.nr -
					  messages->nr;
}

static int compare_messages(const void *a, const void *b)
{
	const struct message *first = a, *second = b;

	COMPARE(first->received_ns, second->received_ns);
	COMPARE(first->receiver, second->receiver);
	return 0;
}

static int compare_pairs(const void *a, const void *b)
{
	const struct message_pair *first = a, *second = b;

	COMPARE(second->late_ns, first->late_ns);
	COMPARE(second->bytes, first->bytes);
	COMPARE(first->sender_rank, second->sender_rank);
	COMPARE(first->receiver_rank, second->receiver_rank);
	return 0;
}

static void sort_rows(void *rows, size_t nr, size_t bytes,
		      int (*compare)(const void *a, const void *b))
{
	if (nr)
		qsort(rows, nr, bytes, compare);
}

struct messages messages_compute(const struct model *model)
{
	struct messages result = { 0 };
	struct messages_build build = { .model = model, .result = &result };

	if (!model->notes.nr)
		return result;
	collect_ranks(&build);
	collect_ends(&build);
	sort_rows(build.sends.rows, build.sends.nr, sizeof(*build.sends.rows), compare_ends);
	sort_rows(build.receives.rows, build.receives.nr, sizeof(*build.receives.rows),
		  compare_ends);
	if (build.sends.nr && build.receives.nr)
		match_ends(&build);
	count_unmatched(&build);
	sort_rows(result.rows, result.nr, sizeof(*result.rows), compare_messages);
	sort_rows(result.pairs, result.nr_pairs, sizeof(*result.pairs), compare_pairs);
	tid_table_free(&build.ranks);
	tid_table_free(&build.jobs);
	free(build.sends.rows);
	free(build.receives.rows);
	return result;
}

void messages_free(struct messages *messages)
{
	free(messages->rows);
	free(messages->pairs);
}

static enum finding_confidence confidence_of(const struct message_pair *pair)
{
	if (pair->contradictory)
		return CONFIDENCE_LOW;
	return pair->late > 1 ? CONFIDENCE_HIGH : CONFIDENCE_MEDIUM;
}

static void add_finding(const struct model *model, const struct message_pair *pair,
			struct findings *findings)
{
	struct finding *finding;

	if (!findings_note_loss(findings, FINDING_LATE_SENDER, pair->late_ns))
		return;
	finding = findings_add_at_most(findings, FINDING_LATE_SENDER, pair->late_ns,
				       pair->worst_from_ns, pair->worst_to_ns);
	finding->confidence = confidence_of(pair);
	finding_add_thread(finding, pair->receiver);
	finding_add_thread(finding, pair->sender);
	finding_set_text(finding,
			 "rank %" PRIu64 " (%s) waits for messages that rank %" PRIu64
			 " (%s) has not begun to send: %s in %" PRIu64 " of %" PRIu64 " messages",
			 pair->receiver_rank, thread_label(model, pair->receiver).text,
			 pair->sender_rank, thread_label(model, pair->sender).text,
			 figure_ns(pair->late_ns, " ").text, pair->late, pair->messages);
}

void messages_add_findings(const struct model *model, const struct messages *messages,
			   struct findings *findings)
{
	for (size_t i = 0; i < messages->nr_pairs; i++) {
		if (messages->pairs[i].late_ns)
			add_finding(model, &messages->pairs[i], findings);
	}
}
