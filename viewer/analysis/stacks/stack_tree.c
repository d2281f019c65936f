// SPDX-License-Identifier: GPL-2.0
#include "analysis/stacks/stack_tree.h"

#include <stdlib.h>

#include "util/pair_table.h"
#include "util/xalloc.h"

struct growing {
	const struct model *model;
	struct pair_table labels; /* function and file; of a cause, with UINT32_MAX */
	struct pair_table nodes; /* 1 + parent, and label; its numbers are those of the nodes */
	size_t nr;
	size_t capacity;
	struct stack_node *all;
};

/* The child of @parent; a new one, if it is the first there. */
static uint32_t need_node(struct growing *growing, const struct stack_node *like, size_t label)
{
	size_t at = pair_table_number(&growing->nodes, like->parent + 1, (uint32_t)label);

	if (at == growing->nr) {
		ARRAY_MAKE_ROOM(growing->all, growing->nr, growing->capacity);
		growing->all[growing->nr++] = *like;
	}
	return (uint32_t)at;
}

static uint32_t need_cause(struct growing *growing, uint32_t cause)
{
	return need_node(growing,
			 &(struct stack_node){ .parent = STACK_TREE_NO_NODE, .cause = cause },
			 pair_table_number(&growing->labels, cause, UINT32_MAX));
}

static uint32_t need_frame(struct growing *growing, uint32_t parent, uint32_t frame)
{
	const struct frame_table *frames = &growing->model->frames;
	struct stack_node like = { .parent = parent, .frame = frame };

	if (parent != STACK_TREE_NO_NODE)
		like.depth = growing->all[parent].depth + 1;
	return need_node(growing, &like,
			 pair_table_number(&growing->labels, frames->symbol[frame],
					   frames->object[frame]));
}

static void add_row(struct growing *growing, const struct stack_weight *row, bool by_cause)
{
	uint32_t frames[STACKS_MOST_FRAMES], node = STACK_TREE_NO_NODE;
	size_t nr = stack_weight_frames(growing->model, row, frames);

	if (by_cause)
		node = need_cause(growing, row->cause);
	for (size_t i = 0; i < nr; i++)
		node = need_frame(growing, node, frames[i]);
	growing->all[node].self += row->weight;
	for (; node != STACK_TREE_NO_NODE; node = growing->all[node].parent) {
		growing->all[node].weight += row->weight;
		growing->all[node].nr += row->nr;
	}
}

struct sibling {
	uint32_t parent;
	uint64_t weight;
	uint32_t node;
};

static int compare_siblings(const void *a, const void *b)
{
	const struct sibling *first = a, *second = b;

	if (first->parent != second->parent)
		return first->parent < second->parent ? -1 : 1;
	if (first->weight != second->weight)
		return first->weight > second->weight ? -1 : 1;
	return first->node < second->node ? -1 : first->node > second->node;
}

/* Children by parent, the heaviest first: those of node n begin at first[n + 1], of none at first[0]. */
static struct sibling *sort_siblings(const struct growing *growing, size_t *first)
{
	struct sibling *siblings = xcalloc(growing->nr + 1, sizeof(*siblings));

	for (size_t i = 0; i < growing->nr; i++)
		/* The outermost have the parent 0. */
		siblings[i] = (struct sibling){ growing->all[i].parent + 1, growing->all[i].weight,
						(uint32_t)i };
	qsort(siblings, growing->nr, sizeof(*siblings), compare_siblings);
	for (size_t i = 0; i < growing->nr; i++)
		first[siblings[i].parent + 1]++;
	for (size_t i = 0; i <= growing->nr; i++)
		first[i + 1] += first[i];
	return siblings;
}

/* Each parent, then its children with all below them. */
static struct stack_node *arrange(const struct growing *growing)
{
	struct stack_node *arranged = xcalloc(growing->nr + 1, sizeof(*arranged));
	size_t *first = xcalloc(growing->nr + 2, sizeof(*first));
	uint32_t *place = xcalloc(growing->nr + 1, sizeof(*place));
	struct sibling *siblings = sort_siblings(growing, first);
	size_t *next = xcalloc(growing->nr + 1, sizeof(*next));
	uint32_t at = 0; /* 1 + the node whose children come next */
	size_t nr = 0;

	for (size_t i = 0; i <= growing->nr; i++)
		next[i] = first[i];
	while (nr < growing->nr) {
		struct stack_node *to = &arranged[nr];
		uint32_t node;

		if (next[at] == first[at + 1]) {
			at = growing->all[at - 1].parent + 1;
			continue;
		}
		node = siblings[next[at]++].node;
		*to = growing->all[node];
		if (at)
			to->parent = place[at - 1];
		place[node] = (uint32_t)nr++;
		at = node + 1;
	}
	free(first);
	free(place);
	free(siblings);
	free(next);
	return arranged;
}

struct stack_tree stack_tree_make(const struct model *model, const struct stack_weights *weights)
{
	struct growing growing = { .model = model };
	struct stack_tree tree;

	for (size_t i = 0; i < weights->nr; i++)
		add_row(&growing, &weights->rows[i], stacks_have_causes(weights->of));
	tree = (struct stack_tree){ .nr = growing.nr, .nodes = arrange(&growing) };
	pair_table_free(&growing.labels);
	pair_table_free(&growing.nodes);
	free(growing.all);
	return tree;
}

void stack_tree_free(struct stack_tree *tree)
{
	free(tree->nodes);
}
