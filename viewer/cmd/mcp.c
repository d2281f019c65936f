// SPDX-License-Identifier: GPL-2.0
/*
 * annot mcp: answers questions about traces, for programs that speak the Model Context Protocol.
 */
#include <getopt.h>
#include <stddef.h>
#include <stdlib.h>

#include "cli/parse.h"
#include "cmd/cmd.h"
#include "cmd/mcp/lines.h"
#include "cmd/mcp/rpc.h"
#include "util/diag.h"
#include "util/xalloc.h"

struct mcp_options {
	const char *page;
};

static const char *const usage[] = { "[options] TRACE...", NULL };

static const struct cli_option options[] = {
	{
		.name = "page",
		.argument = "ADDRESS",
		.offset = offsetof(struct mcp_options, page),
		.kind = CLI_FILE,
		.help = "where the page of the first TRACE is, for links to it (default: links are "
			"only what follows a page's address)",
	},
	CLI_END,
};

/* Nothing if no answer is due. Returns -1 if it cannot be written. */
static int send(char *answer)
{
	int status = 0;

	if (answer && (fputs(answer, stdout) < 0 || putchar('\n') < 0 || fflush(stdout)))
		status = diag_error("mcp: standard output: cannot be written");
	free(answer);
	return status;
}

/* Until standard input ends. */
static int serve(struct mcp_traces *traces)
{
	char *line = xcalloc(MCP_LINE_BYTES, 1);
	enum line_status read;
	size_t bytes;
	int status = 0;

	while (!status) {
		read = line_read(stdin, line, MCP_LINE_BYTES, &bytes);
		if (read == LINE_NONE)
			break;
		if (read == LINE_TOO_LONG)
			status = send(mcp_rpc_too_long());
		else if (bytes)
			status = send(mcp_rpc_answer(traces, line, bytes));
	}
	free(line);
	return status;
}

static int run(int argc, char **argv)
{
	struct mcp_options given = { .page = "" };
	struct mcp_traces traces = { 0 };
	int status = cli_parse(&cmd_mcp, argc, argv, &given);

	if (status >= 0)
		return status;
	if (optind == argc) {
		diag_error("mcp: the trace is missing (annot mcp --help lists all)");
		return EXIT_USAGE;
	}
	traces.page = given.page;
	traces.progress.send = send;
	status = mcp_traces_open(&traces, argv + optind, (size_t)(argc - optind));
	if (!status)
		status = serve(&traces);
	mcp_traces_close(&traces);
	return status ? EXIT_BAD_INPUT : EXIT_OK;
}

const struct cli_command cmd_mcp = {
	.name = "mcp",
	.summary = "answer questions of programs about traces (MCP)",
	.usage = usage,
	.about =
		"Answers questions about traces for programs that speak the Model Context Protocol, on standard input "
		"and output: findings, what they mean, figures of tasks, why an instance was slow, what a "
		"change would gain, and what differs between two traces. It only reads the traces.",
	.options = options,
	.operand = CLI_TRACE,
	.run = run,
};
