/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The findings and analyses of a page, as JSON, and its messages.
 */
#ifndef ANNOT_ANALYSIS_JSON_H
#define ANNOT_ANALYSIS_JSON_H

#include "model/tables.h"
#include "model/window/filter.h"

/* What the model of a trace takes, mostly in a file (util/spill/spill.h). */
#define ANALYSIS_BYTES_PER_EVENT 45

struct analysis_json {
	char *text; /* of a JSON object */
	size_t nr_bytes; /* of the text */
	struct message_table messages; /* between ranks */
	uint64_t nr_left_out; /* about so many events are too many; 0: the analyses are there */
	uint64_t most_events; /* for so many there was room */
};

/* For how many events there is room, in memory and on the disk. */
uint64_t analysis_most_events(void);

/*
 * Reads the file of @whole from its start, or the part of it that @filter keeps (NULL: all). Returns 0, and in @out a
 * JSON object as analyses_json() writes it, and messages, if findings are not left out. If the trace has more than about
 * @most_events events, with those in batches counted one by one, the object is {"left_out":
 * {"events": n, "most_events": m}}. Returns -1 after one line on stderr if the trace cannot be
 * read. Does not warn of missing parts: the caller reads the trace, too, and warns.
 *
 * analysis_json_free() frees @out, whatever is returned.
 */
int analysis_json(const struct trace *whole, const struct model_filter *filter,
		  uint64_t most_events, struct analysis_json *out);

/* The same, of a model that is there already. */
int analysis_json_of_model(const struct model *model, struct analysis_json *out);

/* The same, of a trace of about @nr_events that are too many. */
int analysis_json_left_out(uint64_t nr_events, uint64_t most_events, struct analysis_json *out);

/* About how many events a trace of @duration_ns has whose first @nr_read are its first @read_ns. */
uint64_t analysis_guess_events(uint64_t duration_ns, uint64_t nr_read, uint64_t read_ns);
void analysis_json_free(struct analysis_json *json);

#endif /* ANNOT_ANALYSIS_JSON_H */
