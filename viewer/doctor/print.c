// SPDX-License-Identifier: GPL-2.0
#include "doctor/print.h"

#include "util/text/json.h"
#include "util/text/text.h"

#define COLUMNS 80
#define NAME_COLUMNS 12
#define SEVERITY_COLUMNS 9
#define TEXT_COLUMN (NAME_COLUMNS + SEVERITY_COLUMNS)

static void print_line(FILE *out, const char *name, const char *severity, const char *text)
{
	fprintf(out, "%-*s%-*s", NAME_COLUMNS, name, SEVERITY_COLUMNS, severity);
	text_wrap(out, COLUMNS, TEXT_COLUMN, text);
}

void doctor_print_text(FILE *out, const struct verdict *verdicts)
{
	for (int check = 0; check < NR_CHECKS; check++) {
		const struct verdict *verdict = &verdicts[check];

		print_line(out, doctor_check_name((enum doctor_check)check),
			   severity_name(verdict->severity), verdict->what);
		if (*verdict->cure)
			print_line(out, "", "cure", verdict->cure);
	}
}

static void print_verdict(struct json *json, enum doctor_check check, const struct verdict *verdict)
{
	json_begin_object(json);
	json_key_string(json, "check", doctor_check_name(check));
	json_key_string(json, "severity", severity_name(verdict->severity));
	json_key_string(json, "what", verdict->what);
	json_key(json, "cure");
	if (*verdict->cure)
		json_string(json, verdict->cure);
	else
		json_null(json);
	json_end_object(json);
}

void doctor_print_json(FILE *out, const struct verdict *verdicts)
{
	struct json json;

	json_init(&json, out, JSON_INDENTED);
	json_begin_object(&json);
	json_key_u64(&json, "version", DOCTOR_JSON_VERSION);
	json_key(&json, "checks");
	json_begin_array(&json);
	for (int check = 0; check < NR_CHECKS; check++)
		print_verdict(&json, (enum doctor_check)check, &verdicts[check]);
	json_end_array(&json);
	json_end_object(&json);
}
