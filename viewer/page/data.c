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

/* So large may the overview be, before base64; it gives up detail for that, as far as it can. */
#define OVERVIEW_BYTES 262144
#define EVENTS_PER_OVERVIEW_BYTE 6

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

static uint64_t most_overview_bytes(const struct model *rest)
{
	uint64_t most = trace_info(rest->trace)->nr_events / EVENTS_PER_OVERVIEW_BYTE;

	return most > OVERVIEW_BYTES ? most : OVERVIEW_BYTES;
}

static int pack_overview(struct page_data *data, const struct model *rest,
			 struct packed_block *packed)
{
	uint64_t most = most_overview_bytes(rest);
	struct block block = { 0 };
	int status;

	do {
		free(packed->bytes);
		overview_write(data->overview, rest, &block);
		status = block_pack(&block, packed);
	} while (!status && packed->nr_bytes > most && overview_widen(data->overview));
	block_free(&block);
	return status;
}

static int pack_rest(const struct model *rest, struct packed_block *packed)
{
	struct block block = { 0 };
	int status = 0;

	tables_put_rest(&block, rest);
	if (!block_is_empty(&block))
		status = block_pack(&block, packed);
	block_free(&block);
	return status;
}

int page_data_write_head(struct page_data *data, const struct model *rest, const char *title,
			 FILE *out)
{
	bool has_overview = data->nr_packed > 1;
	struct packed_block overview = { 0 }, loose = { 0 };
	int status = pack_rest(rest, &loose);

	summary_add_rest(&data->summary, rest);
	overview_add(data->overview, rest);
	if (!status && has_overview)
		status = pack_overview(data, rest, &overview);
	if (!status) {
		head_write(rest, &data->summary, has_overview ? data->overview : NULL, title, out);
		if (has_overview)
			packed_block_write(&overview, "annot-overview", out);
		if (loose.nr_bytes)
			packed_block_write(&loose, "annot-rest", out);
	}
	free(overview.bytes);
	free(loose.bytes);
	return status;
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
