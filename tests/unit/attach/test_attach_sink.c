// SPDX-License-Identifier: GPL-2.0
/* LINK: libannot/attach/key_map.c libannot/attach/place.c libannot/attach/object_of_address.c libannot/attach/sink.c */
/* What all fronts have in common. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../../../libannot/attach/key_map.h"

static void a_map_has_any_key(void **state)
{
	static const uint64_t keys[] = { 0, 1, 2, 3, UINT64_MAX - 2 };
	static struct key_map map;
	int values[5];

	(void)state;
	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < 5; i++)
			assert_null(key_map_get(&map, keys[i]));
		for (int i = 0; i < 5; i++)
			assert_true(key_map_put(&map, keys[i], &values[i]));
		for (int i = 0; i < 5; i++)
			assert_ptr_equal(key_map_get(&map, keys[i]), &values[i]);
		for (int i = 0; i < 5; i++)
			assert_ptr_equal(key_map_take(&map, keys[i]), &values[i]);
	}
	for (uint64_t key = UINT64_MAX - 1; key; key++) {
		assert_false(key_map_put(&map, key, values));
		assert_null(key_map_take(&map, key));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_map_has_any_key),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
