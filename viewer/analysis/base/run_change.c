// SPDX-License-Identifier: GPL-2.0
#include "analysis/base/run_change.h"

const char *run_change_name(enum run_change_kind kind)
{
	static const char *const names[NR_RUN_CHANGES] = { [CHANGE_NONE] = "none",
#define RUN_CHANGE_NAME(kind, name) [CHANGE_##kind] = name,
							   RUN_CHANGE_EACH(RUN_CHANGE_NAME)
#undef RUN_CHANGE_NAME
	};

	return names[kind];
}
