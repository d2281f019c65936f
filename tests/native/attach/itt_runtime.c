// SPDX-License-Identifier: GPL-2.0
/* An OpenMP runtime, as far as ITT goes: a copy of ittnotify of its own. */
#include "mini_itt.h"
#include "truth.h"

void runtime_speaks(void);

void runtime_speaks(void)
{
	static int barrier;

	mini_itt_init();
	MINI_ITT(sync_create, &barrier, "OMP Barrier", "", 0);
	TRUTH_CALL(MINI_ITT(sync_prepare, &barrier));
	if (!getenv("RUNTIME_IS_SILENT"))
		truth_text('W', TRUTH_ANY_VALUE, "wait OMP Barrier");
	TRUTH_CALL(MINI_ITT(sync_acquired, &barrier));
	if (!getenv("RUNTIME_IS_SILENT"))
		truth('E', "");
}
