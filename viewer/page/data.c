// SPDX-License-Identifier: GPL-2.0
#include "page/data.h"

#include <stdlib.h>

#include "model/columns.h"
#include "page/block.h"
#include "page/head.h"
#include "page/overview.h"
#include "page/summary.h"
#include "page/tables.h"
#include "util/xalloc.h"

struct page_data {
	struct page_summary summary;
	struct overview *overview;
	struct block block; /* of the window at hand */
	size_t nr_packed;
	struct packed_block *packed;
	bool out_of_memory;
};

struct page_data *page_data_new(uint64_t duration_hint_ns, uint64_t nr_events_hint)
{
	struct page_data *data = xcalloc(1, sizeof(*data));

	data->overview = overview_new(duration_hint_ns, nr_events_hint);
	return data;
}

void page_data_free(struct page_data *data)
{
	for (size_t i = 0; i < data->nr_packed; i++)
		free(data->packed[i].bytes);
	free(data->packed);
	block_free(&data->block);
	summary_free(&data->summary);
	overview_free(data->overview);
	free(data);
}

void page_data_take(void *context, const struct model *window, uint64_t from_ns, uint64_t to_ns)
{
	struct page_data *data = context;
	size_t at = data->nr_packed;

	(void)to_ns;
	summary_add_window(&data->summary, window, from_ns);
	overview_add(data->overview, window);
	tables_put_window(&data->block, window);
	if (column_is_full(at))
		data->packed = column_grow(data->packed, at, sizeof(*data->packed));
	data->packed[at] = (struct packed_block){ 0 };
	data->nr_packed++;
	if (block_pack(&data->block, &data->packed[at]) < 0)
		data->out_of_memory = true;
}

/* Nothing if @block is empty; frees it. */
static int write_block(struct block *block, const char *id, FILE *out)
{
	struct packed_block packed = { 0 };
	int status = 0;

	if (!block_is_empty(block)) {
		status = block_pack(block, &packed);
		if (!status)
			packed_block_write(&packed, id, out);
	}
	free(packed.bytes);
	block_free(block);
	return status;
}

static int write_overview(struct page_data *data, const struct model *rest, FILE *out)
{
	struct block block = { 0 };

	if (data->nr_packed < 2)
		return 0;
	overview_write(data->overview, rest, &block);
	return write_block(&block, "annot-overview", out);
}

static int write_rest(const struct model *rest, FILE *out)
{
	struct block block = { 0 };

	tables_put_rest(&block, rest);
	return write_block(&block, "annot-rest", out);
}

int page_data_write_head(struct page_data *data, const struct model *rest, const char *title,
			 FILE *out)
{
	summary_add_rest(&data->summary, rest);
	overview_add(data->overview, rest);
	head_write(rest, &data->summary, data->nr_packed < 2 ? NULL : data->overview, title, out);
	if (write_overview(data, rest, out) < 0)
		return -1;
	return write_rest(rest, out);
}

int page_data_write_windows(const struct page_data *data, FILE *out)
{
	char id[40];

	if (data->out_of_memory)
		return -1;
	for (size_t i = 0; i < data->nr_packed; i++) {
		snprintf(id, sizeof(id), "annot-block-%zu", i);
		packed_block_write(&data->packed[i], id, out);
	}
	return 0;
}
