// SPDX-License-Identifier: MIT
#include "itt_handles.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Programs have few of them, and make them once. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct itt_domain *domains;
static struct itt_string *strings;

static const char counter_tag;

static struct itt_domain *domain_find_or_make(const char *name)
{
	struct itt_domain *domain;

	for (domain = domains; domain; domain = domain->next) {
		if (!strcmp(domain->name, name))
			return domain;
	}
	domain = calloc(1, sizeof(*domain));
	if (!domain)
		return NULL;
	domain->name = strdup(name);
	if (!domain->name) {
		free(domain);
		return NULL;
	}
	domain->flags = 1;
	domain->next = domains;
	domains = domain;
	return domain;
}

static struct itt_string *string_find_or_make(const char *text)
{
	struct itt_string *string;

	for (string = strings; string; string = string->next) {
		if (!strcmp(string->text, text))
			return string;
	}
	string = calloc(1, sizeof(*string));
	if (!string)
		return NULL;
	string->text = strdup(text);
	if (!string->text) {
		free(string);
		return NULL;
	}
	string->next = strings;
	strings = string;
	return string;
}

struct itt_domain *itt_domain_of_name(const char *name)
{
	struct itt_domain *domain;

	pthread_mutex_lock(&lock);
	domain = domain_find_or_make(name ? name : "");
	pthread_mutex_unlock(&lock);
	return domain;
}

struct itt_string *itt_string_of_text(const char *text)
{
	struct itt_string *string;

	pthread_mutex_lock(&lock);
	string = string_find_or_make(text ? text : "");
	pthread_mutex_unlock(&lock);
	return string;
}

struct itt_counter *itt_counter_make(const char *name, enum itt_type type, void *next)
{
	struct itt_counter *counter = calloc(1, sizeof(*counter));

	if (!counter)
		return NULL;
	counter->tag = &counter_tag;
	counter->place = place_of_name(name && *name ? name : "counter");
	counter->type = type;
	counter->next = next;
	return counter;
}

struct itt_counter *itt_counter_of_handle(void *handle)
{
	struct itt_counter *counter = handle;

	return counter && counter->tag == &counter_tag ? counter : NULL;
}

#define NAMED_COUNTERS_MAX 256

struct itt_counter *itt_counter_of_place(struct place *place)
{
	static struct itt_counter counters[NAMED_COUNTERS_MAX];

	for (unsigned int i = 0; i < NAMED_COUNTERS_MAX; i++) {
		struct place *there = NULL;

		if (__atomic_compare_exchange_n(&counters[i].place, &there, place, false,
						__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) ||
		    there == place)
			return &counters[i];
	}
	return NULL;
}
