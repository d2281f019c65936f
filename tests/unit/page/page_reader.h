/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads back what viewer/page wrote, knowing only the description in viewer/page/data.h.
 */
#ifndef TEST_PAGE_READER_H
#define TEST_PAGE_READER_H

#include <stddef.h>
#include <stdint.h>

struct page_bytes {
	uint8_t *bytes; /* the caller frees them */
	size_t nr;
};

/* The inflated bytes of the block of that @id; fails the test when there is none. */
struct page_bytes page_reader_block(const char *page, const char *id);

int page_reader_nr_blocks(const char *page);

/* Takes a varint, and moves @at behind it. */
uint64_t page_reader_varint(const uint8_t **at);
int64_t page_reader_zigzag(const uint8_t **at);

#endif /* TEST_PAGE_READER_H */
