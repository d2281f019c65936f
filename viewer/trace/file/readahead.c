// SPDX-License-Identifier: GPL-2.0
#include "trace/file/readahead.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>

#include "util/xalloc.h"

#define MAX_WORKERS 8
#define MAX_RUN_BLOCKS 8
#define AHEAD_BLOCK_BYTES (128u * 1024) /* what is larger is not read ahead */
#define AHEAD_BYTES (128u * 1024 * 1024) /* of all CPUs together */

/* A page for each CPU is in memory; a damaged file may have as many CPUs as it likes. */
#define PAGES_MIN_BYTES (64u * 1024 * 1024)
#define PAGES_PER_FILE_BYTE 256u

enum run_state {
	RUN_IDLE,
	RUN_QUEUED,
	RUN_UNDER_WAY,
};

/* Some blocks of a CPU that are read at one go. State and next are guarded by the lock of ahead. */
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

struct ahead {
	pthread_mutex_t lock;
	pthread_cond_t queued; /* or told to stop */
	pthread_cond_t done;
	struct run *first;
	struct run *last;
	bool stop;
	int max_blocks; /* of a run */
	int nr_workers;
	struct worker {
		struct ahead *ahead;
		struct decompressor *decompressor;
		pthread_t thread;
	} workers[MAX_WORKERS];
};

/* While one run is handed out, the other one is filled. */
struct block_stream {
	struct trace_file *file;
	struct ahead *ahead; /* NULL: each block is read when it is asked for */
	struct block_source source;
	size_t counted_bytes; /* in file->pages_bytes */
	struct block block; /* that was read when it was asked for */
	struct run *current; /* NULL: nothing is read ahead */
	struct run *other;
};

static void fill(struct run *run, struct decompressor *decompressor)
{
	run->nr_blocks = 0;
	run->at = 0;
	do {
		run->last = block_read(run->source, decompressor, AHEAD_BLOCK_BYTES,
				       &run->blocks[run->nr_blocks++]);
	} while (run->last == BLOCK_READ && run->nr_blocks < run->max_blocks);
}

static struct run *take_first(struct ahead *ahead)
{
	struct run *run = ahead->first;

	ahead->first = run->next;
	if (!ahead->first)
		ahead->last = NULL;
	run->state = RUN_UNDER_WAY;
	return run;
}

static void *work(void *context)
{
	struct worker *worker = context;
	struct ahead *ahead = worker->ahead;

	pthread_mutex_lock(&ahead->lock);
	for (;;) {
		struct run *run;

		while (!ahead->first && !ahead->stop)
			pthread_cond_wait(&ahead->queued, &ahead->lock);
		if (ahead->stop)
			break;
		run = take_first(ahead);
		pthread_mutex_unlock(&ahead->lock);
		fill(run, worker->decompressor);
		pthread_mutex_lock(&ahead->lock);
		run->state = RUN_IDLE;
		pthread_cond_signal(&ahead->done);
	}
	pthread_mutex_unlock(&ahead->lock);
	return NULL;
}

static int nr_compressed(const struct trace_file *file)
{
	int nr = 0;

	for (int i = 0; i < file->nr_cpus; i++)
		nr += file->cpus[i].compressed && file->cpus[i].size;
	return nr;
}

int ahead_nr_workers(const struct trace_file *file)
{
	int nr = nr_compressed(file), nr_cores = 1;
	cpu_set_t cores;

	if (!sched_getaffinity(0, sizeof(cores), &cores))
		nr_cores = CPU_COUNT(&cores);
	/* One core is for the thread that asks. */
	if (nr > nr_cores - 1)
		nr = nr_cores - 1;
	return nr < MAX_WORKERS ? nr : MAX_WORKERS;
}

/* Signals are for the main thread. */
static int start_worker(struct ahead *ahead, const struct trace_file *file)
{
	struct worker *worker = &ahead->workers[ahead->nr_workers];
	sigset_t all, before;
	int err;

	*worker = (struct worker){
		.ahead = ahead,
		.decompressor = decompressor_copy(file->decompressor),
	};
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&worker->thread, NULL, work, worker);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (err)
		decompressor_free(worker->decompressor);
	else
		ahead->nr_workers++;
	return err;
}

struct ahead *ahead_new(const struct trace_file *file, int nr_workers)
{
	/* Two runs for each CPU. */
	size_t max_blocks = AHEAD_BYTES / AHEAD_BLOCK_BYTES / 2 / (size_t)file->nr_cpus;
	struct ahead *ahead;

	if (nr_workers <= 0 || !max_blocks)
		return NULL;
	ahead = xcalloc(1, sizeof(*ahead));
	ahead->max_blocks = max_blocks < MAX_RUN_BLOCKS ? (int)max_blocks : MAX_RUN_BLOCKS;
	pthread_mutex_init(&ahead->lock, NULL);
	pthread_cond_init(&ahead->queued, NULL);
	pthread_cond_init(&ahead->done, NULL);
	/* With none at all, whoever asks for a run fills it. */
	for (int i = 0; i < nr_workers && i < MAX_WORKERS; i++) {
		if (start_worker(ahead, file))
			break;
	}
	return ahead;
}

void ahead_free(struct ahead *ahead)
{
	if (!ahead)
		return;
	pthread_mutex_lock(&ahead->lock);
	ahead->stop = true;
	pthread_cond_broadcast(&ahead->queued);
	pthread_mutex_unlock(&ahead->lock);
	for (int i = 0; i < ahead->nr_workers; i++) {
		pthread_join(ahead->workers[i].thread, NULL);
		decompressor_free(ahead->workers[i].decompressor);
	}
	pthread_cond_destroy(&ahead->done);
	pthread_cond_destroy(&ahead->queued);
	pthread_mutex_destroy(&ahead->lock);
	free(ahead);
}

static void start_run(struct ahead *ahead, struct run *run)
{
	pthread_mutex_lock(&ahead->lock);
	run->state = RUN_QUEUED;
	run->next = NULL;
	if (ahead->last)
		ahead->last->next = run;
	else
		ahead->first = run;
	ahead->last = run;
	pthread_cond_signal(&ahead->queued);
	pthread_mutex_unlock(&ahead->lock);
}

static void take_out(struct ahead *ahead, struct run *run)
{
	struct run **at = &ahead->first, *before = NULL;

	while (*at != run) {
		before = *at;
		at = &before->next;
	}
	*at = run->next;
	if (ahead->last == run)
		ahead->last = before;
	run->state = RUN_IDLE;
}

/* True: it was done, or is done now. False: no worker had begun it, and none will. */
static bool wait_for(struct ahead *ahead, struct run *run)
{
	bool done = true;

	pthread_mutex_lock(&ahead->lock);
	if (run->state == RUN_QUEUED) {
		take_out(ahead, run);
		done = false;
	}
	while (run->state == RUN_UNDER_WAY)
		pthread_cond_wait(&ahead->done, &ahead->lock);
	pthread_mutex_unlock(&ahead->lock);
	return done;
}

static struct run *run_new(const struct ahead *ahead, struct block_source *source)
{
	struct run *run = xcalloc(1, sizeof(*run));

	run->source = source;
	run->max_blocks = ahead->max_blocks;
	return run;
}

static void run_free(struct run *run)
{
	for (int i = 0; run && i < run->max_blocks; i++)
		free(run->blocks[i].pages);
	free(run);
}

struct block_stream *block_stream_new(struct trace_file *file, struct block_source source,
				      struct ahead *ahead)
{
	struct block_stream *stream = xcalloc(1, sizeof(*stream));

	stream->file = file;
	stream->ahead = source.compressed ? ahead : NULL;
	stream->source = source;
	if (stream->ahead) {
		stream->current = run_new(ahead, &stream->source);
		stream->other = run_new(ahead, &stream->source);
		start_run(ahead, stream->other);
	}
	return stream;
}

void block_stream_free(struct block_stream *stream)
{
	if (!stream)
		return;
	if (stream->ahead)
		wait_for(stream->ahead, stream->other);
	run_free(stream->current);
	run_free(stream->other);
	free(stream->block.pages);
	stream->file->pages_bytes -= stream->counted_bytes;
	free(stream);
}

/* Of how many bytes the CPU's blocks may be, all other CPUs' being as they are. */
static size_t allowed_bytes(const struct block_stream *stream)
{
	const struct trace_file *file = stream->file;

	return PAGES_MIN_BYTES + PAGES_PER_FILE_BYTE * file->size -
	       (file->pages_bytes - stream->counted_bytes);
}

/* Books the memory of one block for each CPU, however many there are: it is to be no matter. */
static enum block_status count_memory(struct block_stream *stream, enum block_status status,
				      struct block *block)
{
	if (status == BLOCK_TOO_LARGE || block->nr_bytes > allowed_bytes(stream)) {
		block->damage = "its CPUs' data need more memory than can be";
		return BLOCK_ERROR;
	}
	if (block->nr_bytes > stream->counted_bytes) {
		stream->file->pages_bytes += block->nr_bytes - stream->counted_bytes;
		stream->counted_bytes = block->nr_bytes;
	}
	return status;
}

static enum block_status next_now(struct block_stream *stream, struct block **block)
{
	*block = &stream->block;
	return block_read(&stream->source, stream->file->decompressor, allowed_bytes(stream),
			  *block);
}

/* The one that was filled is handed out from now on, and the one that is used up is filled. */
static void swap_runs(struct block_stream *stream)
{
	struct run *filled = stream->other;

	if (!wait_for(stream->ahead, filled))
		fill(filled, stream->file->decompressor);
	stream->other = stream->current;
	stream->current = filled;
	if (filled->last == BLOCK_READ)
		start_run(stream->ahead, stream->other);
}

static enum block_status next_ahead(struct block_stream *stream, struct block **block)
{
	struct run *run;

	if (stream->current->at == stream->current->nr_blocks)
		swap_runs(stream);
	run = stream->current;
	*block = &run->blocks[run->at++];
	return run->at < run->nr_blocks ? BLOCK_READ : run->last;
}

enum block_status block_stream_next(struct block_stream *stream, const struct block **block)
{
	enum block_status status = BLOCK_TOO_LARGE;
	struct block *next;

	if (stream->ahead)
		status = next_ahead(stream, &next);
	/* No run is under way after the one that ended so. */
	if (status != BLOCK_READ)
		stream->ahead = NULL;
	if (status == BLOCK_TOO_LARGE)
		status = next_now(stream, &next);
	*block = next;
	return count_memory(stream, status, next);
}
