// SPDX-License-Identifier: GPL-2.0
/* LINK: libannot/attach/key_map.c libannot/attach/place.c libannot/attach/object_of_address.c libannot/attach/sink.c tests/unit/libannot/libannot_scenario.c */
/* What all fronts have in common. */
#include <link.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../../libannot/attach/key_map.h"
#include "../../../libannot/attach/object_of_address.h"
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

static sem_t is_in_loader, may_go_on;

static int wait_in_loader(struct dl_phdr_info *info, size_t size, void *context)
{
	(void)info, (void)size, (void)context;
	sem_post(&is_in_loader);
	sem_wait(&may_go_on);
	return 1;
}

static void *hold_loader(void *argument)
{
	dl_iterate_phdr(wait_in_loader, NULL);
	return argument;
}

/* ... which a thread holds in a callback, and waits for the calling one. Of code that was made at run time, too. */
static void an_object_is_found_without_the_loaders_lock(void)
{
	void *made = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct loaded_object object;
	pthread_t thread;

	alarm(20);
	check(made != MAP_FAILED);
	check(!pthread_create(&thread, NULL, hold_loader, NULL));
	sem_wait(&is_in_loader);
	check(object_of_address((uintptr_t)hold_loader, &object));
	check(strstr(object.path, "/test_attach_sink"));
	check(object_of_address((uintptr_t)dl_iterate_phdr, &object));
	check(!strstr(object.path, "/test_attach_sink"));
	check(!object_of_address((uintptr_t)made, &object));
	sem_post(&may_go_on);
	check(!pthread_join(thread, NULL));
}

static const struct scenario scenarios[] = {
	{ SCENARIO(a_map_has_any_key) },
	{ SCENARIO(a_task_interrupts_a_wait, .backend = "marker") },
	{ SCENARIO(a_task_follows_a_wait_for_a_team, .backend = "marker") },
	{ SCENARIO(an_object_is_found_without_the_loaders_lock) },
	{ SCENARIO(there_is_room_for_words) },
};

int main(int argc, char **argv)
{
	return scenarios_main(argc, argv, scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
}
