/* SPDX-License-Identifier: GPL-2.0 */
/* The rest (window.h): a model whose rows are those that cross cuts. */
#ifndef ANNOT_MODEL_WINDOW_REST_H
#define ANNOT_MODEL_WINDOW_REST_H

#include "model/model.h"

/* Replaces the rows of @model by @rows, which are gone then. */
void rest_replace(struct model *model, struct model *rows);

/*
 * Returns a model of @rows, which are gone then, that otherwise is as @whole, and shares with it what neither changes. @whole loses
 * its rows of events that nothing decodes. rest_free() it before @whole is freed.
 */
struct model *rest_beside(struct model *whole, struct model *rows);
void rest_free(struct model *rest);

#endif /* ANNOT_MODEL_WINDOW_REST_H */
