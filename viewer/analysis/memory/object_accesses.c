// SPDX-License-Identifier: GPL-2.0
#include "analysis/memory/object_accesses.h"

#include <stdlib.h>

#include <uapi/annot.h>

#include "analysis/memory/data_level.h"
#include "analysis/memory/object_threads.h"
#include "analysis/tasks/span_walk.h"
#include "symbols/sample_pages.h"
#include "util/diag.h"
#include "util/xalloc.h"

/* A sample. */
struct access {
	uint8_t event;
	uint8_t kind; /* enum data_owner_kind */
	uint32_t name;
	uint32_t file;
	uint32_t task;
	uint32_t thread;
	size_t sample;
	uint64_t one_of; /* as of struct data_owner */
	uint64_t address; /* of a sampled block */
};

struct builder {
	const struct model *model;
	const struct task_stats *stats;
	size_t nr;
	size_t capacity;
	struct access *accesses;
	struct object_threads threads;
	struct block_hits hits; /* by the row of the object */
	uint32_t *pages; /* of each sample, see sample_pages_find(); NULL: not known */
	size_t objects_capacity;
	size_t users_capacity;
	struct object_accesses result;
};

static bool is_wanted(const struct model *model, size_t sample)
{
	uint32_t thread = model->samples.thread[sample];

	return model->samples.has[sample] & ANNOT_SAMPLE_HAS_ADDR && thread != MODEL_NO_THREAD &&
	       model->threads[thread].in_session;
}

static bool any_is_wanted(const struct model *model)
{
	for (size_t sample = 0; sample < model->samples.nr; sample++) {
		if (is_wanted(model, sample))
			return true;
	}
	return false;
}

static uint32_t task_of(const struct builder *builder, uint32_t thread, size_t span)
{
	const struct span_table *spans = &builder->model->threads[thread].spans;

	return span == SIZE_MAX ?
		       NO_TASK :
		       task_stats_find(builder->stats, spans->name[span], spans->kind[span]);
}

/* What is not known is not one thing that threads share. */
static bool is_object(const struct data_owner *owner)
{
	return owner->kind != OWNER_UNKNOWN;
}

static void add_sample(struct builder *builder, size_t sample, const struct data_owner *owner,
		       size_t span)
{
	const struct sample_table *samples = &builder->model->samples;
	const uint32_t labels[OBJECT_LABELS] = { owner->name, owner->kind, owner->file };
	uint32_t thread = samples->thread[sample];

	ARRAY_MAKE_ROOM(builder->accesses, builder->nr, builder->capacity);
	builder->accesses[builder->nr++] = (struct access){
		.event = samples->event[sample],
		.kind = (uint8_t)owner->kind,
		.name = owner->name,
		.file = owner->file,
		.task = task_of(builder, thread, span),
		.thread = thread,
		.sample = sample,
		.one_of = owner->one_of,
		.address = owner->one_of ? builder->model->data_objects.address[owner->row] : 0,
	};
	if (is_object(owner))
		object_threads_add(&builder->threads, labels, thread);
}

static void gather(struct builder *builder, const struct data_owners *owners)
{
	struct line_use_builder *lines = line_use_begin(builder->model);
	size_t *spans = span_walk_innermost(builder->model);

	for (size_t sample = 0; sample < builder->model->samples.nr; sample++) {
		struct symbol_location place;
		struct data_owner owner;

		if (!is_wanted(builder->model, sample))
			continue;
		owner = data_owner_of(owners, sample);
		add_sample(builder, sample, &owner, spans[sample]);
		if (data_owner_place(owners, sample, &owner, &place))
			line_use_add(lines, sample, &place);
	}
	builder->result.lines = line_use_end(lines);
	free(spans);
	object_threads_settle(&builder->threads);
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_objects(const struct access *first, const struct access *second)
{
	if (first->event != second->event)
		return compare_numbers(first->event, second->event);
	if (first->kind != second->kind)
		return compare_numbers(first->kind, second->kind);
	if (first->name != second->name)
		return compare_numbers(first->name, second->name);
	return compare_numbers(first->file, second->file);
}

static int compare_users(const struct access *first, const struct access *second)
{
	if (first->task != second->task)
		return compare_numbers(first->task, second->task);
	return compare_numbers(first->thread, second->thread);
}

static int compare_accesses(const void *a, const void *b)
{
	const struct access *first = a, *second = b;
	int order = compare_objects(first, second);

	if (!order)
		order = compare_users(first, second);
	return order ? order : compare_numbers(first->sample, second->sample);
}

static void count_sample(struct access_figures *figures, const struct sample_table *samples,
			 size_t sample)
{
	double period = (double)samples->period[sample];

	figures->nr_samples++;
	figures->count += period;
	figures->variance += period * period;
	if (samples->has[sample] & ANNOT_SAMPLE_HAS_DATA_SRC) {
		figures->nr_told++;
		figures->nr_missed += data_level_is_beyond_l1(samples->data_src[sample]);
	}
	if (samples->has[sample] & ANNOT_SAMPLE_HAS_WEIGHT) {
		figures->nr_latencies++;
		figures->latency_cycles += (double)samples->weight[sample];
	}
}

static void add_pages(const struct builder *builder, struct accessed_object *object, size_t sample)
{
	if (builder->pages)
		page_share_add(&object->pages, builder->model, builder->pages[sample],
			       builder->model->samples.period[sample]);
}

static void add_object(struct builder *builder, const struct access *access)
{
	const uint32_t labels[OBJECT_LABELS] = { access->name, access->kind, access->file };
	struct object_accesses *result = &builder->result;

	ARRAY_MAKE_ROOM(result->objects, result->nr_objects, builder->objects_capacity);
	result->objects[result->nr_objects++] = (struct accessed_object){
		.event = access->event,
		.kind = access->kind,
		.name = access->name,
		.file = access->file,
		.nr_threads = object_threads_count(&builder->threads, labels),
		.like_it.one_of = access->one_of,
	};
}

static void add_user(struct builder *builder, const struct access *access)
{
	struct object_accesses *result = &builder->result;

	ARRAY_MAKE_ROOM(result->users, result->nr_users, builder->users_capacity);
	result->users[result->nr_users++] = (struct object_user){
		.object = result->nr_objects - 1,
		.task = access->task,
		.thread = access->thread,
	};
}

/* The accesses are in order: those of one object, and in it of one user, follow each other. */
static void add_rows(struct builder *builder)
{
	const struct sample_table *samples = &builder->model->samples;
	struct object_accesses *result = &builder->result;

	for (size_t i = 0; i < builder->nr; i++) {
		const struct access *access = &builder->accesses[i], *before = access - 1;
		bool is_new = !i || compare_objects(before, access);
		bool is_new_task = is_new || before->task != access->task;

		if (is_new)
			add_object(builder, access);
		if (is_new_task || compare_users(before, access))
			add_user(builder, access);
		result->objects[result->nr_objects - 1].nr_tasks += is_new_task &&
								    access->task != NO_TASK;
		count_sample(&result->objects[result->nr_objects - 1].figures, samples,
			     access->sample);
		add_pages(builder, &result->objects[result->nr_objects - 1], access->sample);
		if (access->one_of)
			block_hits_add(&builder->hits, result->nr_objects - 1, access->address,
				       samples->period[access->sample]);
		count_sample(&result->users[result->nr_users - 1].figures, samples, access->sample);
	}
}

static void add_shares(struct builder *builder)
{
	struct object_accesses *result = &builder->result;
	double *of_event = xcalloc(builder->model->nr_pmu_events + 1, sizeof(*of_event));

	for (size_t i = 0; i < result->nr_objects; i++)
		of_event[result->objects[i].event] += result->objects[i].figures.count;
	block_hits_settle(&builder->hits);
	for (size_t i = 0; i < result->nr_objects; i++) {
		struct accessed_object *object = &result->objects[i];
		double all = of_event[object->event];

		if (all > 0)
			object->share = object->figures.count / all;
		if (object->like_it.one_of)
			object->like_it = block_hits_estimate(&builder->hits, i,
							      object->like_it.one_of, all);
	}
	for (size_t i = 0; i < result->nr_users; i++) {
		struct object_user *user = &result->users[i];
		double all = result->objects[user->object].figures.count;

		if (all > 0)
			user->share = user->figures.count / all;
	}
	free(of_event);
}

/* An object, and which row it was. */
struct ranked {
	struct accessed_object object;
	size_t row;
};

static double weight_of(const struct accessed_object *object)
{
	return block_estimate_weight(&object->like_it, object->figures.count);
}

static int compare_ranked(const void *a, const void *b)
{
	const struct ranked *first = a, *second = b;
	double first_weight = weight_of(&first->object), second_weight = weight_of(&second->object);

	if (first->object.event != second->object.event)
		return compare_numbers(first->object.event, second->object.event);
	if (first_weight != second_weight)
		return first_weight > second_weight ? -1 : 1;
	return compare_numbers(first->row, second->row);
}

static int compare_user_rows(const void *a, const void *b)
{
	const struct object_user *first = a, *second = b;

	if (first->object != second->object)
		return compare_numbers(first->object, second->object);
	if (first->figures.count != second->figures.count)
		return first->figures.count > second->figures.count ? -1 : 1;
	if (first->task != second->task)
		return compare_numbers(first->task, second->task);
	return compare_numbers(first->thread, second->thread);
}

static void rank(struct object_accesses *result)
{
	struct ranked *ranked = xcalloc(result->nr_objects + 1, sizeof(*ranked));
	size_t *place = xcalloc(result->nr_objects + 1, sizeof(*place));

	for (size_t i = 0; i < result->nr_objects; i++)
		ranked[i] = (struct ranked){ result->objects[i], i };
	qsort(ranked, result->nr_objects, sizeof(*ranked), compare_ranked);
	for (size_t i = 0; i < result->nr_objects; i++) {
		result->objects[i] = ranked[i].object;
		place[ranked[i].row] = i;
	}
	for (size_t i = 0; i < result->nr_users; i++)
		result->users[i].object = place[result->users[i].object];
	if (result->nr_users)
		qsort(result->users, result->nr_users, sizeof(*result->users), compare_user_rows);
	free(place);
	free(ranked);
}

struct object_accesses object_accesses_compute(const struct model *model,
					       const struct task_stats *stats)
{
	struct builder builder = { .model = model, .stats = stats };
	struct symbols *symbols = any_is_wanted(model) ? symbols_new(model) : NULL;
	struct data_owners *owners;

	if (!symbols)
		return builder.result;
	owners = data_owners_new(model, symbols);
	/* Each report is made with this, and on other machines, too. What has no name is in the table. */
	diag_mute_warnings(true);
	gather(&builder, owners);
	diag_mute_warnings(false);
	data_owners_free(owners);
	symbols_free(symbols);
	qsort(builder.accesses, builder.nr, sizeof(*builder.accesses), compare_accesses);
	builder.pages = sample_pages_find(model);
	add_rows(&builder);
	add_shares(&builder);
	rank(&builder.result);
	object_threads_free(&builder.threads);
	block_hits_free(&builder.hits);
	free(builder.pages);
	free(builder.accesses);
	return builder.result;
}

void object_accesses_free(struct object_accesses *accesses)
{
	free(accesses->objects);
	free(accesses->users);
	free(accesses->lines.rows);
}
