// SPDX-License-Identifier: GPL-2.0
#include "cmd/words/attach_print.h"

#include <stdlib.h>

#include "util/text/json.h"
#include "util/text/text.h"

#define CONVENTION_COLUMNS 11
#define FRONT_COLUMNS 12
#define VERDICT_COLUMNS 9
#define VARIABLE_COLUMNS 23
#define WHY_COLUMN (CONVENTION_COLUMNS + FRONT_COLUMNS + VERDICT_COLUMNS + 3)
#define STATE_COLUMN (CONVENTION_COLUMNS + FRONT_COLUMNS + VARIABLE_COLUMNS + 3)

/* Whether the front will tell anything. */
static const char *verdict_word(const struct attach_result *result)
{
	if (!result->is_chosen)
		return "no";
	return result->verdict == ATTACH_LATER ? "maybe" : "yes";
}

/* Without a sign of use, it does not matter what else is in the way. */
static const char *reason(const struct attach_result *result)
{
	return result->obstacle && result->verdict != ATTACH_UNUSED ? result->obstacle :
								      result->why;
}

static const char *convention_name(size_t front)
{
	return attach_convention_names[attach_fronts[front].convention];
}

static const char *variable_name(size_t front)
{
	return attach_ways[attach_fronts[front].way].variable;
}

static void print_names(FILE *out, const char *convention, const char *front)
{
	fprintf(out, "%-*s %-*s ", CONVENTION_COLUMNS, convention, FRONT_COLUMNS, front);
}

void attach_print_text(const struct attach_plan *plan, FILE *out)
{
	int width = text_width(out);

	print_names(out, "convention", "front");
	fprintf(out, "%-*s %s\n", VERDICT_COLUMNS, "attached", "why");
	for (size_t i = 0; i < ATTACH_FRONTS; i++) {
		const struct attach_result *result = &plan->results[i];

		print_names(out, convention_name(i), attach_fronts[i].name);
		fprintf(out, "%-*s ", VERDICT_COLUMNS, verdict_word(result));
		text_wrap(out, width, WHY_COLUMN, reason(result));
	}
}

static void print_front(struct json *json, size_t i)
{
	json_key_string(json, "convention", convention_name(i));
	json_key_string(json, "front", attach_fronts[i].name);
	json_key_string(json, "file", attach_fronts[i].file);
	json_key_string(json, "variable", variable_name(i));
}

static void print_result(struct json *json, size_t i, const struct attach_result *result)
{
	json_begin_object(json);
	print_front(json, i);
	json_key_string(json, "attached", verdict_word(result));
	json_key_string(json, "why", result->why);
	json_key_text(json, "obstacle", result->obstacle);
	json_key_text(json, "found", result->use.what);
	json_key_text(json, "found_in", result->use.where ? result->use.where->path : NULL);
	json_end_object(json);
}

static void print_library(struct json *json, const struct library *library)
{
	json_begin_object(json);
	json_key_string(json, "name", library->name);
	json_key_text(json, "path", library->path);
	json_end_object(json);
}

static void print_program(struct json *json, const struct attach_program *program)
{
	json_begin_object(json);
	json_key_string(json, "path", program->path);
	json_key_text(json, "problem", program->problem);
	json_key(json, "libraries");
	json_begin_array(json);
	for (size_t i = 1; i < program->libraries.nr; i++)
		print_library(json, &program->libraries.items[i]);
	json_end_array(json);
	json_end_object(json);
}

static void print_variables(struct json *json, const struct attach_environment *environment)
{
	json_begin_object(json);
	for (size_t i = 0; i < environment->nr; i++)
		json_key_string(json, environment->variables[i].name,
				environment->variables[i].value);
	json_end_object(json);
}

static void begin_json(struct json *json, FILE *out, const struct attach_directory *directory)
{
	json_init(json, out, JSON_INDENTED);
	json_begin_object(json);
	json_key_u64(json, "version", ATTACH_JSON_VERSION);
	json_key_text(json, "directory", *directory->path ? directory->path : NULL);
	json_key_text(json, "problem", directory->problem);
}

void attach_print_json(const struct attach_plan *plan, FILE *out)
{
	struct json json;

	begin_json(&json, out, &plan->directory);
	json_key(&json, "programs");
	json_begin_array(&json);
	for (size_t i = 0; i < plan->nr_programs; i++)
		print_program(&json, &plan->programs[i]);
	json_end_array(&json);
	json_key(&json, "fronts");
	json_begin_array(&json);
	for (size_t i = 0; i < ATTACH_FRONTS; i++)
		print_result(&json, i, &plan->results[i]);
	json_end_array(&json);
	json_key(&json, "environment");
	print_variables(&json, &plan->environment);
	json_end_object(&json);
}

void attach_print_fronts_text(FILE *out)
{
	struct attach_directory directory;
	int width = text_width(out);

	attach_directory_find(&directory);
	print_names(out, "convention", "front");
	fprintf(out, "%-*s %s\n", VARIABLE_COLUMNS, "variable", "installed");
	for (size_t i = 0; i < ATTACH_FRONTS; i++) {
		char *obstacle = attach_directory_obstacle(&directory, &attach_fronts[i], NULL);

		print_names(out, convention_name(i), attach_fronts[i].name);
		fprintf(out, "%-*s ", VARIABLE_COLUMNS, variable_name(i));
		text_wrap(out, width, STATE_COLUMN, obstacle ? obstacle : "yes");
		free(obstacle);
	}
	attach_directory_free(&directory);
}

void attach_print_fronts_json(FILE *out)
{
	struct attach_directory directory;
	struct json json;

	attach_directory_find(&directory);
	begin_json(&json, out, &directory);
	json_key(&json, "fronts");
	json_begin_array(&json);
	for (size_t i = 0; i < ATTACH_FRONTS; i++) {
		char *obstacle = attach_directory_obstacle(&directory, &attach_fronts[i], NULL);

		json_begin_object(&json);
		print_front(&json, i);
		json_key_text(&json, "obstacle", obstacle);
		json_end_object(&json);
		free(obstacle);
	}
	json_end_array(&json);
	json_end_object(&json);
	attach_directory_free(&directory);
}
