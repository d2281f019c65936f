// SPDX-License-Identifier: GPL-2.0
#include "report/catalogue.h"

#include "report/analysis_list.h"

static const struct catalogue_entry *entry_of(const struct analysis_desc *desc,
					      enum finding_kind kind)
{
	for (const struct catalogue_entry *entry = desc->catalogue; entry && entry->title;
	     entry++) {
		if (entry->kind == kind)
			return entry;
	}
	return NULL;
}

const struct catalogue_entry *catalogue_entry(enum finding_kind kind)
{
	for (const struct analysis_desc *const *desc = analysis_descs(); *desc; desc++) {
		const struct catalogue_entry *entry = entry_of(*desc, kind);

		if (entry)
			return entry;
	}
	return NULL;
}
