// SPDX-License-Identifier: GPL-2.0
#include "report/samples/address_label.h"

#include <inttypes.h>
#include <string.h>

#include "symbols/data/live_objects.h"
#include "symbols/data/thread_locals.h"

struct symbols *address_label_symbols(const struct analyses *analyses)
{
	if (!*analyses->symbols && analyses->names_addresses)
		*analyses->symbols = symbols_new(analyses->model);
	return *analyses->symbols;
}

static struct address_label text_of(const struct model *model, const struct symbol_location *place,
				    uint64_t address)
{
	struct address_label text = { .symbol = NULL };

	snprintf(text.text, sizeof(text.text), "0x%" PRIx64, address);
	if (!place)
		return text;
	if (place->object != TRACE_NO_STRING)
		text.object = trace_string(model->trace, place->object);
	if (place->line != TRACE_NO_STRING)
		text.line = trace_string(model->trace, place->line);
	if (!place->known)
		return text;
	text.symbol = trace_string(model->trace, place->symbol);
	snprintf(text.text, sizeof(text.text), "%.80s+0x%" PRIx64, text.symbol, place->offset);
	return text;
}

struct address_label address_label_code(const struct model *model, struct symbols *symbols,
					size_t sample)
{
	struct symbol_location place;

	if (!symbols)
		return text_of(model, NULL, model->samples.ip[sample]);
	place = symbols_of_code(symbols, sample, true);
	return text_of(model, &place, model->samples.ip[sample]);
}

/* Of memory that the program named: it has the object's name in place of a symbol, and is of no file. */
static bool find_named(const struct model *model, struct symbols *symbols, size_t sample,
		       bool with_field, struct symbol_location *place)
{
	size_t row = live_object_of_sample(model, sample);

	if (row == SIZE_MAX || model->data_objects.owner_tid[row])
		return false;
	*place = symbols_of_object(symbols, row, model->samples.addr[sample], with_field);
	return true;
}

/* A name that is too long stays that of the variable. */
static void name_field(struct address_label *text, const struct trace *trace,
		       const struct symbol_location *place)
{
	char name[sizeof(text->text)], remainder[24] = "";
	int bytes;

	if (place->field_offset)
		snprintf(remainder, sizeof(remainder), "+0x%" PRIx64, place->field_offset);
	bytes = snprintf(name, sizeof(name), "%s%s%s", text->symbol,
			 trace_string(trace, place->field), remainder);
	text->has_field = bytes > 0 && (size_t)bytes < sizeof(name);
	if (text->has_field)
		memcpy(text->text, name, (size_t)bytes + 1);
}

struct address_label address_label_data(const struct model *model, struct symbols *symbols,
					size_t sample)
{
	struct symbol_location place;
	struct address_label text;

	if (!symbols)
		return text_of(model, NULL, model->samples.addr[sample]);
	if (!find_named(model, symbols, sample, true, &place))
		place = symbols_of_data(symbols, sample, true);
	text = text_of(model, &place, model->samples.addr[sample]);
	if (place.has_field)
		name_field(&text, model->trace, &place);
	return text;
}

/* What is named lies @back bytes before what @text names. */
static void step_back(struct address_label *text, const struct symbol_location *place,
		      uint64_t back)
{
	if (place->offset >= back)
		snprintf(text->text, sizeof(text->text), "%.80s+0x%" PRIx64, text->symbol,
			 place->offset - back);
	else
		snprintf(text->text, sizeof(text->text), "%.80s-0x%" PRIx64, text->symbol,
			 back - place->offset);
}

/* Of a thread-local variable. The thread is left out if there is no room. */
static void name_owner(struct address_label *text, const struct symbol_location *place)
{
	size_t bytes = strlen(text->text), room = sizeof(text->text) - bytes;

	if (!text->symbol || !place->owner_tid)
		return;
	if (snprintf(text->text + bytes, room, THREAD_LOCAL_OF, place->owner_tid) >= (int)room)
		text->text[bytes] = '\0';
}

struct address_label address_label_line(const struct model *model, struct symbols *symbols,
					size_t sample, uint64_t address)
{
	struct symbol_location place;
	struct address_label text;

	if (!symbols)
		return text_of(model, NULL, address);
	if (!find_named(model, symbols, sample, false, &place))
		place = symbols_of_data(symbols, sample, false);
	text = text_of(model, &place, address);
	if (text.symbol)
		step_back(&text, &place, model->samples.addr[sample] - address);
	name_owner(&text, &place);
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

void address_label_json(struct json *json, const struct address_label *place)
{
	key_text(json, "symbol", place->symbol);
	key_text(json, "object", place->object);
	key_text(json, "line", place->line);
}
