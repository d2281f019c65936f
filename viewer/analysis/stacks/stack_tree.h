/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Call stacks by their callers: a tree whose nodes are functions, as a flame graph has it. Of off-cpu, the outermost
 * level is what was waited for.
 */
#ifndef ANNOT_ANALYSIS_STACK_TREE_H
#define ANNOT_ANALYSIS_STACK_TREE_H

#include "analysis/stacks/stack_weights.h"

#define STACK_TREE_NO_NODE UINT32_MAX

struct stack_node {
	uint32_t parent; /* STACK_TREE_NO_NODE: it is outermost */
	uint32_t frame; /* a row of model.frames with its name; 0: it is a cause */
	uint32_t cause; /* string id, if it is one; TRACE_NO_STRING: not known */
	uint32_t depth;
	uint64_t weight; /* with all below */
	uint64_t self; /* without */
	uint64_t nr; /* with all below */
};

struct stack_tree {
	size_t nr;
	struct stack_node
		*nodes; /* each behind its parent, as they are printed: the heaviest first */
};

/* free it with stack_tree_free(). */
struct stack_tree stack_tree_make(const struct model *model, const struct stack_weights *weights);
void stack_tree_free(struct stack_tree *tree);

#endif /* ANNOT_ANALYSIS_STACK_TREE_H */
