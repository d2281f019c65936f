/* SPDX-License-Identifier: MIT */
/* The messages of NVTX as names. */
#ifndef LIBANNOT_ATTACH_NVTX_TEXT_H
#define LIBANNOT_ATTACH_NVTX_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <wchar.h>

#define NVTX_TEXT_BYTES 256

/* What is behind a name. */
struct nvtx_number {
	bool is_there;
	int64_t value;
};

/* As UTF-8. What is not a character of Unicode becomes '?'. */
void nvtx_text_of_wide(char text[NVTX_TEXT_BYTES], const wchar_t *wide);

/*
 * PyTorch numbers its operations: "aten::mul, seq = 5, op_id = 7". Of that, "aten::mul" is the name, and the first
 * number its value: else each operation would have a name of its own.
 */
struct nvtx_number nvtx_text_cut_number(char text[NVTX_TEXT_BYTES]);

#endif /* LIBANNOT_ATTACH_NVTX_TEXT_H */
