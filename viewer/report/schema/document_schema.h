/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The JSON Schema of a whole document.
 */
#ifndef ANNOT_DOCUMENT_SCHEMA_H
#define ANNOT_DOCUMENT_SCHEMA_H

#include <stdio.h>

#include "report/schema/json_schema.h"

/* Leaves the schema's object open. @title: of what command. */
void document_schema_begin(struct json *json, const char *title, FILE *out);

/* Of a document that is an object of @members. */
void document_schema(const char *title, const struct schema_member *members, FILE *out);

#endif /* ANNOT_DOCUMENT_SCHEMA_H */
