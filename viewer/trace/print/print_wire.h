/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What an event printer (event_printer.h) and its child share: memory for one request and its answers, in the
 * machine's own byte order. A byte on their socket says that the request is there, one in return that all of it
 * is answered. Should the child crash, the answers that it had given are still there.
 */
#ifndef ANNOT_TRACE_PRINT_PRINT_WIRE_H
#define ANNOT_TRACE_PRINT_PRINT_WIRE_H

#include <stdint.h>

#define PRINT_MOST_TEXT_BYTES 4096 /* what is longer is cut */
#define PRINT_MOST_RECORD_BYTES 65536 /* what is longer is cut */
#define PRINT_MOST_RECORDS 1024 /* of a request */
#define PRINT_REQUEST_BYTES (2 * PRINT_MOST_RECORD_BYTES)
#define PRINT_FILTERED UINT32_MAX

enum print_request_kind {
	PRINT_FILTER, /* "system/event:expression"; the answer is what is wrong with it, or empty */
	PRINT_RECORDS, /* records, each with its head; an answer to each */
};

/* Followed by its bytes. */
struct print_record {
	uint64_t time_ns;
	int32_t cpu;
	uint32_t nr_bytes;
};

/* Answer i has nr_bytes[i] bytes, or is PRINT_FILTERED and has none; they follow each other in texts. */
struct print_area {
	uint32_t kind;
	uint32_t nr; /* records; 1 for a filter */
	uint32_t nr_request_bytes;
	uint32_t nr_answers; /* so far */
	uint32_t nr_bytes[PRINT_MOST_RECORDS];
	uint8_t request[PRINT_REQUEST_BYTES];
	char texts[PRINT_MOST_RECORDS * PRINT_MOST_TEXT_BYTES];
};

#endif /* ANNOT_TRACE_PRINT_PRINT_WIRE_H */
