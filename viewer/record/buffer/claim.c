// SPDX-License-Identifier: GPL-2.0
#include "record/buffer/claim.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <tracefs.h>
#include <unistd.h>

#include "record/buffer/sign.h"
#include "record/buffer/stack_trigger.h"
#include "record/buffer/tracing.h"
#include "util/diag.h"

#define MOST_OF_ONE_PROCESS 64
#define NAME_MAX_BYTES 64

/* What a process does on its way out, and the kernel after it, takes so long at most. */
#define REMOVE_TRIES 20
#define REMOVE_PAUSE_NS 10000000

/* Held only while instances are made and removed: each recording waits for it at its start. */
static int lock_instances(void)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s/instances", tracefs_tracing_dir());
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0 && flock(fd, LOCK_EX)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static void write_at(int dir_fd, const char *file, const char *text)
{
	int fd = openat(dir_fd, file, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	/* Where it fails there is nothing more to be done. */
	if (write(fd, text, strlen(text)) < 0)
		errno = 0;
	close(fd);
}

/*
 * Markers are turned off first: the kernel passes a marker from instance to instance, and stops at
 * one that is off.
 */
static void silence_buffer(int dir_fd)
{
	write_at(dir_fd, "options/copy_trace_marker", "0");
	write_at(dir_fd, "tracing_on", "0");
	write_at(dir_fd, "events/enable", "0");
}

static bool is_ours(const char *name)
{
	int pid, number, length = 0;

	return sscanf(name, "annot-%d-%d%n", &pid, &number, &length) == 2 && !name[length];
}

/* Removes the instance if a killed recorder left it. Returns whether a process holds it. */
static bool is_held(int instances_fd, const char *name)
{
	int fd = openat(instances_fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool held = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB);

	if (fd < 0)
		return false;
	if (!held) {
		silence_buffer(fd);
		unlinkat(instances_fd, name, AT_REMOVEDIR);
	}
	close(fd);
	return held;
}

/* Returns how many of our instances are held; the others it removes. */
static int remove_stale(int instances_fd)
{
	int fd = openat(instances_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *instances = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	int nr_held = 0;

	while (instances && (entry = readdir(instances))) {
		if (is_ours(entry->d_name))
			nr_held += is_held(instances_fd, entry->d_name);
	}
	if (instances)
		closedir(instances);
	return nr_held;
}

int claim_lock_others(int *nr_held)
{
	int instances_fd = lock_instances();

	*nr_held = instances_fd < 0 ? 0 : remove_stale(instances_fd);
	return instances_fd;
}

/* Returns 0 and the name, or the errno of what failed. */
static int make_instance(int instances_fd, char name[NAME_MAX_BYTES])
{
	for (int number = 0; number < MOST_OF_ONE_PROCESS; number++) {
		snprintf(name, NAME_MAX_BYTES, "annot-%d-%d", (int)getpid(), number);
		if (!mkdirat(instances_fd, name, 0750))
			return 0;
		/* A process of this number in another namespace may have it. */
		if (errno != EEXIST)
			return errno;
	}
	return EEXIST;
}

/* A user who may make an instance may not always use it: its files belong to root. */
static int try_instance(int dir_fd)
{
	int pipe_fd = openat(dir_fd, "per_cpu/cpu0/trace_pipe_raw", O_RDONLY | O_CLOEXEC);
	int on_fd = openat(dir_fd, "tracing_on", O_RDWR | O_CLOEXEC);
	int error = pipe_fd < 0 || on_fd < 0 ? errno : 0;

	if (pipe_fd >= 0)
		close(pipe_fd);
	if (on_fd >= 0)
		close(on_fd);
	return error;
}

/* Users who may write markers to the top buffer may write here, too. */
static void open_to_the_same(int dir_fd)
{
	static const char *const files[] = { ".",	   "events",	   "events/enable",
					     "tracing_on", "trace_marker", "trace_marker_raw" };

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		char path[PATH_MAX];
		struct stat top;

		snprintf(path, sizeof(path), "%s/%s", tracefs_tracing_dir(), files[i]);
		/* On failure, the permissions stay as they are. */
		if (stat(path, &top) || fchownat(dir_fd, files[i], top.st_uid, top.st_gid, 0) ||
		    fchmodat(dir_fd, files[i], top.st_mode & 0777, 0))
			return;
	}
}

static int open_instance(struct claim *claim, int instances_fd, const char *name)
{
	int error;

	claim->lock_fd = openat(instances_fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (claim->lock_fd < 0 || flock(claim->lock_fd, LOCK_EX | LOCK_NB))
		return errno;
	error = try_instance(claim->lock_fd);
	if (error)
		return error;
	open_to_the_same(claim->lock_fd);
	claim->instance = tracefs_instance_create(name);
	return claim->instance ? 0 : ENOMEM;
}

/* Returns 0, or the errno of what failed: then there is no instance. */
static int claim_instance(struct claim *claim)
{
	int instances_fd = lock_instances();
	char name[NAME_MAX_BYTES];
	int error;

	if (instances_fd < 0)
		return errno;
	remove_stale(instances_fd);
	error = make_instance(instances_fd, name);
	if (!error) {
		error = open_instance(claim, instances_fd, name);
		if (error)
			unlinkat(instances_fd, name, AT_REMOVEDIR);
	}
	if (error && claim->lock_fd >= 0) {
		close(claim->lock_fd);
		claim->lock_fd = -1;
	}
	close(instances_fd);
	return error;
}

static bool is_top_in_use(void)
{
	char *events = tracing_read(NULL, "events/enable");
	char *tracer = tracing_read(NULL, "current_tracer");
	bool in_use = !events || strcmp(events, "0") || (tracer && strcmp(tracer, "nop"));

	free(events);
	free(tracer);
	return in_use;
}

/* Returns 0, or the errno of what failed: EWOULDBLOCK when another annot record has it. */
static int claim_top(struct claim *claim)
{
	char path[PATH_MAX];
	int error;

	snprintf(path, sizeof(path), "%s/tracing_on", tracefs_tracing_dir());
	claim->lock_fd = open(path, O_RDWR | O_CLOEXEC);
	if (claim->lock_fd < 0)
		return errno;
	if (flock(claim->lock_fd, LOCK_EX | LOCK_NB)) {
		error = errno;
		close(claim->lock_fd);
		claim->lock_fd = -1;
		return error;
	}
	claim->before = (struct claim_state){
		.on = tracing_is_on(NULL),
		.buffer_kb = tracing_buffer_kb(NULL),
		.clock = tracefs_get_clock(NULL),
	};
	return 0;
}

/* Clears earlier events and figures. */
static void clear_top(void)
{
	tracing_off(NULL);
	tracing_write(NULL, "events/enable", "0");
	stack_trigger_remove(NULL);
	tracing_write(NULL, "current_tracer", "nop");
	tracefs_instance_file_clear(NULL, "trace");
	sign_put();
}

/* The top buffer although it may be in use, for there is no other one. */
static int insist_on_top(struct claim *claim, int no_instance_error)
{
	int error = claim_top(claim);

	if (error == EWOULDBLOCK)
		return diag_error(
			"record: another annot record uses the kernel's top buffer, and no ftrace "
			"instance can be created: %s",
			strerror(no_instance_error));
	if (error)
		return diag_error("record: tracing_on: %s", strerror(error));
	claim->no_instance_error = no_instance_error;
	if (is_top_in_use() && !sign_is_there())
		diag_warn("record: events are already enabled in the kernel's top buffer: this "
			  "recording ends the other one");
	clear_top();
	return 0;
}

/* Since 6.16, an instance can get the markers of the top trace_marker. */
static bool can_copy_markers(void)
{
	return tracefs_file_exists(NULL, "options/copy_trace_marker");
}

/*
 * Before that version, only the top buffer gets the markers of other programs. Events that a killed
 * recorder left enabled there have the sign.
 */
static bool take_free_top(struct claim *claim)
{
	if (can_copy_markers() || (is_top_in_use() && !sign_is_there()) || claim_top(claim))
		return false;
	clear_top();
	return true;
}

int claim_take(struct claim *claim)
{
	int error = 0;

	*claim = CLAIM_NONE;
	if (!take_free_top(claim)) {
		error = claim_instance(claim);
		if (error && insist_on_top(claim, error))
			return -1;
	}
	claim->dir = tracefs_instance_get_dir(claim->instance);
	if (claim->instance)
		tracing_off(claim->instance);
	return 0;
}

bool claim_was_taken(const struct claim *claim)
{
	return !claim->instance && !sign_is_there();
}

/* Markers come last, as they end first: see silence(). */
void claim_turn_on(const struct claim *claim)
{
	tracing_on(claim->instance);
	if (claim->instance && can_copy_markers())
		tracing_write(claim->instance, "options/copy_trace_marker", "1");
}

void claim_turn_off(const struct claim *claim)
{
	if (claim->instance && can_copy_markers())
		tracing_write(claim->instance, "options/copy_trace_marker", "0");
	tracing_off(claim->instance);
}

bool claim_has_markers(const struct claim *claim)
{
	return !claim->instance || can_copy_markers();
}

/* To set a clock empties the buffer: only if need be. */
static void restore_clock(const char *before)
{
	char *clock = tracefs_get_clock(NULL);

	if (clock && before && strcmp(clock, before))
		tracing_write(NULL, "trace_clock", before);
	free(clock);
}

static void restore_top(const struct claim_state *before)
{
	char size_kb[24];

	tracing_off(NULL);
	tracing_write(NULL, "events/enable", "0");
	stack_trigger_remove(NULL);
	sign_remove();
	restore_clock(before->clock);
	if (before->buffer_kb > 0) {
		snprintf(size_kb, sizeof(size_kb), "%ld", before->buffer_kb);
		tracing_write(NULL, "buffer_size_kb", size_kb);
	}
	if (before->on)
		tracing_on(NULL);
}

static int remove_instance(const struct claim *claim)
{
	static const struct timespec pause = { .tv_nsec = REMOVE_PAUSE_NS };

	for (int i = 0; i < REMOVE_TRIES; i++) {
		if (!rmdir(claim->dir) || errno == ENOENT)
			return 0;
		nanosleep(&pause, NULL);
	}
	write_at(claim->lock_fd, "buffer_size_kb", "1");
	return -1;
}

static void drop_claim(struct claim *claim)
{
	close(claim->lock_fd);
	tracefs_instance_free(claim->instance);
	free(claim->dir);
	free(claim->before.clock);
	*claim = CLAIM_NONE;
}

int claim_release(struct claim *claim)
{
	int err = 0;

	if (claim->lock_fd < 0)
		return 0;
	if (claim->instance) {
		silence_buffer(claim->lock_fd);
		err = remove_instance(claim);
	} else {
		restore_top(&claim->before);
	}
	drop_claim(claim);
	return err;
}

void claim_forget(struct claim *claim)
{
	if (claim->lock_fd < 0)
		return;
	if (claim->instance)
		(void)rmdir(claim->dir);
	drop_claim(claim);
}
