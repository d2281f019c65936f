/* SPDX-License-Identifier: MIT */
/*
 * Internal interfaces of the library. They are hidden from programs. All of them keep the contract
 * of annot/annot.h: no locks, no memory allocation, only async-signal-safe functions, no
 * cancellation point. They may change errno: annot_emit() and the other entry points restore it.
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

/*
 * descriptor.c: a file that is kept open inside a program that does not know of it. Each annotation
 * asks for the descriptor again, because the program may have closed it, and may have opened its
 * own file under the same number.
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

/* The last known number, or -1. Does not check that it still is our file. */
int annot_descriptor_seen(struct descriptor *descriptor);

/* The number if it still is our file; otherwise -1: call annot_descriptor_renew(). */
int annot_descriptor_current(struct descriptor *descriptor, enum descriptor_role role);

/* Opens @path. Returns the number, or -errno. */
int annot_descriptor_renew(struct descriptor *descriptor, enum descriptor_role role,
			   const char *path);

/*
 * write(2), read(2) from the start of the file, close(2), but no cancellation points. Return -errno
 * on failure.
 */
int annot_descriptor_write(int fd, const char *bytes, size_t nr_bytes);
int annot_descriptor_read(int fd, char *bytes, size_t nr_bytes);
void annot_descriptor_close(int fd);

/* Opens without moving or tagging the descriptor; close it soon. Returns -errno on failure. */
int annot_descriptor_open_briefly(const char *path, int flags);

/* format.c: lines of text */
#define NAME_MAX_BYTES 255
#define LINE_MAX_BYTES (2 * NAME_MAX_BYTES + 64) /* quoted throughout, and the rest */

struct line {
	size_t nr_bytes;
	char bytes[LINE_MAX_BYTES];
};

/* device.c: /dev/annot */
extern const char *annot_device_directory; /* tests change it */

/* The versions of the ABI that a module understands. */
struct abi_range {
	uint32_t oldest;
	uint32_t newest;
};

/* 0, or -errno; -EPROTO: the module does not understand ours, but those in @range */
int annot_device_open(struct abi_range *range);

/* Maps over annot_control_page; call after annot_device_open(). */
void annot_device_map_control(void);
bool annot_device_control_is_mapped(void); /* false: the page is not the module's */
int annot_device_emit(unsigned int op, const char *name, int64_t value); /* 0, or -errno */
int annot_device_ioctl(unsigned long request, void *argument); /* >= 0, or -errno */
bool annot_device_record(struct annot_record *record); /* one annotation; false: not taken */
int annot_device_cpu(void); /* CPU of the calling thread */
void annot_device_path(struct line *path, const char *name, int number); /* number < 0: none */

/* device_rings.c: the module's rings. The first annotation on a CPU that needs a ring maps it. */
/* True if it made them now: the annotation can be stored after all. */
bool annot_device_made_rings(void);

/* Annotates by a system call, if the recorder wants that. Returns false otherwise. */
bool annot_device_call(struct annot_site *site, unsigned int op, const char *name, int64_t value);
void annot_device_count_dropped(void); /* counts an annotation that cannot reach the kernel */

/*
 * rings.c: the rings of the inline functions. The code that maps them registers here where they
 * are, and what to call when one is full or a name has no number.
 */
struct ring_source {
	bool (*is_wanted)(void); /* false: this annotation goes elsewhere; NULL: always true */
	uint32_t (*name)(const char *bytes, size_t nr_bytes); /* its number, or 0 */
	int (*drain)(void); /* drains the current ring: 0, or -errno */
	void (*after_store)(
		void); /* called after storing a record that was not stored inline; or NULL */
};

/*
 * The position of the rings, as in struct annot_rings_page. @index_offset: 0 if each CPU has a
 * ring.
 */
struct ring_place {
	char **rings;
	uint64_t page_bytes;
	int64_t index_offset;
	uint32_t nr_rings;
};

bool annot_rings_may_read_clock(void); /* false: reading it would kill the thread */
/* 0, or -errno */
int annot_rings_install(const struct ring_source *source, const struct ring_place *place);
bool annot_rings_emit(struct annot_site *site, unsigned int op, const char *name, int64_t value);

/*
 * signals.c: what is known of rings is only valid while signals are blocked. A signal handler may
 * fork, and the child then returns to the interrupted code without rings.
 */
uint64_t annot_signals_block(void);
void annot_signals_restore(uint64_t before);

/*
 * rseq.c: restartable sequences. Registers the calling thread if it is not registered. Returns 0;
 * -ENOSYS: neither C library nor kernel support them; -EEXIST: another library has registered this
 * thread; -ENOLINK: they would not be safe from dlclose().
 */
#define RSEQ_CPU_ID_OFFSET 4

int annot_rseq_have(void);
/* Offset of struct rseq from the thread pointer, if the thread has it. */
int64_t annot_rseq_offset(void);

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
 * rest.c: threads that rest: they do not check for a recording until they are preempted
 * (annot_control_page). Returns false if this is not supported.
 */
bool annot_rest_prepare(void);
bool annot_rest_can(void); /* whether the calling thread can rest */
void annot_rest_begin(void); /* until it is preempted, or a signal comes */
void annot_rest_end(void);

/* names.c: the hash of names */
uint32_t annot_name_hash(const char *bytes, size_t nr_bytes);

/* The number of a name, with the generation in its upper half; 0 if it cannot have one. */
uint64_t annot_name_number(const struct ring_source *source, struct annot_site *site,
			   const char *name);

/* marker.c: trace_marker */
int annot_marker_open(const char *directory, bool always); /* 0, or -errno */
int annot_marker_open_raw(const char *directory); /* 0, or -errno; call after annot_marker_open() */
int annot_marker_raw(void); /* the descriptor of trace_marker_raw, or -errno */
void annot_marker_emit(unsigned int op, const char *name, int64_t value);
bool annot_marker_recording(void);

/* raw.c: trace_marker_raw, in batches */
extern const char *annot_raw_clock_source; /* a file; tests change it */

int annot_raw_open(const char *directory); /* 0, or -errno; after annot_marker_open() */
bool annot_raw_emit(struct annot_site *site, unsigned int op, const char *name, int64_t value);

/* A name in the form that the module accepts. */
struct clean_name {
	size_t nr_bytes;
	char bytes[NAME_MAX_BYTES];
};

void annot_clean_name(struct clean_name *clean, const char *name);

void annot_line_add(struct line *line, const char *text); /* truncates text that does not fit */
void annot_line_add_bytes(struct line *line, const char *bytes, size_t nr_bytes);
void annot_line_add_number(struct line *line, int64_t number);

/* The text for write() to a device, without a newline. */
void annot_format_device(struct line *line, unsigned int op, const char *name, int64_t value);

/* The text for write() to trace_marker: the atrace format. */
void annot_format_marker(struct line *line, unsigned int op, const char *name, int64_t value,
			 int32_t tgid);

/* The length of @text, truncated to at most @max_bytes without splitting a UTF-8 character. */
size_t annot_format_length(const char *text, size_t max_bytes);

#endif /* LIBANNOT_INTERNAL_H */
