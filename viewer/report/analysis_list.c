// SPDX-License-Identifier: GPL-2.0
#include "report/analysis_list.h"

#define ANALYSIS_POINTER(name) &name##_analysis,
static const struct analysis_desc *const descs[] = { ANALYSIS_EACH(ANALYSIS_POINTER) NULL };

const struct analysis_desc *const *analysis_descs(void)
{
	return descs;
}
