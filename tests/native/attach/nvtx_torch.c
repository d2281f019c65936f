// SPDX-License-Identifier: GPL-2.0
/* As PyTorch names its operations: with a number for each. It has a copy of NVTX of its own. */
#include "mini_nvtx.h"
#include "truth.h"

#define OPERATIONS 10000 /* more than there is room for names */

void torch_speaks(void);

void torch_speaks(void)
{
	char text[64];

	mini_nvtx_init();
	for (int i = 0; i < OPERATIONS; i++) {
		snprintf(text, sizeof(text),
			 i % 2 ? "aten::mul, seq = %d, op_id = 7" : "aten::add, op_id = %d", i);
		TRUTH_CALL(nvtxRangePushA(text));
		truth_value('B', i % 2 ? "aten::mul" : "aten::add", i);
		TRUTH_CALL(nvtxRangePop());
		truth('E', "");
	}
}
