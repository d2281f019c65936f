// SPDX-License-Identifier: GPL-2.0
#include "analysis/topdown/finding_places.h"

#include <string.h>

void finding_places_say(const struct finding_places *places, const struct places_question *question,
			char text[FINDING_PLACES_BYTES])
{
	static const char before[] = "; ";
	size_t nr = strlen(before);

	memcpy(text, before, sizeof(before));
	if (places)
		places->say(places->context, question, text + nr, FINDING_PLACES_BYTES - nr);
	if (!text[nr])
		text[0] = '\0';
}
