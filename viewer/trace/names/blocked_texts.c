// SPDX-License-Identifier: GPL-2.0
#include "trace/names/blocked_texts.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uapi/annot.h>

#include "trace/event.h"
#include "trace/names/call_causes.h"
#include "util/hash.h"
#include "util/xalloc.h"

#define NR_CAUSE_SLOTS 1024 /* powers of two */
#define NR_OBJECT_SLOTS 4096

struct cause_slot {
	uint64_t key; /* 0: free */
	uint32_t cause;
};

struct object_slot {
	bool is_used;
	uint32_t text;
	struct blocked_object object;
};

struct blocked_texts {
	struct string_table *strings;
	uint32_t stopped;
	uint32_t nr_of_objects; /* strings that they have made */
	struct cause_slot causes[NR_CAUSE_SLOTS];
	struct object_slot objects[NR_OBJECT_SLOTS];
};

static uint32_t intern(struct blocked_texts *texts, const char *text)
{
	return string_table_intern(texts->strings, text, strlen(text));
}

struct blocked_texts *blocked_texts_new(struct string_table *strings)
{
	struct blocked_texts *texts = xcalloc(1, sizeof(*texts));

	texts->strings = strings;
	texts->stopped = intern(texts, "stopped");
	return texts;
}

void blocked_texts_free(struct blocked_texts *texts)
{
	free(texts);
}

uint32_t blocked_texts_stopped(const struct blocked_texts *texts)
{
	return texts->stopped;
}

static uint32_t make_cause(struct blocked_texts *texts, uint32_t call, uint8_t what,
			   uint32_t variant)
{
	const char *name = string_table_get(texts->strings, call);
	const char *cause;
	char text[96];

	if (call == TRACE_NO_STRING)
		return intern(texts, "exception");
	cause = call_cause_of(name, what, variant);
	if (cause)
		return intern(texts, cause);
	/* A call without a name is called so already. */
	if (!strncmp(name, "system call", strlen("system call")))
		return call;
	snprintf(text, sizeof(text), "system call %s", name);
	return intern(texts, text);
}

uint32_t blocked_texts_cause(struct blocked_texts *texts, uint32_t call, uint8_t what,
			     uint32_t variant)
{
	uint64_t key = ((uint64_t)call << 32 | (uint64_t)(variant & 0xffff) << 9 |
			(uint64_t)what << 1) +
		       1;
	struct cause_slot *slot = &texts->causes[hash_slot(key, NR_CAUSE_SLOTS - 1)];

	if (slot->key != key)
		*slot = (struct cause_slot){ key, make_cause(texts, call, what, variant & 0xffff) };
	return slot->cause;
}

/* As Linux's own numbers: bits/socket.h. */
static void put_family(char *text, size_t bytes, uint32_t family)
{
	static const struct {
		uint32_t family;
		const char *name;
	} families[] = {
		{ 1, "unix" },	  { 2, "inet" }, { 10, "inet6" },     { 16, "netlink" },
		{ 17, "packet" }, { 29, "can" }, { 31, "bluetooth" }, { 38, "alg" },
		{ 40, "vsock" },  { 44, "xdp" },
	};

	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
		if (families[i].family == family) {
			snprintf(text, bytes, "%s", families[i].name);
			return;
		}
	}
	snprintf(text, bytes, "family %" PRIu32, family);
}

/* Those that have a number instead of a name. */
static const char *kind_of(uint8_t what)
{
	static const char *const kinds[] = {
		[ANNOT_BLOCKED_FILE] = "file",	       [ANNOT_BLOCKED_DIRECTORY] = "directory",
		[ANNOT_BLOCKED_PIPE] = "pipe",	       [ANNOT_BLOCKED_SOCKET] = "socket",
		[ANNOT_BLOCKED_EVENTFD] = "eventfd",   [ANNOT_BLOCKED_EPOLL] = "epoll",
		[ANNOT_BLOCKED_TIMERFD] = "timerfd",   [ANNOT_BLOCKED_SIGNALFD] = "signalfd",
		[ANNOT_BLOCKED_INOTIFY] = "inotify",   [ANNOT_BLOCKED_FANOTIFY] = "fanotify",
		[ANNOT_BLOCKED_IO_URING] = "io_uring", [ANNOT_BLOCKED_USERFAULTFD] = "userfaultfd",
	};

	if (what < sizeof(kinds) / sizeof(kinds[0]) && kinds[what])
		return kinds[what];
	return "file";
}

/* The kernel's new_encode_dev(). */
static uint32_t major_of(uint32_t device)
{
	return device >> 8 & 0xfff;
}

static uint32_t minor_of(uint32_t device)
{
	return (device & 0xff) | (device >> 12 & 0xfff00);
}

static void put_object(char *text, size_t bytes, const struct blocked_object *object,
		       const char *name)
{
	char family[24];

	if (object->what == ANNOT_BLOCKED_FUTEX) {
		snprintf(text, bytes, "futex %#" PRIx64, object->number);
	} else if (*name) {
		snprintf(text, bytes, "%s", name);
	} else if (object->is_descriptor) {
		snprintf(text, bytes, "%s (fd %" PRIu64 ")", kind_of(object->what), object->number);
	} else if (object->what == ANNOT_BLOCKED_SOCKET) {
		put_family(family, sizeof(family), object->detail & 0xffff);
		snprintf(text, bytes, "socket:[%" PRIu64 "] (%s)", object->number, family);
	} else if (object->what == ANNOT_BLOCKED_CHAR_DEVICE ||
		   object->what == ANNOT_BLOCKED_BLOCK_DEVICE) {
		snprintf(text, bytes, "device %" PRIu32 ":%" PRIu32, major_of(object->detail),
			 minor_of(object->detail));
	} else {
		snprintf(text, bytes, "%s:[%" PRIu64 "]", kind_of(object->what), object->number);
	}
}

static uint32_t make_object(struct blocked_texts *texts, const struct blocked_object *object)
{
	uint32_t nr = string_table_count(texts->strings), id;
	char text[320];

	if (texts->nr_of_objects == BLOCKED_OBJECTS_MAX)
		return TRACE_NO_STRING;
	put_object(text, sizeof(text), object, string_table_get(texts->strings, object->name));
	id = intern(texts, text);
	texts->nr_of_objects += string_table_count(texts->strings) - nr;
	return id;
}

static bool are_same(const struct blocked_object *a, const struct blocked_object *b)
{
	return a->number == b->number && a->detail == b->detail && a->name == b->name &&
	       a->what == b->what && a->is_descriptor == b->is_descriptor;
}

uint32_t blocked_texts_object(struct blocked_texts *texts, const struct blocked_object *object)
{
	uint64_t key = object->number ^ (uint64_t)object->name << 32 ^
		       (uint64_t)object->what << 56 ^ object->detail;
	struct object_slot *slot = &texts->objects[hash_slot(key, NR_OBJECT_SLOTS - 1)];

	if (!slot->is_used || !are_same(&slot->object, object))
		*slot = (struct object_slot){ true, make_object(texts, object), *object };
	return slot->text;
}
