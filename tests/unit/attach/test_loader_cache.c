// SPDX-License-Identifier: GPL-2.0
/* Made-up caches of ldconfig, whole and damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "attach/loader_cache.h"

#define PATH "/tmp/test_loader_cache"
#define STRINGS "libone.so.1\0/a/libone.so.1\0/b/libone.so.1\0libtwo.so\0/a/libtwo.so"

struct made_entry {
	uint32_t flags, name, path, os_version;
	uint64_t hardware;
};

struct made_cache {
	char magic[20];
	uint32_t nr_entries;
	uint32_t string_bytes;
	uint32_t reserved[5];
	struct made_entry entries[3];
	char strings[sizeof(STRINGS)];
};

#define AT(offset) ((uint32_t)(offsetof(struct made_cache, strings) + (offset)))

static struct made_cache make_cache(void)
{
	struct made_cache cache = {
		.nr_entries = 3,
		.string_bytes = sizeof(STRINGS),
		.entries = {
			{ .name = AT(0), .path = AT(12) },
			{ .name = AT(0), .path = AT(27) },
			{ .name = AT(42), .path = AT(52) },
		},
		.strings = STRINGS,
	};

	memcpy(cache.magic, "glibc-ld.so.cache1.1", sizeof(cache.magic));
	return cache;
}

/* @before bytes of an older form stand before it; the last @cut bytes are missing. */
static void open_made(struct loader_cache *cache, const struct made_cache *made, size_t before,
		      size_t cut)
{
	FILE *file = fopen(PATH, "w");

	assert_non_null(file);
	for (size_t i = 0; i < before; i++)
		putc('x', file);
	fwrite(made, 1, sizeof(*made) - cut, file);
	fclose(file);
	loader_cache_open(cache, PATH);
	unlink(PATH);
}

static void assert_next(const struct loader_cache *cache, const char *name, uint32_t *entry,
			const char *path)
{
	const char *found = loader_cache_next(cache, name, entry);

	if (path)
		assert_string_equal(found, path);
	else
		assert_null(found);
}

static void assert_whole(size_t before)
{
	const struct made_cache made = make_cache();
	struct loader_cache cache;
	uint32_t entry = 0;

	open_made(&cache, &made, before, 0);
	assert_next(&cache, "libone.so.1", &entry, "/a/libone.so.1");
	assert_next(&cache, "libone.so.1", &entry, "/b/libone.so.1");
	assert_next(&cache, "libone.so.1", &entry, NULL);
	entry = 0;
	assert_next(&cache, "libtwo.so", &entry, "/a/libtwo.so");
	entry = 0;
	assert_next(&cache, "libtwo", &entry, NULL);
	loader_cache_close(&cache);
}

static void names_are_found(void **state)
{
	(void)state;
	assert_whole(0);
	assert_whole(40);
}

static void missing_cache_is_empty(void **state)
{
	struct loader_cache cache;
	uint32_t entry = 0;

	(void)state;
	loader_cache_open(&cache, "/nonexistent");
	assert_next(&cache, "libone.so.1", &entry, NULL);
	loader_cache_close(&cache);
}

static void cut_caches_are_read_within_bounds(void **state)
{
	const struct made_cache made = make_cache();
	struct loader_cache cache;

	(void)state;
	for (size_t cut = 1; cut <= sizeof(made); cut++) {
		uint32_t entry = 0;

		open_made(&cache, &made, 0, cut);
		if (cut >= sizeof(STRINGS))
			assert_next(&cache, "libone.so.1", &entry, NULL);
		entry = 0;
		assert_next(&cache, "libthree.so", &entry, NULL);
		loader_cache_close(&cache);
	}
}

static void too_many_entries_are_none(void **state)
{
	struct made_cache made = make_cache();
	struct loader_cache cache;
	uint32_t entry = 0;

	(void)state;
	made.nr_entries = UINT32_MAX;
	open_made(&cache, &made, 0, 0);
	assert_next(&cache, "libone.so.1", &entry, NULL);
	loader_cache_close(&cache);
	made = make_cache();
	made.entries[0].name = UINT32_MAX;
	made.entries[1].path = UINT32_MAX;
	open_made(&cache, &made, 0, 0);
	entry = 0;
	assert_next(&cache, "libone.so.1", &entry, "");
	loader_cache_close(&cache);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_found),
		cmocka_unit_test(missing_cache_is_empty),
		cmocka_unit_test(cut_caches_are_read_within_bounds),
		cmocka_unit_test(too_many_entries_are_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
