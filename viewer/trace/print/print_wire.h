/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What an event printer (event_printer.h) and its child say to each other over a socket, in the machine's own
 * byte order. A request is a head and what follows it; the child answers all of it, in order.
 */
#ifndef ANNOT_TRACE_PRINT_PRINT_WIRE_H
#define ANNOT_TRACE_PRINT_PRINT_WIRE_H

#include <stdint.h>

enum print_request_kind {
	PRINT_FILTER, /* "system/event:expression"; the answer is what is wrong with it, or empty */
	PRINT_RECORDS, /* records, each with its head; an answer to each */
};

struct print_request {
	uint32_t kind;
	uint32_t nr; /* records */
	uint32_t nr_bytes; /* that follow */
};

/* Followed by its bytes. */
struct print_record {
	uint64_t time_ns;
	int32_t cpu;
	uint32_t nr_bytes;
};

/* Followed by its bytes, unless no filter lets the record pass. */
struct print_answer {
	uint32_t nr_bytes; /* PRINT_FILTERED: none */
};

#define PRINT_FILTERED UINT32_MAX
#define PRINT_MOST_TEXT_BYTES 4096 /* what is longer is cut */
#define PRINT_MOST_REQUEST_BYTES (1024 * 1024)

#endif /* ANNOT_TRACE_PRINT_PRINT_WIRE_H */
