// SPDX-License-Identifier: GPL-2.0
/* LINK: libannot/attach/key_map.c libannot/attach/place.c libannot/attach/object_of_address.c libannot/attach/sink.c tests/unit/libannot/libannot_scenario.c */
/* What all fronts have in common. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../../../libannot/attach/key_map.h"
#include "../../../libannot/attach/sink.h"
#include "../libannot/libannot_scenario.h"

static void a_map_has_any_key(void)
{
	static const uint64_t keys[] = { 0, 1, 2, 3, UINT64_MAX - 2 };
	static struct key_map map;
	int values[5];

	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < 5; i++)
			check(!key_map_get(&map, keys[i]));
		for (int i = 0; i < 5; i++)
			check(key_map_put(&map, keys[i], &values[i]));
		for (int i = 0; i < 5; i++)
			check(key_map_get(&map, keys[i]) == &values[i]);
		for (int i = 0; i < 5; i++)
			check(key_map_take(&map, keys[i]) == &values[i]);
	}
	for (uint64_t key = UINT64_MAX - 1; key; key++) {
		check(!key_map_put(&map, key, values));
		check(!key_map_take(&map, key));
	}
}

static void task_in_wait(void)
{
	attach_task_end(attach_task_begin(place_of_name("task")));
}

/* A wait ends before a task, and begins again behind it, whatever it is called. */
static void a_task_interrupts_a_wait(void)
{
	int pid = getpid();

	attach_wait_begin(place_of_name("lock@0x10"));
	task_in_wait();
	attach_wait_end();
	check_file("marker/trace_marker",
		   "B|%d|lock@0x10|waitE|%dB|%d|taskE|%dB|%d|lock@0x10|wait|0E|%d", pid, pid, pid,
		   pid, pid, pid);
}

/* That for a team ends by itself. */
static void a_task_follows_a_wait_for_a_team(void)
{
	static struct attach_runtime runtime = ATTACH_RUNTIME("test");
	int pid = getpid();

	attach_region_end(&runtime, 7);
	task_in_wait();
	attach_team_end(&runtime, 7);
	check_file("marker/trace_marker",
		   "E|%dB|%d|barrier @team_test|wait|7B|%d|taskE|%dB|%d|barrier @team_test|wait|7"
		   "I|%d|@team_test|7",
		   pid, pid, pid, pid, pid, pid);
}

static bool is_named(const struct place *place, const char *name)
{
	return !strcmp(place->name, name);
}

static void there_is_room_for_words(void)
{
	struct place *mark = NULL;
	char name[32];

	for (int i = 0; i < 2 * PLACES_MAX; i++) {
		snprintf(name, sizeof(name), "name %d", i);
		check(is_named(place_of_name(name), name) == (i < PLACES_MAX - 257));
	}
	for (int i = 0; i < 2 * PLACES_MAX; i++)
		check(is_named(place_of_address("critical", PLACE_DATA, name + i % 32),
			       "critical"));
	check(is_named(place_of_literal(&mark, "@mark"), "@mark"));
	check(is_named(place_of_name("name 5"), "name 5"));
	check(is_named(place_at(place_of_name("name 5")->index), "name 5"));
}

static const struct scenario scenarios[] = {
	{ SCENARIO(a_map_has_any_key) },
	{ SCENARIO(a_task_interrupts_a_wait, .backend = "marker") },
	{ SCENARIO(a_task_follows_a_wait_for_a_team, .backend = "marker") },
	{ SCENARIO(there_is_room_for_words) },
};

int main(int argc, char **argv)
{
	return scenarios_main(argc, argv, scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
}
