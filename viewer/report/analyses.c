// SPDX-License-Identifier: GPL-2.0
#include "report/analyses.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/tasks/task_tree.h"
#include "report/analyses/what_if_report.h"
#include "report/analysis_list.h"
#include "report/compute_all.h"
#include "report/table/table_json.h"
#include "report/table/table_text.h"
#include "report/what_if/change_words.h"
#include "symbols/symbols.h"
#include "util/text/figure.h"
#include "util/text/text.h"
#include "util/xalloc.h"

/* The columns before a finding's sentence: time lost, and its share. */
#define FINDING_INDENT 14

static size_t count_descs(void)
{
	size_t nr = 0;

	while (analysis_descs()[nr])
		nr++;
	return nr;
}

static struct analyses *analyses_create(const struct model *model, const struct task_stats *stats,
					const struct deadlines *deadlines,
					const struct metric_dir *metrics, bool names_addresses)
{
	const struct analysis_desc *const *descs = analysis_descs();
	struct analyses *analyses = xcalloc(1, sizeof(*analyses));

	analyses->model = model;
	analyses->stats = stats;
	analyses->threshold_pct = TASK_TREE_THRESHOLD_PCT;
	analyses->deadlines = deadlines;
	analyses->metrics = metrics;
	analyses->names_addresses = names_addresses;
	analyses->symbols = xcalloc(1, sizeof(struct symbols *));
	analyses->findings = findings_new(model);
	analyses->descs = descs;
	analyses->nr = count_descs();
	analyses->results = xcalloc(analyses->nr, sizeof(*analyses->results));
	compute_all(analyses);
	for (size_t i = 0; i < analyses->nr; i++) {
		if (descs[i]->add_findings)
			descs[i]->add_findings(analyses, analyses->results[i], &analyses->findings);
	}
	findings_rank(&analyses->findings, model);
	what_if_report_add_gains(analyses, &analyses->findings);
	return analyses;
}

struct analyses *analyses_new(const struct model *model, const struct task_stats *stats)
{
	return analyses_create(model, stats, NULL, NULL, false);
}

struct analyses *analyses_new_named(const struct model *model, const struct task_stats *stats,
				    const struct deadlines *deadlines,
				    const struct metric_dir *metrics)
{
	return analyses_create(model, stats, deadlines, metrics, true);
}

void analyses_free(struct analyses *analyses)
{
	if (!analyses)
		return;
	for (size_t i = 0; i < analyses->nr; i++)
		analyses->descs[i]->free(analyses->results[i]);
	free(analyses->results);
	findings_free(&analyses->findings);
	symbols_free(*analyses->symbols);
	free(analyses->symbols);
	free(analyses);
}

/* What is lost, or "<" and the most that may be; "-" if it is CPU time only. */
static void print_lost(const struct finding *finding, double session_ns, FILE *out)
{
	bool is_bound = finding->time_lost_at_most_ns > finding->time_lost_ns;
	char text[32];

	if (finding_is_cpu_time_only(finding)) {
		fprintf(out, "%7s %4s  ", "-", "-");
		return;
	}
	snprintf(text, sizeof(text), "%s%s", is_bound ? "<" : "",
		 figure_ns(finding->time_lost_at_most_ns, "").text);
	fprintf(out, "%7s %3.0f%%  ", text,
		100 * (double)finding->time_lost_at_most_ns / session_ns);
}

/* What its cure would gain, and how that was found out. */
static void print_gain(const struct model *model, const struct finding *finding, double session_ns,
		       FILE *out)
{
	fprintf(out, "%*scured: ", FINDING_INDENT, "");
	if (finding->gain_ns > 0) {
		int64_t least_ns = finding->gain_least_ns > 0 ? finding->gain_least_ns : 0;

		fprintf(out, "%s shorter (%s to %s), %.0f %%",
			figure_ns((uint64_t)finding->gain_ns, " ").text,
			figure_ns((uint64_t)least_ns, " ").text,
			figure_ns((uint64_t)finding->gain_most_ns, " ").text,
			100 * (double)finding->gain_ns / session_ns);
	} else {
		fputs("not shorter", out);
	}
	fputs(": annot what-if ", out);
	change_words_print(model, &finding->cure, out);
	putc('\n', out);
}

static void print_finding(const struct analyses *analyses, const struct finding *finding, FILE *out)
{
	const struct findings *all = &analyses->findings;
	double session_ns = (double)(all->session_to_ns - all->session_from_ns);

	print_lost(finding, session_ns, out);
	text_print_wrapped(out, finding->text, LINE_COLUMNS, FINDING_INDENT);
	fprintf(out, "\n%*s%s, %s confidence: annot explain %s\n", FINDING_INDENT, "",
		finding_kind_name(finding->kind), finding_confidence_name(finding->confidence),
		finding_kind_name(finding->kind));
	if (finding->has_gain)
		print_gain(analyses->model, finding, session_ns, out);
	for (unsigned int bit = 0; bit < NR_CAVEATS; bit++) {
		if (finding->caveats & 1u << bit)
			fprintf(out, "%*s(%s)\n", FINDING_INDENT, "", finding_caveat_text(bit));
	}
}

/* Once for all findings: it is the same replay. */
static void print_replay_error(const struct analyses *analyses, FILE *out)
{
	const struct findings *findings = &analyses->findings;

	for (size_t i = 0; i < findings->nr; i++) {
		if (!findings->rows[i].has_gain)
			continue;
		fprintf(out,
			"cured: predicted by a replay that is off by %.1f %% where nothing is changed\n",
			100 * fabs(what_if_report_error(analyses)));
		return;
	}
}

void analyses_findings_text(const struct analyses *analyses, FILE *out)
{
	const struct findings *findings = &analyses->findings;

	if (!findings->nr) {
		fprintf(out, "Nothing found that costs %.0f %% of the time or more.\n",
			100 * FINDING_LEAST_SHARE);
		return;
	}
	fprintf(out, "%7s %4s  FINDING\n", "LOST", "");
	for (size_t i = 0; i < findings->nr; i++)
		print_finding(analyses, &findings->rows[i], out);
	print_replay_error(analyses, out);
}

static bool is_name(const char *name, size_t length, const char *wanted)
{
	return length == strlen(wanted) && !strncmp(name, wanted, length);
}

/* The name behind the comma that ends @name, or NULL. */
static const char *next_name(const char *name)
{
	name += strcspn(name, ",");
	return *name ? name + 1 : NULL;
}

bool analyses_list_has(const char *list, const struct analysis_desc *desc)
{
	for (const char *name = list; name; name = next_name(name)) {
		size_t length = strcspn(name, ",");

		if (is_name(name, length, desc->name) || is_name(name, length, "all"))
			return true;
	}
	return false;
}

const char *analyses_list_unknown(const char *list, size_t *length)
{
	for (const char *name = list; name; name = next_name(name)) {
		bool known;

		*length = strcspn(name, ",");
		known = is_name(name, *length, "all");
		for (const struct analysis_desc *const *desc = analysis_descs(); *desc && !known;
		     desc++)
			known = is_name(name, *length, (*desc)->name);
		if (!known)
			return name;
	}
	return NULL;
}

static void write_text(const struct analyses *analyses, size_t i, FILE *out)
{
	const struct analysis_desc *desc = analyses->descs[i];
	char title[32];

	if (desc->write_text) {
		desc->write_text(analyses, analyses->results[i], out);
		return;
	}
	snprintf(title, sizeof(title), "%s", desc->title);
	text_to_upper(title);
	fprintf(out, "%s: %s\n", title, desc->help);
	if (desc->not_computed && desc->not_computed(analyses->results[i]))
		fprintf(out, "Not computed: %s.\n", desc->not_computed(analyses->results[i]));
	else
		table_text_write(analyses, desc, out);
}

void analyses_text(const struct analyses *analyses, const char *list, FILE *out)
{
	for (size_t i = 0; i < analyses->nr; i++) {
		if (!analyses_list_has(list, analyses->descs[i]))
			continue;
		fputc('\n', out);
		write_text(analyses, i, out);
	}
}

static void write_threads(struct json *json, const struct model *model,
			  const struct finding *finding)
{
	json_key(json, "tids");
	json_begin_array(json);
	for (size_t i = 0; i < finding->nr_threads; i++)
		json_i64(json, model->threads[finding->threads[i]].tid);
	json_end_array(json);
	/* In a page, where a tid may have been of several threads. */
	json_key(json, "threads");
	json_begin_array(json);
	for (size_t i = 0; i < finding->nr_threads; i++)
		json_u64(json, finding->threads[i]);
	json_end_array(json);
}

static void write_cpus(struct json *json, const struct finding *finding)
{
	json_key(json, "cpus");
	json_begin_array(json);
	for (size_t i = 0; i < finding->nr_cpus; i++)
		json_i64(json, finding->cpus[i]);
	json_end_array(json);
}

void analyses_json_caveats(struct json *json, const struct finding *finding)
{
	json_key(json, "caveats");
	json_begin_array(json);
	for (unsigned int bit = 0; bit < NR_CAVEATS; bit++) {
		if (finding->caveats & 1u << bit)
			json_string(json, finding_caveat_text(bit));
	}
	json_end_array(json);
}

void analyses_json_finding(struct json *json, const struct model *model,
			   const struct finding *finding)
{
	static const struct run_change no_change;

	json_key_string(json, "kind", finding_kind_name(finding->kind));
	json_key_u64(json, "time_lost_ns", finding->time_lost_ns);
	json_key_u64(json, "time_lost_at_most_ns", finding->time_lost_at_most_ns);
	json_key_u64(json, "cpu_time_lost_ns", finding->cpu_time_lost_ns);
	json_key_known_i64(json, "gain_ns", finding->has_gain, finding->gain_ns);
	json_key_known_i64(json, "gain_least_ns", finding->has_gain, finding->gain_least_ns);
	json_key_known_i64(json, "gain_most_ns", finding->has_gain, finding->gain_most_ns);
	json_key(json, "what_if");
	change_words_json(json, model, finding->has_gain ? &finding->cure : &no_change);
	json_key_string(json, "text", finding->text);
	json_key_string(json, "confidence", finding_confidence_name(finding->confidence));
}

static void write_finding(struct json *json, const struct model *model,
			  const struct finding *finding)
{
	json_begin_object(json);
	analyses_json_finding(json, model, finding);
	json_key(json, "evidence");
	json_begin_object(json);
	json_key_u64(json, "from_ns", finding->from_ns);
	json_key_u64(json, "to_ns", finding->to_ns);
	write_threads(json, model, finding);
	write_cpus(json, finding);
	json_end_object(json);
	analyses_json_caveats(json, finding);
	json_end_object(json);
}

static bool has_kind(const struct findings *findings, enum finding_kind kind)
{
	for (size_t i = 0; i < findings->nr; i++) {
		if (findings->rows[i].kind == kind)
			return true;
	}
	return false;
}

static void write_explanation(struct json *json, const struct catalogue_entry *entry)
{
	json_begin_object(json);
	json_key_string(json, "title", entry->title);
	json_key_string(json, "what", entry->what);
	json_key_string(json, "definition", entry->definition);
	json_key_string(json, "how_to_see", entry->how_to_see);
	json_key(json, "cures");
	json_begin_array(json);
	for (size_t i = 0; entry->cures[i]; i++)
		json_string(json, entry->cures[i]);
	json_end_array(json);
	json_end_object(json);
}

/* What annot explain tells of the kinds that were found. */
static void write_catalogue(struct json *json, const struct findings *findings)
{
	json_key(json, "catalogue");
	json_begin_object(json);
	for (int kind = 0; kind < NR_FINDING_KINDS; kind++) {
		if (!has_kind(findings, (enum finding_kind)kind))
			continue;
		json_key(json, finding_kind_name((enum finding_kind)kind));
		write_explanation(json, catalogue_entry((enum finding_kind)kind));
	}
	json_end_object(json);
}

static void write_json(const struct analyses *analyses, size_t i, struct json *json)
{
	const struct analysis_desc *desc = analyses->descs[i];

	if (desc->write_json) {
		desc->write_json(analyses, analyses->results[i], json);
		return;
	}
	json_begin_object(json);
	table_json_write(analyses, desc, json);
	json_end_object(json);
}

void analyses_json(const struct analyses *analyses, struct json *json)
{
	const struct findings *findings = &analyses->findings;

	json_key(json, "session");
	json_begin_object(json);
	json_key_u64(json, "from_ns", findings->session_from_ns);
	json_key_u64(json, "to_ns", findings->session_to_ns);
	json_end_object(json);
	json_key(json, "findings");
	json_begin_array(json);
	for (size_t i = 0; i < findings->nr; i++)
		write_finding(json, analyses->model, &findings->rows[i]);
	json_end_array(json);
	write_catalogue(json, findings);
	for (size_t i = 0; i < analyses->nr; i++) {
		json_key(json, analyses->descs[i]->name);
		write_json(analyses, i, json);
	}
}
