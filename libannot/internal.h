/* SPDX-License-Identifier: MIT */
/*
 * What the files of the library share. Everything here is hidden from programs, and everything
 * keeps the contract of annot/annot.h: no locks, no memory allocation, nothing that is not
 * async-signal-safe, no cancellation point. errno may change: annot_emit() and the other entry
 * points restore it.
 */
#ifndef LIBANNOT_INTERNAL_H
#define LIBANNOT_INTERNAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "annot/annot.h"

static inline bool annot_word_is_set(void)
{
	return __atomic_load_n(&annot_control_page.recording, __ATOMIC_RELAXED) != 0;
}

struct annot_record;

/* backend.c: where annotations go. Decided once, by the first annotation. */
enum backend {
	BACKEND_UNDECIDED,
	BACKEND_DEVICE,
	BACKEND_MARKER,
	BACKEND_RAW,
	BACKEND_OFF,
};

enum backend annot_backend(void);

/* Before the first annotation: whether the environment lets that come about. */
bool annot_backend_may_be_raw(void);

/*
 * What became of the ring of a CPU of the device, or (@cpu < 0) of the way to them: 0, or -errno.
 * Told the first time of each kind.
 */
void annot_backend_tell_rings(int cpu, int error);

/* There were to be batches, and there are none: -errno. Told once. */
void annot_backend_tell_no_batches(int error);

/*
 * descriptor.c: a file that is kept open in a program that knows nothing of it. Each annotation
 * asks for the descriptor again, because the program may have closed it, and opened its own file
 * under the same number.
 */
enum descriptor_role {
	DESCRIPTOR_DEVICE, /* any of them: the module asks the CPU, not the file */
	DESCRIPTOR_MARKER,
	DESCRIPTOR_MARKER_RAW,
	DESCRIPTOR_TRACING_ON,
	DESCRIPTOR_EVENTS_ENABLE,
};

struct descriptor {
	atomic_int number_plus_1; /* 0: not open; so that static storage starts that way */
};

/* The number that was ours, or -1: whether it still is, nobody has looked. */
int annot_descriptor_seen(struct descriptor *descriptor);

/* The number, when it still is our file; else -1: then annot_descriptor_renew(). */
int annot_descriptor_current(struct descriptor *descriptor, enum descriptor_role role);

/* Opens @path. The number; or -errno. */
int annot_descriptor_renew(struct descriptor *descriptor, enum descriptor_role role,
			   const char *path);

/* write(2), read(2) from the start, close(2): not as cancellation points. -errno when they fail. */
int annot_descriptor_write(int fd, const char *bytes, size_t nr_bytes);
int annot_descriptor_read(int fd, char *bytes, size_t nr_bytes);
void annot_descriptor_close(int fd);

/* Opens without moving or marking the descriptor; close it soon. -errno when it fails. */
int annot_descriptor_open_briefly(const char *path, int flags);

/* format.c: lines of text */
#define NAME_MAX_BYTES 255
#define LINE_MAX_BYTES (2 * NAME_MAX_BYTES + 64) /* quoted throughout, and the rest */

struct line {
	size_t nr_bytes;
	char bytes[LINE_MAX_BYTES];
};

/* device.c: /dev/annot */
extern const char *annot_device_directory; /* the tests have another */

/* The versions of the ABI that a module understands. */
struct abi_range {
	uint32_t oldest;
	uint32_t newest;
};

/* 0, or -errno; -EPROTO: the module does not understand ours, but those in @range */
int annot_device_open(struct abi_range *range);

void annot_device_map_control(void); /* over annot_control_page; after annot_device_open() */
bool annot_device_control_is_mapped(void); /* else it tells nothing of the module */
int annot_device_emit(unsigned int op, const char *name, int64_t value); /* 0, or -errno */
int annot_device_ioctl(unsigned long request, void *argument); /* >= 0, or -errno */
bool annot_device_record(struct annot_record *record); /* one annotation; false: it is not taken */
int annot_device_cpu(void); /* the one that the thread is on */
void annot_device_path(struct line *path, const char *name, int number); /* number < 0: none */

/*
 * device_rings.c: the module's rings, each mapped by the first annotation on its CPU that is to go
 * there
 */
bool annot_device_made_rings(void); /* just now: the annotation may go there after all */

/* While the recorder wants calls; false: it did not go there. */
bool annot_device_call(struct annot_site *site, unsigned int op, const char *name, int64_t value);
void annot_device_count_dropped(void); /* an annotation that has no way to the kernel */

/*
 * rings.c: the rings of the inline functions. Whoever maps them tells here where they are, and what
 * to call when one is full or a name has no number.
 */
struct ring_source {
	bool (*is_wanted)(void); /* false: this annotation goes elsewhere; NULL: it is */
	uint32_t (*name)(const char *bytes, size_t nr_bytes); /* its number, or 0 */
	int (*drain)(void); /* the one that is ours now: 0, or -errno */
	void (*after_store)(void); /* of a record that did not go straight into the ring; or NULL */
};

/* Where they are: what struct annot_rings_page tells. @index_offset: 0 where each CPU has one. */
struct ring_place {
	char **rings;
	uint64_t page_bytes;
	int64_t index_offset;
	uint32_t nr_rings;
};

bool annot_rings_may_read_clock(void); /* false: it would be the thread's end */
/* 0, or -errno */
int annot_rings_install(const struct ring_source *source, const struct ring_place *place);
bool annot_rings_emit(struct annot_site *site, unsigned int op, const char *name, int64_t value);

/*
 * signals.c: whatever is known of rings holds only while signals are blocked: a handler may fork, and
 * its child come back to here, with none.
 */
uint64_t annot_signals_block(void);
void annot_signals_restore(uint64_t before);

/*
 * rseq.c: restartable sequences. Whether the calling thread has them, from now on if need be: 0; or
 * -ENOSYS: neither the C library nor the kernel; -EEXIST: another library has this thread's;
 * -ENOLINK: they would not be safe from dlclose().
 */
#define RSEQ_CPU_ID_OFFSET 4

int annot_rseq_have(void);
int64_t annot_rseq_offset(void); /* of struct rseq from the thread pointer, where a thread has it */

static inline char *annot_thread_pointer(void)
{
#if defined(__x86_64__)
	char *pointer;

	__asm__("mov %%fs:0, %0" : "=r"(pointer));
	return pointer;
#else
	return __builtin_thread_pointer();
#endif
}

/*
 * rest.c: threads that need not look whether somebody records: what annot_control_page tells of them.
 * False: there is no such thing here.
 */
bool annot_rest_prepare(void);
bool annot_rest_can(void); /* the calling thread */
void annot_rest_begin(void); /* until it is preempted, or a signal comes */
void annot_rest_end(void);

/* names.c: what names are looked up by */
uint32_t annot_name_hash(const char *bytes, size_t nr_bytes);

/* The number of a name, with the generation above it; 0 when it cannot have one. */
uint64_t annot_name_number(const struct ring_source *source, struct annot_site *site,
			   const char *name);

/* marker.c: trace_marker */
int annot_marker_open(const char *directory, bool always); /* 0, or -errno */
int annot_marker_open_raw(const char *directory); /* as well; after that */
int annot_marker_raw(void); /* the descriptor of trace_marker_raw, or -errno */
void annot_marker_emit(unsigned int op, const char *name, int64_t value);
bool annot_marker_recording(void);

/* raw.c: trace_marker_raw, in batches */
extern const char *annot_raw_clock_source; /* a file; the tests have another */

int annot_raw_open(const char *directory); /* 0, or -errno; after annot_marker_open() */
bool annot_raw_emit(struct annot_site *site, unsigned int op, const char *name, int64_t value);

/* A name as the module takes it. */
struct clean_name {
	size_t nr_bytes;
	char bytes[NAME_MAX_BYTES];
};

void annot_clean_name(struct clean_name *clean, const char *name);

void annot_line_add(struct line *line, const char *text); /* what does not fit is cut off */
void annot_line_add_bytes(struct line *line, const char *bytes, size_t nr_bytes);
void annot_line_add_number(struct line *line, int64_t number);

/* What write() to a device takes, without a newline. */
void annot_format_device(struct line *line, unsigned int op, const char *name, int64_t value);

/* What write() to trace_marker takes: the atrace format. */
void annot_format_marker(struct line *line, unsigned int op, const char *name, int64_t value,
			 int32_t tgid);

/* How many bytes of @text may be kept, at most @max_bytes, without cutting a UTF-8 character. */
size_t annot_format_length(const char *text, size_t max_bytes);

#endif /* LIBANNOT_INTERNAL_H */
