// SPDX-License-Identifier: GPL-2.0
#include "report/samples/task_pages.h"

#include <stdio.h>
#include <stdlib.h>

#include <uapi/annot.h>

#include "analysis/events/miss_level.h"
#include "analysis/memory/page_share.h"
#include "report/samples/task_samples.h"
#include "symbols/data_owner.h"
#include "symbols/sample_pages.h"
#include "util/text/figure.h"
#include "util/xalloc.h"

#define LEAST_SAMPLES 10
#define HALF 0.5
#define MAX_NAME_BYTES 40

/* Of one object. */
struct object_pages {
	enum data_owner_kind kind;
	uint32_t name;
	size_t nr_samples; /* of which it is known */
	struct page_share share;
};

struct object_list {
	size_t nr;
	size_t capacity;
	struct object_pages *objects;
};

static struct object_pages *find_object(struct object_list *list, const struct data_owner *owner)
{
	for (size_t i = 0; i < list->nr; i++) {
		if (list->objects[i].kind == owner->kind && list->objects[i].name == owner->name)
			return &list->objects[i];
	}
	ARRAY_MAKE_ROOM(list->objects, list->nr, list->capacity);
	list->objects[list->nr] = (struct object_pages){ .kind = owner->kind, .name = owner->name };
	return &list->objects[list->nr++];
}

/* With @only_tlb, those of misses of the TLB: they tell what is walked for. */
static struct object_list list_objects(const struct model *model, struct data_owners *owners,
				       const uint32_t *pages, const struct task_samples *samples,
				       bool only_tlb)
{
	struct object_list list = { 0 };

	for (size_t i = 0; i < samples->nr; i++) {
		size_t sample = samples->rows[i];
		struct object_pages *object;
		struct data_owner owner;

		if (!(model->samples.has[sample] & ANNOT_SAMPLE_HAS_ADDR) || !pages[sample] ||
		    (only_tlb &&
		     miss_level_of_event(model, model->samples.event[sample]) != MISS_TLB))
			continue;
		owner = data_owner_of(owners, sample);
		object = find_object(&list, &owner);
		object->nr_samples++;
		page_share_add(&object->share, model, pages[sample], model->samples.period[sample]);
	}
	return list;
}

static const struct object_pages *find_most(const struct object_list *list)
{
	const struct object_pages *most = NULL;

	for (size_t i = 0; i < list->nr; i++) {
		if (!most || list->objects[i].share.known > most->share.known)
			most = &list->objects[i];
	}
	return most && most->nr_samples >= LEAST_SAMPLES ? most : NULL;
}

static bool may_be_huge(const struct object_pages *object)
{
	return object->kind != OWNER_FILE && object->kind != OWNER_KERNEL &&
	       object->share.huge_page_bytes > object->share.page_bytes &&
	       object->share.mapping_bytes >= object->share.huge_page_bytes;
}

static void say(const struct model *model, const struct object_pages *object,
		struct task_pages *pages)
{
	double huge = page_share_of_huge(&object->share);
	char part[16] = "none";

	if (huge > 0)
		snprintf(part, sizeof(part), "%.0f %%", 100 * huge);
	snprintf(pages->text, sizeof(pages->text), "%.*s: %s, %s of it in huge pages%s",
		 MAX_NAME_BYTES,
		 object->kind == OWNER_UNKNOWN ? "memory without a name" :
						 trace_string(model->trace, object->name),
		 figure_bytes(object->share.mapping_bytes).text, part,
		 huge >= HALF	     ? " already" :
		 may_be_huge(object) ? ": madvise(MADV_HUGEPAGE)" :
				       "");
}

static bool say_most(const struct model *model, struct data_owners *owners, const uint32_t *known,
		     const struct task_samples *samples, bool only_tlb, struct task_pages *pages)
{
	struct object_list list = list_objects(model, owners, known, samples, only_tlb);
	const struct object_pages *most = find_most(&list);

	if (most)
		say(model, most, pages);
	free(list.objects);
	return most;
}

struct task_pages task_pages_of(const struct model *model, const struct task_stats *stats,
				struct symbols *symbols, uint32_t task)
{
	uint32_t *known = symbols ? sample_pages_find(model) : NULL;
	struct task_pages pages = { "" };
	struct task_samples samples;
	struct data_owners *owners;

	if (!known)
		return pages;
	samples = task_samples_of(model, stats, task);
	owners = data_owners_new(model, symbols);
	if (!say_most(model, owners, known, &samples, true, &pages))
		say_most(model, owners, known, &samples, false, &pages);
	data_owners_free(owners);
	free(samples.rows);
	free(known);
	return pages;
}
