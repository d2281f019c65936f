/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The Model Context Protocol as a server of tools: messages of JSON-RPC 2.0, one a line.
 */
#ifndef ANNOT_MCP_RPC_H
#define ANNOT_MCP_RPC_H

#include "cmd/mcp/traces.h"

/* What a client may send at once. */
#define MCP_LINE_BYTES 1048576

/* The answer to a message of @bytes, without a newline; NULL if none is due. free() it. */
char *mcp_rpc_answer(struct mcp_traces *traces, const char *line, size_t bytes);

/* The same, to a message that is longer than MCP_LINE_BYTES. */
char *mcp_rpc_too_long(void);

#endif /* ANNOT_MCP_RPC_H */
