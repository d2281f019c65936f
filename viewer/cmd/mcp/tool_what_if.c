// SPDX-License-Identifier: GPL-2.0
#include "analysis/replay/trials.h"
#include "cmd/mcp/tools.h"
#include "cmd/words/what_if_words.h"
#include "report/what_if/what_if_answer.h"
#include "util/diag.h"

#define CPUS_AS_RECORDED UINT64_MAX

/* Returns -1 after one line on stderr. */
static int read_words(const struct mcp_call *call, struct what_if_words *words)
{
	struct json_object *given = call->arguments;
	uint64_t nr_cpus = mcp_number(given, "cpus", CPUS_AS_RECORDED);

	*words = (struct what_if_words){
		.balance = mcp_text(given, "balance"),
		.without = mcp_text(given, "without"),
		.no_lock = mcp_text(given, "no_lock"),
		.merge_chunks = mcp_text(given, "merge_chunks"),
		.nr_cpus = nr_cpus == CPUS_AS_RECORDED ? 0 : nr_cpus,
		.pin = mcp_flag(given, "pin"),
		.unpin = mcp_flag(given, "unpin"),
	};
	for (size_t i = 0; i < mcp_nr_texts(given, "faster"); i++) {
		const char *text = mcp_text_of(given, "faster", i);
		const char *wrong = what_if_words_add_faster(words, text);

		if (wrong)
			return diag_error("faster '%.64s': %s", text, wrong);
	}
	if (nr_cpus != CPUS_AS_RECORDED && (!nr_cpus || nr_cpus > WHAT_IF_MOST_CPUS))
		return diag_error("'cpus' is not a number of CPUs from 1 to %d", WHAT_IF_MOST_CPUS);
	if (words->pin && words->unpin)
		return diag_error("either 'pin' or 'unpin', not both");
	return 0;
}

/* What both kinds of answers have: rows of one of them. */
struct what_if_rows {
	const struct what_if *what_if;
	const struct trials *trials;
};

static void write_trial(struct json *json, const struct mcp_call *call, const void *context,
			size_t i)
{
	const struct what_if_rows *rows = context;

	json_begin_object(json);
	what_if_json_trial(json, call->trace->model, &rows->trials->rows[i]);
	json_end_object(json);
}

static void write_task(struct json *json, const struct mcp_call *call, const void *context,
		       size_t i)
{
	const struct what_if_rows *rows = context;

	json_begin_object(json);
	what_if_json_task(json, call->trace->model, &rows->what_if->tasks[i]);
	json_end_object(json);
}

static int write_answer(struct mcp_call *call, const struct what_if *what_if, bool is_changed,
			const struct trials *trials)
{
	const struct what_if_rows context = { what_if, trials };
	const struct findings *findings = &call->trace->analyses->findings;
	struct mcp_rows rows = { .key = "tasks", .write = write_task, .context = &context };

	what_if_json_head(&call->json, what_if, is_changed);
	json_key(&call->json, "session");
	json_begin_object(&call->json);
	mcp_answer_interval(&call->json, call, call->trace, findings->session_from_ns,
			    findings->session_to_ns);
	json_end_object(&call->json);
	if (trials) {
		rows.key = "trials";
		rows.write = write_trial;
		rows.nr = trials->nr;
	} else if (what_if->has_answer) {
		what_if_json_tasks_head(&call->json, call->trace->model, what_if);
		rows.nr = what_if->nr_tasks;
	}
	return mcp_answer_rows(call, &rows);
}

static int predict(struct mcp_call *call)
{
	const struct what_if_oracle *oracle;
	struct what_if_words words;
	struct what_if_question question;
	struct what_if what_if;
	struct trials trials = { 0 };
	bool is_changed;
	int status;

	if (read_words(call, &words) ||
	    what_if_words_ask(&words, call->trace->model, mcp_trace_regions(call->trace),
			      &question))
		return -1;
	oracle = mcp_trace_oracle(call->trace);
	is_changed = what_if_words_are_given(&words);
	mcp_progress_begin_step(&call->traces->progress, "replaying it with changes");
	what_if = what_if_compute(oracle, &question);
	if (!is_changed && what_if.has_answer)
		trials = trials_compute(oracle);
	status = write_answer(call, &what_if, is_changed, is_changed ? NULL : &trials);
	trials_free(&trials);
	what_if_free(&what_if);
	return status;
}

static const struct mcp_argument arguments[] = {
	MCP_TRACE_ARGUMENT,
	{ "faster", MCP_TEXTS, false,
	  "TASK=FACTOR each: the work of this task takes 1/FACTOR of its time." },
	{ "balance", MCP_TEXT, false,
	  "A parallel region: its threads have equal shares of its work." },
	{ "without", MCP_TEXT, false, "A program: it does not run." },
	{ "cpus", MCP_NUMBER, false, "The session has so many CPUs." },
	{ "pin", MCP_FLAG, false, "Each thread stays on the CPU on which it ran longest." },
	{ "unpin", MCP_FLAG, false, "Threads may run on any CPU of the session." },
	{ "no_lock", MCP_TEXT, false, "A lock: nobody waits for it." },
	{ "merge_chunks", MCP_TEXT, false,
	  "A task: its instances follow each other without work between them." },
	MCP_CURSOR_ARGUMENT,
	{ 0 },
};

const struct mcp_tool mcp_tool_what_if = {
	.name = "what_if",
	.title = "What a change would gain",
	.description =
		"Predicts how long the recorded run takes with all changes that are given, with an interval, and by how "
		"much it becomes shorter if a task has 1 % less work. Without a change, it tries those that "
		"suggest themselves, each alone. No answer is given where the replay of the unchanged run is "
		"more than 10 % off.",
	.arguments = arguments,
	.call = predict,
};
