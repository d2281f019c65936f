// SPDX-License-Identifier: MIT
#include "caller.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unwind.h>

#include "../object_of_address.h"

/* What an object is that calls. In two bits, and not 0. */
enum caller {
	CALLER_PROGRAM = 1,
	CALLER_RUNTIME, /* another front tells its waits */
	CALLER_CXX, /* waits on behalf of what calls it */
};

static const struct {
	const char *prefix; /* of a file's name */
	enum caller caller;
} known_objects[] = {
	{ "libgomp.", CALLER_RUNTIME },	   { "libomp", CALLER_RUNTIME },
	{ "libiomp5", CALLER_RUNTIME },	   { "libtbb", CALLER_RUNTIME },
	{ "libmpi", CALLER_RUNTIME },	   { "libopen-pal", CALLER_RUNTIME },
	{ "libopen-rte", CALLER_RUNTIME }, { "mca_", CALLER_RUNTIME },
	{ "libpmix", CALLER_RUNTIME },	   { "libprrte", CALLER_RUNTIME },
	{ "libucp.", CALLER_RUNTIME },	   { "libucs.", CALLER_RUNTIME },
	{ "libuct.", CALLER_RUNTIME },	   { "libucm.", CALLER_RUNTIME },
	{ "libfabric.", CALLER_RUNTIME },  { "libpsm", CALLER_RUNTIME },
	{ "libannot.", CALLER_RUNTIME },   { "libgcc_s.", CALLER_RUNTIME },
	{ "libstdc++.", CALLER_CXX },	   { "libc++", CALLER_CXX },
};

static enum caller caller_of_path(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	for (size_t i = 0; i < sizeof(known_objects) / sizeof(known_objects[0]); i++) {
		if (!strncmp(name, known_objects[i].prefix, strlen(known_objects[i].prefix)))
			return known_objects[i].caller;
	}
	return CALLER_PROGRAM;
}

/*
 * What pages of code belong to: the page's number above, the caller in the lower two bits. A page that is not
 * here is looked up, so objects may come at any time. Where one goes and another takes its addresses, what was
 * known of them stays.
 */
#define PAGE_SHIFT 12
#define PAGES 1024
static uint64_t pages[PAGES];

static enum caller caller_look_up(uintptr_t address)
{
	struct loaded_object object;

	return object_of_address(address, &object) ? caller_of_path(object.path) : CALLER_PROGRAM;
}

static enum caller caller_of(uintptr_t address)
{
	uint64_t page = (uint64_t)address >> PAGE_SHIFT;
	uint64_t *slot = &pages[page % PAGES];
	uint64_t known = __atomic_load_n(slot, __ATOMIC_RELAXED);
	enum caller caller;

	if (known >> 2 == page && known)
		return (enum caller)(known & 3);
	caller = caller_look_up(address);
	__atomic_store_n(slot, page << 2 | caller, __ATOMIC_RELAXED);
	return caller;
}

struct frames {
	bool is_past_cxx;
	uintptr_t address; /* the first behind the C++ library */
};

static _Unwind_Reason_Code look_at_frame(struct _Unwind_Context *context, void *argument)
{
	struct frames *frames = argument;
	uintptr_t address = _Unwind_GetIP(context);

	if (caller_of(address) == CALLER_CXX) {
		frames->is_past_cxx = true;
	} else if (frames->is_past_cxx) {
		frames->address = address;
		return _URC_NORMAL_STOP;
	}
	return _URC_NO_REASON;
}

/* 0: unknown. */
static uintptr_t caller_of_cxx(void)
{
	struct frames frames = { 0 };

	_Unwind_Backtrace(look_at_frame, &frames);
	return frames.address;
}

struct place *caller_place(const char *word, const void *return_address)
{
	uintptr_t address = (uintptr_t)return_address;
	enum caller caller = caller_of(address);

	if (caller == CALLER_CXX) {
		address = caller_of_cxx();
		caller = caller_of(address);
	}
	if (caller == CALLER_RUNTIME)
		return NULL;
	return place_of_call(word, PLACE_LINE, (const void *)address);
}
