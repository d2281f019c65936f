// SPDX-License-Identifier: GPL-2.0
#include "report/address_label.h"

#include <inttypes.h>

struct symbols *place_symbols(const struct insights *insights)
{
	return insights->names_addresses ? symbols_new(insights->model) : NULL;
}

static struct place_text text_of(const struct model *model, const struct symbol_place *place,
				 uint64_t address)
{
	struct place_text text = { .symbol = NULL };

	snprintf(text.text, sizeof(text.text), "0x%" PRIx64, address);
	if (!place)
		return text;
	text.object = trace_string(model->trace, place->object);
	if (place->line != TRACE_NO_STRING)
		text.line = trace_string(model->trace, place->line);
	if (!place->known)
		return text;
	text.symbol = trace_string(model->trace, place->symbol);
	snprintf(text.text, sizeof(text.text), "%.80s+0x%" PRIx64, text.symbol, place->offset);
	return text;
}

struct place_text place_of_code(const struct model *model, struct symbols *symbols, size_t sample)
{
	struct symbol_place place;

	if (!symbols)
		return text_of(model, NULL, model->samples.ip[sample]);
	place = symbols_of_code(symbols, sample, true);
	return text_of(model, &place, model->samples.ip[sample]);
}

struct place_text place_of_data(const struct model *model, struct symbols *symbols, size_t sample)
{
	struct symbol_place place;

	if (!symbols)
		return text_of(model, NULL, model->samples.addr[sample]);
	place = symbols_of_data(symbols, sample);
	return text_of(model, &place, model->samples.addr[sample]);
}

/* What is named lies @back bytes before what @text names. */
static void step_back(struct place_text *text, const struct symbol_place *place, uint64_t back)
{
	if (place->offset >= back)
		snprintf(text->text, sizeof(text->text), "%.80s+0x%" PRIx64, text->symbol,
			 place->offset - back);
	else
		snprintf(text->text, sizeof(text->text), "%.80s-0x%" PRIx64, text->symbol,
			 back - place->offset);
}

struct place_text place_of_line(const struct model *model, struct symbols *symbols, size_t sample,
				uint64_t address)
{
	struct symbol_place place;
	struct place_text text;

	if (!symbols)
		return text_of(model, NULL, address);
	place = symbols_of_data(symbols, sample);
	text = text_of(model, &place, address);
	if (text.symbol)
		step_back(&text, &place, model->samples.addr[sample] - address);
	return text;
}

static void key_text(struct json *json, const char *key, const char *text)
{
	json_key(json, key);
	if (text)
		json_string(json, text);
	else
		json_null(json);
}

void place_json(struct json *json, const struct place_text *place)
{
	key_text(json, "symbol", place->symbol);
	key_text(json, "object", place->object);
	key_text(json, "line", place->line);
}
