// SPDX-License-Identifier: GPL-2.0
#include "trace/file/readahead.h"

#include <pthread.h>
#include <stdlib.h>

#include "util/worker.h"
#include "util/xalloc.h"

#define MAX_WORKERS 8
#define MAX_RUN_BLOCKS 8
#define READAHEAD_BLOCK_BYTES (128u * 1024) /* what is larger is not read ahead */
#define READAHEAD_BYTES (128u * 1024 * 1024) /* of all CPUs together */

/* A page for each CPU is in memory; a damaged file may have as many CPUs as it likes. */
#define PAGES_MIN_BYTES (64u * 1024 * 1024)
#define PAGES_PER_FILE_BYTE 256u

enum run_state {
	RUN_IDLE,
	RUN_QUEUED,
	RUN_UNDER_WAY,
};

/* Some blocks of a CPU that are read at one go. State and next are guarded by the lock of readahead. */
struct run {
	enum run_state state;
	struct run *next; /* in the queue */
	struct block_source *source;
	int max_blocks;
	int nr_blocks;
	int at; /* the next block to hand out */
	enum block_status last; /* what came of the last block; the others were read */
	struct block blocks[MAX_RUN_BLOCKS];
};

struct readahead {
	pthread_mutex_t lock;
	pthread_cond_t queued; /* or told to stop */
	pthread_cond_t done;
	struct run *first;
	struct run *last;
	bool stop;
	int max_blocks; /* of a run */
	int nr_workers;
	struct worker {
		struct readahead *readahead;
		struct decompressor *decompressor;
		pthread_t thread;
	} workers[MAX_WORKERS];
};

/* While one run is handed out, the other one is filled. */
struct readahead_stream {
	struct trace_file *file;
	struct readahead *readahead; /* NULL: each block is read when it is asked for */
	struct block_source source;
	size_t counted_bytes; /* in file->pages_bytes */
	struct block block; /* that was read when it was asked for */
	struct run *current; /* NULL: nothing is read ahead */
	struct run *other;
};

static void fill_run(struct run *run, struct decompressor *decompressor)
{
	run->nr_blocks = 0;
	run->at = 0;
	do {
		run->last = block_read(run->source, decompressor, READAHEAD_BLOCK_BYTES,
				       &run->blocks[run->nr_blocks++]);
	} while (run->last == BLOCK_READ && run->nr_blocks < run->max_blocks);
}

static struct run *take_first(struct readahead *readahead)
{
	struct run *run = readahead->first;

	readahead->first = run->next;
	if (!readahead->first)
		readahead->last = NULL;
	run->state = RUN_UNDER_WAY;
	return run;
}

static void *work_thread(void *context)
{
	struct worker *worker = context;
	struct readahead *readahead = worker->readahead;

	pthread_mutex_lock(&readahead->lock);
	for (;;) {
		struct run *run;

		while (!readahead->first && !readahead->stop)
			pthread_cond_wait(&readahead->queued, &readahead->lock);
		if (readahead->stop)
			break;
		run = take_first(readahead);
		pthread_mutex_unlock(&readahead->lock);
		fill_run(run, worker->decompressor);
		pthread_mutex_lock(&readahead->lock);
		run->state = RUN_IDLE;
		pthread_cond_signal(&readahead->done);
	}
	pthread_mutex_unlock(&readahead->lock);
	return NULL;
}

static int nr_compressed(const struct trace_file *file)
{
	int nr = 0;

	for (int i = 0; i < file->nr_cpus; i++)
		nr += file->cpus[i].compressed && file->cpus[i].size;
	return nr;
}

int readahead_nr_workers(const struct trace_file *file)
{
	/* One core is for the thread that asks. */
	int nr = nr_compressed(file), nr_others = worker_nr_cores() - 1;

	if (nr > nr_others)
		nr = nr_others;
	return nr < MAX_WORKERS ? nr : MAX_WORKERS;
}

static int start_worker(struct readahead *readahead, const struct trace_file *file)
{
	struct worker *worker = &readahead->workers[readahead->nr_workers];
	int err;

	*worker = (struct worker){
		.readahead = readahead,
		.decompressor = decompressor_copy(file->decompressor),
	};
	err = worker_start(&worker->thread, work_thread, worker);
	if (err)
		decompressor_free(worker->decompressor);
	else
		readahead->nr_workers++;
	return err;
}

struct readahead *readahead_new(const struct trace_file *file, int nr_workers)
{
	/* Two runs for each CPU. */
	size_t max_blocks = READAHEAD_BYTES / READAHEAD_BLOCK_BYTES / 2 / (size_t)file->nr_cpus;
	struct readahead *readahead;

	if (nr_workers <= 0 || !max_blocks)
		return NULL;
	readahead = xcalloc(1, sizeof(*readahead));
	readahead->max_blocks = max_blocks < MAX_RUN_BLOCKS ? (int)max_blocks : MAX_RUN_BLOCKS;
	pthread_mutex_init(&readahead->lock, NULL);
	pthread_cond_init(&readahead->queued, NULL);
	pthread_cond_init(&readahead->done, NULL);
	/* Without workers, the thread that needs a run fills it. */
	for (int i = 0; i < nr_workers && i < MAX_WORKERS; i++) {
		if (start_worker(readahead, file))
			break;
	}
	return readahead;
}

void readahead_free(struct readahead *readahead)
{
	if (!readahead)
		return;
	pthread_mutex_lock(&readahead->lock);
	readahead->stop = true;
	pthread_cond_broadcast(&readahead->queued);
	pthread_mutex_unlock(&readahead->lock);
	for (int i = 0; i < readahead->nr_workers; i++) {
		pthread_join(readahead->workers[i].thread, NULL);
		decompressor_free(readahead->workers[i].decompressor);
	}
	pthread_cond_destroy(&readahead->done);
	pthread_cond_destroy(&readahead->queued);
	pthread_mutex_destroy(&readahead->lock);
	free(readahead);
}

static void start_run(struct readahead *readahead, struct run *run)
{
	pthread_mutex_lock(&readahead->lock);
	run->state = RUN_QUEUED;
	run->next = NULL;
	if (readahead->last)
		readahead->last->next = run;
	else
		readahead->first = run;
	readahead->last = run;
	pthread_cond_signal(&readahead->queued);
	pthread_mutex_unlock(&readahead->lock);
}

static void take_out(struct readahead *readahead, struct run *run)
{
	struct run **at = &readahead->first, *before = NULL;

	while (*at != run) {
		before = *at;
		at = &before->next;
	}
	*at = run->next;
	if (readahead->last == run)
		readahead->last = before;
	run->state = RUN_IDLE;
}

/* True: it was done, or is done now. False: no worker had begun it, and none will. */
static bool wait_for(struct readahead *readahead, struct run *run)
{
	bool done = true;

	pthread_mutex_lock(&readahead->lock);
	if (run->state == RUN_QUEUED) {
		take_out(readahead, run);
		done = false;
	}
	while (run->state == RUN_UNDER_WAY)
		pthread_cond_wait(&readahead->done, &readahead->lock);
	pthread_mutex_unlock(&readahead->lock);
	return done;
}

static struct run *run_new(const struct readahead *readahead, struct block_source *source)
{
	struct run *run = xcalloc(1, sizeof(*run));

	run->source = source;
	run->max_blocks = readahead->max_blocks;
	return run;
}

static void run_free(struct run *run)
{
	for (int i = 0; run && i < run->max_blocks; i++)
		free(run->blocks[i].pages);
	free(run);
}

struct readahead_stream *readahead_stream_new(struct trace_file *file, struct block_source source,
					      struct readahead *readahead)
{
	struct readahead_stream *stream = xcalloc(1, sizeof(*stream));

	stream->file = file;
	stream->readahead = source.compressed ? readahead : NULL;
	stream->source = source;
	if (stream->readahead) {
		stream->current = run_new(readahead, &stream->source);
		stream->other = run_new(readahead, &stream->source);
		start_run(readahead, stream->other);
	}
	return stream;
}

void readahead_stream_free(struct readahead_stream *stream)
{
	if (!stream)
		return;
	if (stream->readahead)
		wait_for(stream->readahead, stream->other);
	run_free(stream->current);
	run_free(stream->other);
	free(stream->block.pages);
	stream->file->pages_bytes -= stream->counted_bytes;
	free(stream);
}

/* Of how many bytes the CPU's blocks may be, all other CPUs' being as they are. */
static size_t allowed_bytes(const struct readahead_stream *stream)
{
	const struct trace_file *file = stream->file;

	return PAGES_MIN_BYTES + PAGES_PER_FILE_BYTE * file->size -
	       (file->pages_bytes - stream->counted_bytes);
}

/* Books the memory of one block for each CPU, however many there are: it is to be no matter. */
static enum block_status count_memory(struct readahead_stream *stream, enum block_status status,
				      struct block *block)
{
	if (status == BLOCK_TOO_LARGE || block->nr_bytes > allowed_bytes(stream)) {
		block->damage = "the data of its CPUs need more memory than there is";
		return BLOCK_ERROR;
	}
	if (block->nr_bytes > stream->counted_bytes) {
		stream->file->pages_bytes += block->nr_bytes - stream->counted_bytes;
		stream->counted_bytes = block->nr_bytes;
	}
	return status;
}

static enum block_status next_now(struct readahead_stream *stream, struct block **block)
{
	*block = &stream->block;
	return block_read(&stream->source, stream->file->decompressor, allowed_bytes(stream),
			  *block);
}

/* Returns the run that was filled, and starts filling the one that was used up. */
static void swap_runs(struct readahead_stream *stream)
{
	struct run *filled = stream->other;

	if (!wait_for(stream->readahead, filled))
		fill_run(filled, stream->file->decompressor);
	stream->other = stream->current;
	stream->current = filled;
	if (filled->last == BLOCK_READ)
		start_run(stream->readahead, stream->other);
}

static enum block_status next_ahead(struct readahead_stream *stream, struct block **block)
{
	struct run *run;

	if (stream->current->at == stream->current->nr_blocks)
		swap_runs(stream);
	run = stream->current;
	*block = &run->blocks[run->at++];
	return run->at < run->nr_blocks ? BLOCK_READ : run->last;
}

enum block_status readahead_stream_next(struct readahead_stream *stream, const struct block **block)
{
	enum block_status status = BLOCK_TOO_LARGE;
	struct block *next;

	if (stream->readahead)
		status = next_ahead(stream, &next);
	/* No run is under way after the one that ended so. */
	if (status != BLOCK_READ)
		stream->readahead = NULL;
	if (status == BLOCK_TOO_LARGE)
		status = next_now(stream, &next);
	*block = next;
	return count_memory(stream, status, next);
}
