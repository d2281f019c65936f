// SPDX-License-Identifier: GPL-2.0
#include "analysis/tasks/task_tree.h"

#include <stdlib.h>

#include "model/account.h"
#include "util/lower_bound.h"
#include "util/pair_table.h"
#include "analysis/tasks/span_walk.h"
#include "analysis/tasks/task_tree_events.h"
#include "util/xalloc.h"

struct builder {
	const struct model *model;
	struct task_tree *tree;
	struct pair_table numbers;
	size_t capacity;
	size_t *first_span; /* of each thread, in node_of_span */
	uint32_t *node_of_span;
	size_t nr_open; /* spans that hold the one that is added */
	size_t open_capacity;
	size_t *open;
};

static struct task_tree_node *child_of(struct builder *builder, uint32_t parent, uint32_t name,
				       enum trace_span_kind kind)
{
	struct task_tree *tree = builder->tree;
	size_t at = pair_table_number(&builder->numbers, parent,
				      name << 1 | (kind == TRACE_SPAN_WAIT));

	if (at < tree->nr)
		return &tree->nodes[at];
	if (at == builder->capacity) {
		builder->capacity = grown_capacity(at, at + 1);
		tree->nodes = xrealloc_array(tree->nodes, builder->capacity, sizeof(*tree->nodes));
	}
	tree->nr++;
	tree->nodes[at] = (struct task_tree_node){
		.name = name,
		.kind = kind,
		.parent = parent,
		.depth = parent == TASK_TREE_ROOT ? 0 : tree->nodes[parent].depth + 1,
		.last_thread = MODEL_NO_THREAD,
	};
	return &tree->nodes[at];
}

static void add_span(struct builder *builder, uint32_t thread, size_t span)
{
	const struct span_table *spans = &builder->model->threads[thread].spans;
	uint32_t *nodes = &builder->node_of_span[builder->first_span[thread]];
	uint32_t parent = TASK_TREE_ROOT;
	struct thread_account account;
	struct task_tree_node *node;

	if (builder->nr_open)
		parent = nodes[builder->open[builder->nr_open - 1]];
	node = child_of(builder, parent, spans->name[span],
			(enum trace_span_kind)spans->kind[span]);
	nodes[span] = (uint32_t)(node - builder->tree->nodes);
	model_account(builder->model, thread, spans->start_ns[span], spans->end_ns[span], &account);
	node->instances++;
	node->inclusive_ns += spans->end_ns[span] - spans->start_ns[span];
	node->on_cpu_ns += account.state_ns[STATE_RUNNING];
	node->preempted_ns += account.state_ns[STATE_PREEMPTED];
	node->nr_threads += node->last_thread != thread;
	node->last_thread = thread;
}

static void push_span(struct builder *builder, size_t span)
{
	ARRAY_MAKE_ROOM(builder->open, builder->nr_open, builder->open_capacity);
	builder->open[builder->nr_open++] = span;
}

static void add_thread(struct builder *builder, uint32_t thread)
{
	const struct span_table *spans = &builder->model->threads[thread].spans;

	builder->nr_open = 0;
	for (size_t i = 0; i < spans->nr; i++) {
		while (builder->nr_open &&
		       !span_walk_is_inside(spans, i, builder->open[builder->nr_open - 1]))
			builder->nr_open--;
		add_span(builder, thread, i);
		push_span(builder, i);
	}
}

/* Children stand behind their parents: from the last on, each is complete when it is added. */
static void add_up(struct task_tree *tree)
{
	for (size_t i = 0; i < tree->nr; i++) {
		tree->nodes[i].exclusive_ns = tree->nodes[i].inclusive_ns;
		tree->nodes[i].exclusive_on_cpu_ns = tree->nodes[i].on_cpu_ns;
	}
	for (size_t i = tree->nr; i-- > 0;) {
		const struct task_tree_node *node = &tree->nodes[i];

		if (node->parent == TASK_TREE_ROOT) {
			tree->wall_ns += node->inclusive_ns;
			tree->on_cpu_ns += node->on_cpu_ns;
			continue;
		}
		tree->nodes[node->parent].exclusive_ns -= node->inclusive_ns;
		tree->nodes[node->parent].exclusive_on_cpu_ns -= node->on_cpu_ns;
	}
}

struct task_tree *task_tree_compute(const struct model *model)
{
	struct task_tree *tree = xcalloc(1, sizeof(*tree));
	struct builder builder = { .model = model, .tree = tree };
	struct node_spans nodes;

	builder.first_span = xcalloc(model->nr_threads + 1, sizeof(*builder.first_span));
	for (size_t i = 0; i < model->nr_threads; i++)
		builder.first_span[i + 1] = builder.first_span[i] + model->threads[i].spans.nr;
	builder.node_of_span = xcalloc(builder.first_span[model->nr_threads],
				       sizeof(*builder.node_of_span));
	for (uint32_t i = 0; i < model->nr_threads; i++) {
		if (model->threads[i].in_session)
			add_thread(&builder, i);
	}
	add_up(tree);
	nodes = (struct node_spans){ builder.first_span, builder.node_of_span };
	task_tree_events_add(tree, model, &nodes);
	pair_table_free(&builder.numbers);
	free(builder.first_span);
	free(builder.node_of_span);
	free(builder.open);
	return tree;
}

void task_tree_free(struct task_tree *tree)
{
	free(tree->nodes);
	free(tree->events);
	free(tree->turns);
	free(tree);
}

static double percent_of(uint64_t part, uint64_t all)
{
	return all ? 100 * (double)part / (double)all : 0;
}

double task_tree_node_share_pct(const struct task_tree *tree, const struct task_tree_node *node)
{
	double wall = percent_of(node->inclusive_ns, tree->wall_ns);
	double on_cpu = percent_of(node->on_cpu_ns, tree->on_cpu_ns);

	return wall > on_cpu ? wall : on_cpu;
}

/* What qsort() is to look at. */
struct place {
	uint32_t parent;
	uint32_t node;
	uint64_t on_cpu_ns;
	uint64_t inclusive_ns;
};

/* Of one parent, those with most first. */
static int compare_places(const void *a, const void *b)
{
	const struct place *first = a, *second = b;

	if (first->parent != second->parent)
		return first->parent < second->parent ? -1 : 1;
	if (first->on_cpu_ns != second->on_cpu_ns)
		return first->on_cpu_ns > second->on_cpu_ns ? -1 : 1;
	if (first->inclusive_ns != second->inclusive_ns)
		return first->inclusive_ns > second->inclusive_ns ? -1 : 1;
	return first->node < second->node ? -1 : first->node > second->node;
}

/* Those that are to be shown, by parent. */
static struct place *find_places(const struct task_tree *tree, double threshold_pct, size_t *nr)
{
	struct place *places = xcalloc(tree->nr, sizeof(*places));

	*nr = 0;
	for (size_t i = 0; i < tree->nr; i++) {
		const struct task_tree_node *node = &tree->nodes[i];

		if (task_tree_node_share_pct(tree, node) >= threshold_pct)
			places[(*nr)++] = (struct place){ node->parent, (uint32_t)i,
							  node->on_cpu_ns, node->inclusive_ns };
	}
	if (*nr)
		qsort(places, *nr, sizeof(*places), compare_places);
	return places;
}

/* The first of the places of @parent. */
static size_t first_place(const struct place *places, size_t nr, uint32_t parent)
{
	return LOWER_BOUND(row, 0, nr, places[row].parent < parent);
}

/* Depth first; @stack has the next place of each level. A path is no longer than there are places. */
size_t task_tree_order(const struct task_tree *tree, double threshold_pct, size_t most,
		       uint32_t **order)
{
	size_t nr, depth = 1, nr_ordered = 0;
	struct place *places = find_places(tree, threshold_pct, &nr);
	size_t *stack = xcalloc(nr + 1, sizeof(*stack));
	uint32_t *parents = xcalloc(nr + 1, sizeof(*parents));

	*order = xcalloc(nr, sizeof(**order));
	stack[0] = first_place(places, nr, TASK_TREE_ROOT);
	parents[0] = TASK_TREE_ROOT;
	while (depth && nr_ordered < most) {
		size_t at = stack[depth - 1]++;

		if (at >= nr || places[at].parent != parents[depth - 1]) {
			depth--;
			continue;
		}
		(*order)[nr_ordered++] = places[at].node;
		parents[depth] = places[at].node;
		stack[depth++] = first_place(places, nr, places[at].node);
	}
	free(places);
	free(stack);
	free(parents);
	return nr_ordered;
}
