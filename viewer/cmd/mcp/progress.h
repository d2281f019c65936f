/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a client is told while a call of a tool takes long: notifications of the protocol, if it gave a token for them.
 */
#ifndef ANNOT_MCP_PROGRESS_H
#define ANNOT_MCP_PROGRESS_H

#include "util/text/json_value.h"

/* How much was done is the number of steps that were begun before: how many there will be is not known. */
struct mcp_progress {
	/* Sends one message, without a newline, and frees it. Returns -1 if it cannot. NULL: nobody is told. */
	int (*send)(char *message);
	struct json_object
		*token; /* a text or a whole number; NULL: the client does not ask for them */
	unsigned int nr_begun;
};

/* A step begins. Prints like printf(). */
void mcp_progress_begin_step(struct mcp_progress *progress, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif /* ANNOT_MCP_PROGRESS_H */
