// SPDX-License-Identifier: GPL-2.0
#include "record/readers/readers.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "record/readers/chunk_queue.h"
#include "record/readers/drain.h"
#include "record/readers/share.h"
#include "record/buffer/tracing.h"
#include "util/diag.h"
#include "util/xalloc.h"

/* The size of a write. Larger ones gain nothing. */
#define CHUNK_BYTES (1 << 20)

/*
 * A file system can block writers for seconds. The data of all CPUs meanwhile may take an eighth of
 * the memory.
 */
#define MOST_CHUNKS 256
#define LEAST_CHUNKS 4
#define SHARE_OF_MEMORY 8

/*
 * A short recording is read again from the page cache before the disk has it. Data beyond this size
 * bypass the cache, because the recorded program needs the cache, and because writers wait longer
 * for write-back of gigabytes than for the disk.
 */
#define CACHED_BYTES (256 << 20)

/* For kernels that do not wake readers of a part of the buffer, or wake them too late. */
#define LONGEST_WAIT_MS 200

/* Of one CPU: a thread from the buffer into chunks, and one from there into the file. */
struct reader {
	struct readers *readers;
	pthread_t thread;
	pthread_t writer;
	int buffer_fd; /* trace_pipe_raw */
	int pipe[2]; /* read, write: empty but between two calls */
	int file_fd;
	struct chunk_queue *chunks;
	int error; /* the errno of what ended it */
	int write_error;
};

struct readers {
	const struct cpu_files *files;
	uint32_t page_bytes;
	sem_t begun; /* by each thread */
	int stop_fd;
	int failure_fd;
	int nr_started;
	struct reader *readers; /* of each CPU */
};

/* Returns 0, or the errno of what failed. */
static int read_pipe(const struct reader *reader, struct chunk *chunk, size_t bytes)
{
	while (bytes) {
		ssize_t got = read(reader->pipe[0], chunk->bytes + chunk->used_bytes, bytes);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got ? errno : EIO;
		chunk->used_bytes += (size_t)got;
		bytes -= (size_t)got;
	}
	return 0;
}

/*
 * Adds full pages to a chunk. Returns 0 when it is full, EAGAIN when there are no more pages, or
 * the errno of a failure. It uses a pipe, because one system call then moves many pages. What this
 * thread does in user space is measured, too, and brings samples of the recorded program out of
 * step.
 */
static int fill_chunk(const struct reader *reader, struct chunk *chunk)
{
	while (chunk->used_bytes < CHUNK_BYTES) {
		ssize_t got = splice(reader->buffer_fd, NULL, reader->pipe[1], NULL,
				     CHUNK_BYTES - chunk->used_bytes,
				     SPLICE_F_NONBLOCK | SPLICE_F_MOVE);
		int error;

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got ? errno : EAGAIN;
		error = read_pipe(reader, chunk, (size_t)got);
		if (error)
			return error;
	}
	return 0;
}

/* Reads all pages that are there. Returns 0, or the errno of what failed. */
static int read_pages(struct reader *reader, struct share *share)
{
	int error = 0;

	while (!error) {
		struct chunk *chunk = chunk_queue_take_empty(reader->chunks);

		if (!chunk) /* the other thread's error is reported */
			return EPIPE;
		error = fill_chunk(reader, chunk);
		if (chunk->used_bytes)
			chunk_queue_put(reader->chunks, chunk);
		else
			chunk_queue_give_back(reader->chunks, chunk);
		share_give_way(share);
	}
	return error == EAGAIN ? 0 : error;
}

/* False: the file system cannot. */
static bool set_direct(int fd, bool is_direct)
{
	int flags = fcntl(fd, F_GETFL);

	return !fcntl(fd, F_SETFL, is_direct ? flags | O_DIRECT : flags & ~O_DIRECT);
}

/* Returns 0, or the errno of what failed. */
static int write_chunk(int fd, const struct chunk *chunk, bool *is_direct)
{
	int error = drain_write(fd, chunk->bytes, chunk->used_bytes);

	if (error != EINVAL || !*is_direct)
		return error;
	*is_direct = !set_direct(fd, false);
	return drain_write(fd, chunk->bytes, chunk->used_bytes);
}

static void *run_writer(void *argument)
{
	struct reader *reader = argument;
	struct share share = { 0 };
	struct chunk *chunk;
	bool is_direct = false;
	size_t bytes = 0;

	while (!reader->write_error && (chunk = chunk_queue_take(reader->chunks))) {
		reader->write_error = write_chunk(reader->file_fd, chunk, &is_direct);
		if (bytes < CACHED_BYTES && bytes + chunk->used_bytes >= CACHED_BYTES)
			is_direct = set_direct(reader->file_fd, true);
		bytes += chunk->used_bytes;
		chunk_queue_give_back(reader->chunks, chunk);
		share_give_way(&share);
	}
	if (is_direct)
		set_direct(reader->file_fd, false);
	chunk_queue_abandon(reader->chunks);
	return NULL;
}

/* Returns 0, or the errno of what failed. */
static int end_writer(struct reader *reader)
{
	chunk_queue_end(reader->chunks);
	pthread_join(reader->writer, NULL);
	return reader->write_error;
}

static bool is_stopped(const struct reader *reader)
{
	struct pollfd waited_for[] = {
		{ .fd = reader->buffer_fd, .events = POLLIN },
		{ .fd = reader->readers->stop_fd, .events = POLLIN },
	};

	poll(waited_for, 2, LONGEST_WAIT_MS);
	return waited_for[1].revents;
}

static void *run(void *argument)
{
	struct reader *reader = argument;
	struct share share = { 0 };
	bool stopped;
	int write_error;

	sem_post(&reader->readers->begun);
	do {
		stopped = is_stopped(reader);
		/* With ftrace's option "block" there always seems to be something. */
		reader->error = read_pages(reader, &share);
	} while (!stopped && !reader->error);
	write_error = end_writer(reader);
	if (write_error)
		reader->error = write_error;
	if (!reader->error)
		reader->error = drain_rest(reader->buffer_fd, reader->file_fd,
					   reader->readers->page_bytes, false);
	if (reader->error)
		eventfd_write(reader->readers->failure_fd, 1);
	return NULL;
}

/*
 * Set from the start: on a busy machine, a thread may wait for seconds before it first runs.
 * Without the privilege, it reads as well as it can.
 */
static int start_thread(pthread_t *thread, void *(*run_it)(void *), struct reader *reader)
{
	static const struct sched_param least = { .sched_priority = 1 };
	pthread_attr_t first;
	int error = pthread_attr_init(&first);

	if (error)
		return error;
	pthread_attr_setinheritsched(&first, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&first, SCHED_FIFO);
	pthread_attr_setschedparam(&first, &least);
	error = pthread_create(thread, &first, run_it, reader);
	pthread_attr_destroy(&first);
	return error == EPERM ? pthread_create(thread, NULL, run_it, reader) : error;
}

static size_t most_chunks(void)
{
	size_t nr = (size_t)tracing_memory_kb(SHARE_OF_MEMORY) * 1024 / CHUNK_BYTES;

	if (nr < LEAST_CHUNKS)
		return LEAST_CHUNKS;
	return nr < MOST_CHUNKS ? nr : MOST_CHUNKS;
}

static int start_threads(struct reader *reader)
{
	int error = start_thread(&reader->writer, run_writer, reader);

	if (error)
		return error;
	error = start_thread(&reader->thread, run, reader);
	if (error)
		end_writer(reader);
	return error;
}

static int start_reader(struct readers *readers, const char *dir, int cpu)
{
	struct reader *reader = &readers->readers[cpu];

	*reader = (struct reader){
		.readers = readers,
		.file_fd = readers->files->files[cpu].fd,
		.pipe = { -1, -1 },
	};
	reader->buffer_fd = drain_open_pipe(dir, cpu);
	if (reader->buffer_fd < 0)
		return -reader->buffer_fd;
	if (pipe2(reader->pipe, O_CLOEXEC))
		return errno;
	/* One of the usual size does, too. */
	fcntl(reader->pipe[1], F_SETPIPE_SZ, CHUNK_BYTES);
	reader->chunks = chunk_queue_new(CHUNK_BYTES, most_chunks());
	return start_threads(reader);
}

static void close_reader(struct reader *reader)
{
	if (reader->buffer_fd >= 0)
		close(reader->buffer_fd);
	for (int i = 0; i < 2; i++) {
		if (reader->pipe[i] >= 0)
			close(reader->pipe[i]);
	}
	chunk_queue_free(reader->chunks);
}

static void free_readers(struct readers *readers)
{
	if (readers->stop_fd >= 0)
		close(readers->stop_fd);
	if (readers->failure_fd >= 0)
		close(readers->failure_fd);
	sem_destroy(&readers->begun);
	free(readers->readers);
	free(readers);
}

static void join_all(struct readers *readers)
{
	eventfd_write(readers->stop_fd, 1);
	for (int i = 0; i < readers->nr_started; i++) {
		pthread_join(readers->readers[i].thread, NULL);
		close_reader(&readers->readers[i]);
	}
}

static void wait_until_all_read(struct readers *readers)
{
	for (int i = 0; i < readers->nr_started; i++) {
		while (sem_wait(&readers->begun))
			;
	}
}

struct readers *readers_start(const char *dir, const struct cpu_files *files, uint32_t page_bytes)
{
	struct readers *readers = xcalloc(1, sizeof(*readers));
	int error = 0;

	readers->files = files;
	readers->page_bytes = page_bytes;
	readers->readers = xcalloc((size_t)files->nr, sizeof(*readers->readers));
	sem_init(&readers->begun, 0, 0);
	readers->stop_fd = eventfd(0, EFD_CLOEXEC);
	readers->failure_fd = eventfd(0, EFD_CLOEXEC);
	if (readers->stop_fd < 0 || readers->failure_fd < 0)
		error = errno;
	for (int cpu = 0; cpu < files->nr && !error; cpu++) {
		error = start_reader(readers, dir, cpu);
		if (error)
			close_reader(&readers->readers[cpu]);
		else
			readers->nr_started++;
	}
	wait_until_all_read(readers);
	if (!error)
		return readers;
	diag_error("record: the buffer of CPU %d cannot be read: %s", readers->nr_started,
		   strerror(error));
	join_all(readers);
	free_readers(readers);
	return NULL;
}

int readers_failure_fd(const struct readers *readers)
{
	return readers->failure_fd;
}

static int print_error(const struct cpu_file *file, int error)
{
	return diag_error("record: %s: recording ended early: %s", file->path, strerror(error));
}

int readers_finish(struct readers *readers)
{
	int err = 0;

	join_all(readers);
	/* They fail for one reason, as a rule: once is enough. */
	for (int cpu = 0; cpu < readers->files->nr && !err; cpu++) {
		if (readers->readers[cpu].error)
			err = print_error(&readers->files->files[cpu], readers->readers[cpu].error);
	}
	free_readers(readers);
	return err;
}

static int take_over(const char *dir, int cpu, const struct cpu_file *file, uint32_t page_bytes)
{
	uint64_t bytes = cpu_file_bytes(file, page_bytes);
	int pipe_fd = drain_open_pipe(dir, cpu);
	int error;

	if (pipe_fd < 0)
		return -pipe_fd;
	/* They may have been killed within a page. */
	if (ftruncate(file->fd, (off_t)bytes) || lseek(file->fd, (off_t)bytes, SEEK_SET) < 0)
		error = errno;
	else
		error = drain_rest(pipe_fd, file->fd, page_bytes, true);
	close(pipe_fd);
	return error;
}

int readers_take_over(const char *dir, const struct cpu_files *files, uint32_t page_bytes)
{
	for (int cpu = 0; cpu < files->nr; cpu++) {
		int error = take_over(dir, cpu, &files->files[cpu], page_bytes);

		if (error)
			return print_error(&files->files[cpu], error);
	}
	return 0;
}
