// SPDX-License-Identifier: GPL-2.0
#include "analysis/topdown/metric_dir.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "analysis/topdown/metric_expr.h"
#include "util/diag.h"
#include "util/text/json_value.h"
#include "util/xalloc.h"

#define MOST_FILE_BYTES (64u << 20)

static char *copy(const char *text)
{
	return xstrndup(text, strlen(text));
}

static const char *text_member(struct json_object *object, const char *key)
{
	struct json_object *value = json_value_member(object, key);

	return json_value_type(value) == JSON_VALUE_TEXT ? json_value_text(value) : NULL;
}

/* Which names mean something depends on the trace. */
static struct metric_name any_name(void *context, const char *name)
{
	(void)context;
	(void)name;
	return (struct metric_name){ METRIC_NAME_NUMBER, .number = 1 };
}

static int check_formula(const char *file, const char *name, const char *text)
{
	struct metric_expr expr;
	char why[METRIC_WHY_BYTES];
	enum metric_parsed parsed = metric_expr_parse(text, any_name, NULL, &expr, why);

	metric_expr_free(&expr);
	if (parsed != METRIC_WRONG)
		return EXIT_OK;
	diag_error("%s: metric '%s': its formula is wrong: %s", file, name, why);
	return EXIT_BAD_INPUT;
}

/* "100%", "1per_instr": a number and a unit, both of which may be missing. */
static void read_scale(const char *text, struct metric_source *metric)
{
	char *end = (char *)text;

	metric->scale = strtod(text, &end);
	if (end == text)
		metric->scale = 1;
	metric->unit = copy(end);
}

static int add_metric(struct metric_dir *dir, const char *file, struct json_object *object)
{
	const char *name = text_member(object, "MetricName"),
		   *text = text_member(object, "MetricExpr");
	const char *description = text_member(object, "BriefDescription"),
		   *scale = text_member(object, "ScaleUnit");
	struct metric_source *metric;
	int status;

	if (!name || !text)
		return EXIT_OK;
	status = check_formula(file, name, text);
	if (status)
		return status;
	ARRAY_MAKE_ROOM(dir->metrics, dir->nr, dir->capacity);
	metric = &dir->metrics[dir->nr++];
	*metric = (struct metric_source){
		.name = copy(name),
		.text = copy(text),
		.description = copy(description ? description : ""),
	};
	read_scale(scale ? scale : "", metric);
	return EXIT_OK;
}

static int add_list(struct metric_dir *dir, const char *file, struct json_object *list)
{
	int status = EXIT_OK;

	if (json_value_type(list) != JSON_VALUE_LIST) {
		diag_error("%s: not a list of events and metrics", file);
		return EXIT_BAD_INPUT;
	}
	for (size_t i = 0; i < json_value_nr(list) && !status; i++) {
		struct json_object *element = json_value_element(list, i);

		if (json_value_type(element) == JSON_VALUE_OBJECT)
			status = add_metric(dir, file, element);
	}
	return status;
}

/* All of @path, or NULL after one line. free() it. */
static char *read_all(const char *path, size_t *bytes)
{
	FILE *file = fopen(path, "re");
	struct stat stat;
	char *text = NULL;

	if (!file || fstat(fileno(file), &stat)) {
		diag_error("%s: %s", path, strerror(errno));
	} else if (!S_ISREG(stat.st_mode) || stat.st_size > MOST_FILE_BYTES) {
		diag_error("%s: not a file of at most 64 MiB", path);
	} else {
		text = xcalloc((size_t)stat.st_size + 1, 1);
		*bytes = fread(text, 1, (size_t)stat.st_size, file);
	}
	if (file)
		fclose(file);
	return text;
}

static int read_file(struct metric_dir *dir, const char *path)
{
	struct json_object *value;
	size_t bytes = 0;
	char *text = read_all(path, &bytes);
	int status;

	if (!text)
		return EXIT_BAD_INPUT;
	if (json_value_parse(text, bytes, &value)) {
		status = add_list(dir, path, value);
		json_value_free(value);
	} else {
		diag_error("%s: not JSON", path);
		status = EXIT_BAD_INPUT;
	}
	free(text);
	return status;
}

static int compare_metrics(const void *a, const void *b)
{
	const struct metric_source *first = a, *second = b;

	int order = strcasecmp(first->name, second->name);

	return order ? order : strcmp(second->name, first->name);
}

static int check_all(struct metric_dir *dir, const char *path)
{
	if (!dir->nr) {
		diag_error("%s: no *.json in it has a metric", path);
		return EXIT_BAD_INPUT;
	}
	qsort(dir->metrics, dir->nr, sizeof(*dir->metrics), compare_metrics);
	for (size_t i = 1; i < dir->nr; i++) {
		if (strcasecmp(dir->metrics[i].name, dir->metrics[i - 1].name))
			continue;
		diag_error("%s: metric '%s' is there twice", path, dir->metrics[i].name);
		return EXIT_BAD_INPUT;
	}
	return EXIT_OK;
}

int metric_dir_read(const char *path, struct metric_dir *dir)
{
	size_t room = strlen(path) + sizeof("/*.json");
	char *pattern = xcalloc(room, 1);
	int status = EXIT_OK;
	glob_t found = { 0 };

	*dir = (struct metric_dir){ 0 };
	snprintf(pattern, room, "%s/*.json", path);
	/* Without a match there are no paths. */
	glob(pattern, 0, NULL, &found);
	for (size_t i = 0; i < found.gl_pathc && !status; i++)
		status = read_file(dir, found.gl_pathv[i]);
	globfree(&found);
	free(pattern);
	return status ? status : check_all(dir, path);
}

void metric_dir_free(struct metric_dir *dir)
{
	for (size_t i = 0; i < dir->nr; i++) {
		free(dir->metrics[i].name);
		free(dir->metrics[i].text);
		free(dir->metrics[i].description);
		free(dir->metrics[i].unit);
	}
	free(dir->metrics);
	*dir = (struct metric_dir){ 0 };
}

const struct metric_source *metric_dir_find(const struct metric_dir *dir, const char *name)
{
	for (size_t low = 0, high = dir->nr; low < high;) {
		size_t middle = (low + high) / 2;
		int order = strcasecmp(name, dir->metrics[middle].name);

		if (!order)
			return &dir->metrics[middle];
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}
