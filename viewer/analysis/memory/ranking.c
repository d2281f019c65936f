// SPDX-License-Identifier: GPL-2.0
#include "analysis/memory/ranking.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uapi/annot.h>

#include "analysis/tasks/span_walk.h"
#include "analysis/memory/data_level.h"
#include "analysis/memory/object_threads.h"
#include "symbols/data_owner.h"
#include "symbols/sample_pages.h"
#include "symbols/symbols.h"
#include "util/hash.h"
#include "util/xalloc.h"

#define CACHE_LINE_BYTES 64u
#define PAGE_BYTES 4096u
#define FIRST_SLOTS 256u

/* The rows of a ranking by their labels, while it is made: open addressing. */
struct row_index {
	size_t nr_slots;
	size_t *slots; /* 1 + row; 0: free */
};

struct ranker {
	const struct model *model;
	enum ranking_key key;
	struct symbols *symbols;
	struct data_owners *owners;
	struct object_threads threads; /* by object */
	struct block_hits *hits; /* beside rankings; by object */
	uint32_t *
		pages; /* of each sample, see sample_pages_find(); NULL: not known, or not asked for */
	size_t *spans; /* of each sample the innermost */
	struct ranking *rankings;
	struct row_index *indices; /* beside rankings */
	uint32_t absent, unknown, object, no_task, no_address, work,
		wait; /* words, as string ids */
};

static const char *const keys[NR_RANKING_KEYS + 1] = {
	[RANK_BY_SYMBOL] = "symbol", [RANK_BY_LINE] = "line", [RANK_BY_TASK] = "task",
	[RANK_BY_THREAD] = "thread", [RANK_BY_CPU] = "cpu",   [RANK_BY_ADDRESS] = "address",
	[RANK_BY_OBJECT] = "object",
};

static const char *const labels[NR_RANKING_KEYS][RANKING_MAX_LABELS + 1] = {
	[RANK_BY_SYMBOL] = { "symbol", "object" },
	[RANK_BY_LINE] = { "line", "symbol", "object" },
	[RANK_BY_TASK] = { "task", "kind" },
	[RANK_BY_THREAD] = { "thread", "tid" },
	[RANK_BY_CPU] = { "cpu" },
	[RANK_BY_ADDRESS] = { "address", "object", "pid" },
	[RANK_BY_OBJECT] = { "object", "kind", "file", "task", "thread", "tid" },
};

const char *const *ranking_keys(void)
{
	return keys;
}

const char *const *ranking_labels(enum ranking_key key)
{
	return labels[key];
}

bool ranking_has_sharing(enum ranking_key key)
{
	return key == RANK_BY_OBJECT;
}

static uint32_t intern_string(const struct ranker *ranker, const char *string)
{
	return trace_intern(ranker->model->trace, string);
}

static uint32_t intern_number(const struct ranker *ranker, int64_t number)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRId64, number);
	return intern_string(ranker, text);
}

static void label_by_code(const struct ranker *ranker, size_t sample, uint32_t *label)
{
	bool by_line = ranker->key == RANK_BY_LINE;
	struct symbol_location place = symbols_of_code(ranker->symbols, sample, by_line);

	if (by_line)
		*label++ = place.line ? place.line : ranker->absent;
	label[0] = place.symbol;
	label[1] = place.object;
}

static void label_by_task(const struct ranker *ranker, size_t sample, uint32_t *label)
{
	size_t span = ranker->spans[sample];
	const struct span_table *spans;

	label[0] = ranker->no_task;
	label[1] = ranker->absent;
	if (span == SIZE_MAX)
		return;
	spans = &ranker->model->threads[ranker->model->samples.thread[sample]].spans;
	label[0] = spans->name[span];
	label[1] = spans->kind[span] == TRACE_SPAN_WAIT ? ranker->wait : ranker->work;
}

static void label_by_thread(const struct ranker *ranker, size_t sample, uint32_t *label)
{
	uint32_t thread = ranker->model->samples.thread[sample];

	label[0] = thread == MODEL_NO_THREAD ? intern_string(ranker, "(idle)") :
					       ranker->model->threads[thread].comm;
	label[1] = intern_number(ranker, thread == MODEL_NO_THREAD ?
						 0 :
						 ranker->model->threads[thread].tid);
}

/* Whose address it is, where it has no name: the same one means something else elsewhere. */
static uint32_t process_label(const struct ranker *ranker, size_t sample)
{
	uint32_t thread = ranker->model->samples.thread[sample];

	if (thread == MODEL_NO_THREAD || !ranker->model->threads[thread].tgid ||
	    ranker->model->samples.addr[sample] >> 63)
		return ranker->absent;
	return intern_number(ranker, ranker->model->threads[thread].tgid);
}

static uint32_t label_of_named_data(const struct ranker *ranker, struct symbol_location place,
				    uint64_t address)
{
	uint64_t within = address % CACHE_LINE_BYTES;
	uint64_t offset = place.offset > within ? place.offset - within : 0;
	char text[512];

	snprintf(text, sizeof(text), "%s+0x%" PRIx64,
		 trace_string(ranker->model->trace, place.symbol), offset);
	return intern_string(ranker, text);
}

static void label_by_address(const struct ranker *ranker, size_t sample, uint32_t *label)
{
	uint64_t address = ranker->model->samples.addr[sample];
	struct symbol_location place;
	char page[32];

	label[0] = ranker->no_address;
	label[1] = label[2] = ranker->absent;
	if (!(ranker->model->samples.has[sample] & ANNOT_SAMPLE_HAS_ADDR))
		return;
	place = symbols_of_data(ranker->symbols, sample, false);
	label[1] = place.object;
	if (place.known) {
		label[0] = label_of_named_data(ranker, place, address);
		return;
	}
	snprintf(page, sizeof(page), "0x%" PRIx64, address - address % PAGE_BYTES);
	label[0] = intern_string(ranker, page);
	label[2] = process_label(ranker, sample);
}

static void label_by_owner(const struct ranker *ranker, size_t sample, uint32_t *label)
{
	struct data_owner owner;

	label[0] = ranker->no_address;
	label[1] = label[2] = ranker->absent;
	if (!(ranker->model->samples.has[sample] & ANNOT_SAMPLE_HAS_ADDR))
		return;
	owner = data_owner_of(ranker->owners, sample);
	label[0] = owner.name;
	label[1] = intern_string(ranker, data_owner_word(owner.kind));
	if (owner.file != TRACE_NO_STRING)
		label[2] = owner.file;
}

static void label_by_object(const struct ranker *ranker, size_t sample, uint32_t *label)
{
	uint32_t task[2];

	label_by_owner(ranker, sample, label);
	label_by_task(ranker, sample, task);
	label[OBJECT_LABELS] = task[0];
	label_by_thread(ranker, sample, label + OBJECT_LABELS + 1);
}

static void label_sample(const struct ranker *ranker, size_t sample, uint32_t *label)
{
	switch (ranker->key) {
	case RANK_BY_SYMBOL:
	case RANK_BY_LINE:
		label_by_code(ranker, sample, label);
		break;
	case RANK_BY_TASK:
		label_by_task(ranker, sample, label);
		break;
	case RANK_BY_THREAD:
		label_by_thread(ranker, sample, label);
		break;
	case RANK_BY_CPU:
		label[0] = intern_number(ranker, ranker->model->samples.cpu[sample]);
		break;
	case RANK_BY_OBJECT:
		label_by_object(ranker, sample, label);
		break;
	default:
		label_by_address(ranker, sample, label);
		break;
	}
}

static size_t *find_slot(const struct row_index *index, const struct ranking *ranking,
			 const uint32_t *label)
{
	uint64_t hash = 0;
	size_t at;

	for (int i = 0; i < RANKING_MAX_LABELS - 1; i++)
		hash = hash_u64(hash ^ label[i]);
	at = hash_slot(hash ^ label[RANKING_MAX_LABELS - 1], index->nr_slots - 1);
	while (index->slots[at] && memcmp(ranking->rows[index->slots[at] - 1].labels, label,
					  sizeof(ranking->rows[0].labels)))
		at = (at + 1) & (index->nr_slots - 1);
	return &index->slots[at];
}

/* There is one row for each half of the slots. */
static void grow_index(struct row_index *index, struct ranking *ranking)
{
	index->nr_slots = index->nr_slots ? 2 * index->nr_slots : FIRST_SLOTS;
	free(index->slots);
	index->slots = xcalloc(index->nr_slots, sizeof(*index->slots));
	ranking->rows = xrealloc_array(ranking->rows, index->nr_slots / 2, sizeof(*ranking->rows));
	for (size_t i = 0; i < ranking->nr; i++)
		*find_slot(index, ranking, ranking->rows[i].labels) = i + 1;
}

static struct ranking_row *get_row(struct row_index *index, struct ranking *ranking,
				   const uint32_t *label)
{
	size_t *slot;

	if (ranking->nr == index->nr_slots / 2)
		grow_index(index, ranking);
	slot = find_slot(index, ranking, label);
	if (!*slot) {
		struct ranking_row *row = &ranking->rows[ranking->nr++];

		*row = (struct ranking_row){ 0 };
		memcpy(row->labels, label, sizeof(row->labels));
		*slot = ranking->nr;
	}
	return &ranking->rows[*slot - 1];
}

static void add_sample(struct ranking_row *row, uint64_t period, bool missed)
{
	row->nr_samples++;
	row->nr_missed += missed;
	row->count += (double)period;
	row->variance += (double)period * (double)period;
}

/* What is not known is not one thing that threads share. */
static bool is_object(const struct ranker *ranker, const uint32_t *label)
{
	return label[1] != ranker->absent && label[1] != ranker->unknown;
}

static void add_latency(struct ranking_row *row, const struct sample_table *samples, size_t sample)
{
	if (!(samples->has[sample] & ANNOT_SAMPLE_HAS_WEIGHT))
		return;
	row->nr_latencies++;
	row->latency_cycles += (double)samples->weight[sample];
}

/* An object that is a block of which a sample was told. */
static void add_block(struct ranker *ranker, struct ranking *ranking, struct ranking_row *row,
		      size_t sample)
{
	const struct sample_table *samples = &ranker->model->samples;
	struct data_owner owner = data_owner_of(ranker->owners, sample);

	if (!owner.one_of)
		return;
	row->like_it.one_of = owner.one_of;
	block_hits_add(&ranker->hits[samples->event[sample]], (size_t)(row - ranking->rows),
		       ranker->model->data_objects.address[owner.row], samples->period[sample]);
}

static void rank_sample(struct ranker *ranker, size_t sample)
{
	uint8_t event = ranker->model->samples.event[sample];
	uint64_t period = ranker->model->samples.period[sample];
	struct ranking *ranking = &ranker->rankings[event];
	bool tells = ranker->model->samples.has[sample] & ANNOT_SAMPLE_HAS_DATA_SRC;
	bool missed = tells && data_level_is_beyond_l1(ranker->model->samples.data_src[sample]);
	uint32_t label[RANKING_MAX_LABELS] = { 0 };
	struct ranking_row *row;

	label_sample(ranker, sample, label);
	row = get_row(&ranker->indices[event], ranking, label);
	add_sample(row, period, missed);
	add_sample(&ranking->all, period, missed);
	ranking->tells_misses |= tells;
	add_latency(row, &ranker->model->samples, sample);
	if (ranker->pages)
		page_share_add(&row->pages, ranker->model, ranker->pages[sample], period);
	if (ranker->key == RANK_BY_OBJECT && is_object(ranker, label))
		object_threads_add(&ranker->threads, label, ranker->model->samples.thread[sample]);
	if (ranker->key == RANK_BY_OBJECT && label[1] == ranker->object)
		add_block(ranker, ranking, row, sample);
}

static bool is_shown(const struct model *model, const struct ranking_options *options,
		     size_t sample)
{
	uint32_t thread = model->samples.thread[sample];

	return options->all_threads ||
	       (thread != MODEL_NO_THREAD && model->threads[thread].in_session);
}

static int compare(const void *a, const void *b, void *context)
{
	const struct ranking_row *first = a, *second = b;
	const struct trace *trace = context;

	if (first->count != second->count)
		return first->count > second->count ? -1 : 1;
	for (int i = 0; i < RANKING_MAX_LABELS; i++) {
		int order = strcmp(trace_string(trace, first->labels[i]),
				   trace_string(trace, second->labels[i]));

		if (order)
			return order;
	}
	return 0;
}

static int ranker_init(struct ranker *ranker, const struct model *model, enum ranking_key key)
{
	*ranker = (struct ranker){ .model = model, .key = key };
	if (key == RANK_BY_SYMBOL || key == RANK_BY_LINE || key == RANK_BY_ADDRESS ||
	    key == RANK_BY_OBJECT) {
		ranker->symbols = symbols_new(model);
		if (!ranker->symbols)
			return -1;
	}
	if (key == RANK_BY_OBJECT) {
		ranker->owners = data_owners_new(model, ranker->symbols);
		ranker->pages = sample_pages_find(model);
	}
	if (key == RANK_BY_TASK || key == RANK_BY_OBJECT)
		ranker->spans = span_walk_innermost(model);
	ranker->rankings = xcalloc(model->nr_pmu_events, sizeof(*ranker->rankings));
	ranker->indices = xcalloc(model->nr_pmu_events, sizeof(*ranker->indices));
	ranker->hits = xcalloc(model->nr_pmu_events, sizeof(*ranker->hits));
	ranker->absent = intern_string(ranker, "-");
	ranker->unknown = intern_string(ranker, data_owner_word(OWNER_UNKNOWN));
	ranker->object = intern_string(ranker, data_owner_word(OWNER_OBJECT));
	ranker->no_task = intern_string(ranker, "(no task)");
	ranker->no_address = intern_string(ranker, "(no address)");
	ranker->work = intern_string(ranker, "work");
	ranker->wait = intern_string(ranker, "wait");
	return 0;
}

static void ranker_free(struct ranker *ranker)
{
	for (size_t event = 0; event < ranker->model->nr_pmu_events; event++) {
		free(ranker->indices[event].slots);
		block_hits_free(&ranker->hits[event]);
	}
	free(ranker->indices);
	free(ranker->hits);
	free(ranker->spans);
	free(ranker->pages);
	object_threads_free(&ranker->threads);
	data_owners_free(ranker->owners);
	symbols_free(ranker->symbols);
}

static void count_threads(struct ranker *ranker)
{
	object_threads_settle(&ranker->threads);
	for (size_t event = 0; event < ranker->model->nr_pmu_events; event++) {
		struct ranking *ranking = &ranker->rankings[event];

		for (size_t i = 0; i < ranking->nr; i++)
			ranking->rows[i].nr_threads = object_threads_count(&ranker->threads,
									   ranking->rows[i].labels);
	}
}

static void estimate_blocks(struct ranker *ranker)
{
	for (size_t event = 0; event < ranker->model->nr_pmu_events; event++) {
		struct ranking *ranking = &ranker->rankings[event];

		block_hits_settle(&ranker->hits[event]);
		for (size_t i = 0; i < ranking->nr; i++) {
			struct block_estimate *like_it = &ranking->rows[i].like_it;

			if (like_it->one_of)
				*like_it = block_hits_estimate(&ranker->hits[event], i,
							       like_it->one_of, ranking->all.count);
		}
	}
}

struct ranking *ranking_compute(const struct model *model, const struct ranking_options *options)
{
	struct ranker ranker;

	if (ranker_init(&ranker, model, options->key))
		return NULL;
	for (size_t sample = 0; sample < model->samples.nr; sample++) {
		if (is_shown(model, options, sample))
			rank_sample(&ranker, sample);
		else
			ranker.rankings[model->samples.event[sample]].nr_left_out++;
	}
	if (ranking_has_sharing(options->key)) {
		count_threads(&ranker);
		estimate_blocks(&ranker);
	}
	for (size_t event = 0; event < model->nr_pmu_events; event++) {
		struct ranking *ranking = &ranker.rankings[event];

		ranking->event = event;
		ranking->key = options->key;
		if (ranking->nr)
			qsort_r(ranking->rows, ranking->nr, sizeof(*ranking->rows), compare,
				model->trace);
	}
	ranker_free(&ranker);
	return ranker.rankings;
}

void ranking_free(const struct model *model, struct ranking *rankings)
{
	for (size_t event = 0; rankings && event < model->nr_pmu_events; event++)
		free(rankings[event].rows);
	free(rankings);
}
