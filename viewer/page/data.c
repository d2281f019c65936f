// SPDX-License-Identifier: GPL-2.0
#include "page/data.h"

#include <inttypes.h>
#include <stdlib.h>

#include "model/table_rows.h"
#include "page/block.h"
#include "page/head.h"
#include "page/messages.h"
#include "page/overview/levels.h"
#include "page/packer.h"
#include "page/summary.h"
#include "page/tables.h"
#include "util/diag.h"
#include "util/xalloc.h"

#define WINDOW_ID_BYTES 40

struct page_data {
	struct page_summary summary;
	struct overview *overview;
	/* Once all is there. What is empty is not in the page. */
	struct overview_levels levels;
	struct packed_block rest;
	struct page_messages messages;
	struct block block; /* of the current window */
	struct packer *packer; /* of the windows */
	size_t nr_packed; /* windows, once all are there */
	const struct packed_block *packed;
	uint64_t most_bytes; /* 0: no limit */
};

struct page_data *page_data_new(uint64_t duration_hint_ns, uint64_t nr_events_hint)
{
	struct page_data *data = xcalloc(1, sizeof(*data));

	data->packer = packer_new();
	data->overview = overview_new(duration_hint_ns, nr_events_hint);
	return data;
}

void page_data_free(struct page_data *data)
{
	packer_free(data->packer);
	block_free(&data->block);
	page_messages_free(&data->messages);
	summary_free(&data->summary);
	overview_free(data->overview);
	overview_levels_free(&data->levels);
	free(data->rest.bytes);
	free(data);
}

void page_data_set_messages(struct page_data *data, const struct message_table *messages)
{
	data->messages.all = messages;
}

/* They count as rows of the last window. */
static void put_messages(struct page_data *data, uint64_t to_ns)
{
	struct page_summary *summary = &data->summary;
	struct message_table messages = { 0 };

	page_messages_take_window(&data->messages, to_ns, &messages);
	tables_put_messages(&data->block, &messages);
	summary->windows[summary->nr_windows - 1].nr_rows += messages.nr;
	message_table_free(&messages);
}

void page_data_take(void *context, const struct model *window, uint64_t from_ns, uint64_t to_ns)
{
	struct page_data *data = context;

	summary_add_window(&data->summary, window, from_ns);
	overview_add(data->overview, window);
	tables_put_window(&data->block, window);
	put_messages(data, to_ns);
	packer_put(data->packer, &data->block);
}

uint64_t page_data_step_ns(const struct page_data *data)
{
	return overview_bucket_ns(data->overview);
}

void page_data_take_state(void *context, uint32_t thread, enum thread_state state,
			  uint64_t start_ns, uint64_t end_ns)
{
	struct page_data *data = context;

	overview_add_state(data->overview, thread, state, start_ns, end_ns);
}

void page_data_end_strings(struct page_data *data, const struct trace *trace)
{
	data->summary.nr_strings = trace_nr_strings(trace);
}

static int pack_rest(struct page_data *data, const struct model *rest)
{
	struct block block = { 0 };
	int status = 0;

	tables_put_rest(&block, rest);
	tables_put_messages(&block, page_messages_take_rest(&data->messages));
	if (!block_is_empty(&block))
		status = block_pack(&block, &data->rest);
	block_free(&block);
	return status;
}

void page_data_limit(struct page_data *data, uint64_t most_bytes)
{
	data->most_bytes = most_bytes;
}

static void write_front(const struct page_data *data, const struct model *rest, const char *title,
			FILE *out)
{
	head_write(rest, &data->summary, &data->levels, title, out);
	if (data->levels.first.block.nr_bytes)
		packed_block_write(&data->levels.first.block, "annot-overview", out);
	if (data->rest.nr_bytes)
		packed_block_write(&data->rest, "annot-rest", out);
}

static void write_fine_overview(const struct page_data *data, FILE *out)
{
	if (data->levels.fine.block.nr_bytes)
		packed_block_write(&data->levels.fine.block, "annot-overview-fine", out);
}

/* How much is written but for the windows; UINT64_MAX when memory ran out. */
static uint64_t bytes_without_windows(const struct page_data *data, const struct model *rest,
				      const char *title)
{
	char *text = NULL;
	size_t nr = 0;
	FILE *out = open_memstream(&text, &nr);
	bool failed;

	if (!out)
		return UINT64_MAX;
	write_front(data, rest, title, out);
	write_fine_overview(data, out);
	failed = fclose(out) != 0;
	free(text);
	return failed ? UINT64_MAX : nr;
}

static int compare_windows(const void *a, const void *b)
{
	const struct window_summary *const *first = a, *const *second = b;

	if ((*first)->nr_annotations != (*second)->nr_annotations)
		return (*first)->nr_annotations > (*second)->nr_annotations ? -1 : 1;
	return *first < *second ? -1 : *first > *second;
}

static void name_window(char id[WINDOW_ID_BYTES], size_t window)
{
	snprintf(id, WINDOW_ID_BYTES, "annot-block-%zu", window);
}

/* All are left out so far: takes back what fits. Returns how many stay out. */
static size_t take_back(struct page_data *data, uint64_t most_bytes)
{
	struct window_summary *windows = data->summary.windows;
	struct window_summary **order = xcalloc(data->nr_packed + 1,
						sizeof(struct window_summary *));
	size_t nr_left_out = data->nr_packed;
	char id[WINDOW_ID_BYTES];

	for (size_t i = 0; i < data->nr_packed; i++)
		order[i] = &windows[i];
	qsort(order, data->nr_packed, sizeof(struct window_summary *), compare_windows);
	for (size_t i = 0; i < data->nr_packed; i++) {
		size_t window = (size_t)(order[i] - windows);
		uint64_t nr_bytes;

		name_window(id, window);
		nr_bytes = packed_block_bytes(&data->packed[window], id);

		if (nr_bytes > most_bytes)
			continue;
		most_bytes -= nr_bytes;
		windows[window].is_left_out = false;
		nr_left_out--;
	}
	free(order);
	return nr_left_out;
}

/* The same, after the fine overview was dropped if there is no place for it. */
static uint64_t keep_fine_overview(struct page_data *data, const struct model *rest,
				   const char *title)
{
	uint64_t nr_bytes = bytes_without_windows(data, rest, title);

	if (nr_bytes <= data->most_bytes || !data->levels.fine.block.nr_bytes)
		return nr_bytes;
	diag_warn("%s: the page would exceed --max-bytes: its overview is coarse",
		  trace_info(rest->trace)->path);
	overview_level_drop(&data->levels.fine);
	return bytes_without_windows(data, rest, title);
}

static int keep_to_limit(struct page_data *data, const struct model *rest, const char *title)
{
	uint64_t nr_bytes;
	size_t nr_left_out;

	for (size_t i = 0; i < data->nr_packed; i++)
		data->summary.windows[i].is_left_out = true;
	nr_bytes = keep_fine_overview(data, rest, title);
	if (nr_bytes > data->most_bytes)
		return diag_error("%s: the page exceeds --max-bytes by %" PRIu64
				  " bytes, even without any detail",
				  trace_info(rest->trace)->path, nr_bytes - data->most_bytes);
	nr_left_out = take_back(data, data->most_bytes - nr_bytes);
	if (nr_left_out)
		diag_warn("%s: the page would exceed --max-bytes: it lacks the detail of %zu of "
			  "%zu windows of time",
			  trace_info(rest->trace)->path, nr_left_out, data->nr_packed);
	return 0;
}

static int pack_all(struct page_data *data, const struct model *rest, const char *title)
{
	bool has_overview;

	if (packer_wait(data->packer, &data->packed, &data->nr_packed) < 0)
		return diag_error("not enough memory for the page");
	has_overview = data->nr_packed > 1 || data->most_bytes;
	summary_add_rest(&data->summary, rest);
	overview_add(data->overview, rest);
	if (pack_rest(data, rest) ||
	    (has_overview && overview_levels_pack(&data->levels, data->overview, rest)))
		return diag_error("not enough memory for the page");
	return data->most_bytes ? keep_to_limit(data, rest, title) : 0;
}

int page_data_write_head(struct page_data *data, const struct model *rest, const char *title,
			 FILE *out)
{
	int status = pack_all(data, rest, title);

	if (!status)
		write_front(data, rest, title, out);
	return status;
}

void page_data_write_windows(const struct page_data *data, FILE *out)
{
	char id[WINDOW_ID_BYTES];

	write_fine_overview(data, out);
	for (size_t i = 0; i < data->nr_packed; i++) {
		if (data->summary.windows[i].is_left_out)
			continue;
		name_window(id, i);
		packed_block_write(&data->packed[i], id, out);
	}
}
