// SPDX-License-Identifier: GPL-2.0
#include "trace/file/recover_v7.h"

#include <stdlib.h>
#include <string.h>

#include "trace/file/sections.h"

#define CHUNK_MAX_BYTES (64u * 1024 * 1024)

/* Where the data of the CPUs are looked for, one after the other. */
struct cut_data {
	struct trace_file *file;
	struct input *input;
	const struct recover_v7_cpus *cpus;
	uint64_t at;
	uint64_t end;
	int next_cpu;
};

static uint64_t number_behind(const char *text, const char *key)
{
	const char *found = strstr(text, key);

	return found ? strtoull(found + strlen(key), NULL, 10) : 0;
}

int recover_v7_cpu_stat_read(struct recover_v7_cpus *cpus, struct input *options, uint32_t size)
{
	uint64_t cpu;
	char *text;

	options->what = "figures of a CPU";
	text = input_blob(options, size);
	if (!text)
		return -1;
	cpu = number_behind(text, "CPU: ");
	if (cpu < TRACE_FILE_MAX_CPUS)
		cpus->empty[cpu] = !number_behind(text, "\nentries: ") &&
				   !number_behind(text, "\nread events: ");
	free(text);
	return 0;
}

/* The data of each CPU begin at a whole page of the file. */
static void align_data(struct cut_data *data)
{
	uint32_t rest = (uint32_t)(data->at % data->file->page_bytes);

	if (rest)
		data->at += data->file->page_bytes - rest;
}

/* A CPU without recorded data takes no room. */
static void pass_empty_cpus(struct cut_data *data)
{
	while (data->next_cpu < TRACE_FILE_MAX_CPUS && data->cpus->empty[data->next_cpu])
		data->next_cpu++;
}

static int add_cpu(struct cut_data *data, uint64_t start, bool compressed)
{
	struct cpu_data cpu = {
		.offset = start,
		.size = data->at - start,
		.compressed = compressed,
	};

	pass_empty_cpus(data);
	if (data->cpus->nr && (uint32_t)data->next_cpu >= data->cpus->nr)
		return input_damaged(data->input, "data of more CPUs than there are");
	cpu.cpu = data->next_cpu++;
	return sections_cpu_data_add(data->file, data->input, cpu);
}

/* Steps over a chunk. Returns 1, 0 where none is whole, -1. */
static int pass_chunk(struct cut_data *data)
{
	uint32_t in_size, out_size;

	if (data->end - data->at < 8)
		return 0;
	if (input_seek(data->input, data->at, "data") || input_u32(data->input, &in_size) ||
	    input_u32(data->input, &out_size))
		return -1;
	if (!out_size || out_size > CHUNK_MAX_BYTES || out_size % data->file->page_bytes)
		return input_damaged(data->input, "a chunk does not consist of whole pages");
	if (in_size > data->end - data->at - 8)
		return 0;
	data->at += 8 + in_size;
	return 1;
}

/*
 * The number of chunks precedes them but is written last. Without it, it is not known which data of
 * this CPU are complete.
 */
static int find_compressed(struct cut_data *data)
{
	for (align_data(data); data->at < data->end && data->end - data->at >= 4;
	     align_data(data)) {
		uint64_t start = data->at;
		uint32_t nr_chunks;
		int got = 1;

		if (input_seek(data->input, data->at, "data") || input_u32(data->input, &nr_chunks))
			return -1;
		data->at += 4;
		if (!nr_chunks)
			return 0;
		while (nr_chunks && got > 0) {
			got = pass_chunk(data);
			nr_chunks--;
		}
		if (got < 0 || add_cpu(data, start, true))
			return -1;
		if (!got)
			return 0;
	}
	return 0;
}

/* Within a CPU, time does not run back: where it does, the next one's pages begin. */
static int find_plain(struct cut_data *data)
{
	uint32_t page_bytes = data->file->page_bytes;
	uint64_t start, before = 0;

	align_data(data);
	for (start = data->at; data->at < data->end && data->end - data->at >= page_bytes;
	     data->at += page_bytes) {
		uint64_t time;

		if (input_seek(data->input, data->at, "data") || input_u64(data->input, &time))
			return -1;
		if (time < before) {
			if (add_cpu(data, start, false))
				return -1;
			start = data->at;
		}
		before = time;
	}
	return data->at > start ? add_cpu(data, start, false) : 0;
}

int recover_v7_buffer_add(struct trace_file *file, struct input *input,
			  const struct recover_v7_cpus *cpus, uint64_t start, uint64_t end,
			  bool compressed)
{
	struct cut_data data = {
		.file = file,
		.input = input,
		.cpus = cpus,
		.at = start,
		.end = end,
	};

	if (sections_buffer_add(file, input, "", "", file->page_bytes))
		return -1;
	if (compressed ? find_compressed(&data) : find_plain(&data))
		return -1;
	file->truncated = true;
	file->cpus_guessed = true;
	return 0;
}

int recover_v7_cpus_check(const struct trace_file *file, struct input *input,
			  const struct recover_v7_cpus *cpus)
{
	uint32_t nr = 0;

	for (uint32_t cpu = 0; cpu < cpus->nr && cpu < TRACE_FILE_MAX_CPUS; cpu++)
		nr += !cpus->empty[cpu];
	if (nr > (uint32_t)file->nr_cpus)
		return input_damaged(input, "the file does not say which data belong to which CPU");
	return 0;
}
