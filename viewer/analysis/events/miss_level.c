// SPDX-License-Identifier: GPL-2.0
#include "analysis/events/miss_level.h"

#include <ctype.h>
#include <string.h>

#include "util/xalloc.h"

#define CYCLES_PER_NS 3.0
#define TAKEN_LINE_CYCLES 75

static const struct {
	const char *name;
	double cycles;
} levels[NR_MISS_LEVELS] = {
	[MISS_NONE] = { "-", 0 }, [MISS_TLB] = { "TLB", 30 }, [MISS_L1] = { "L1", 14 },
	[MISS_L2] = { "L2", 44 }, [MISS_L3] = { "L3", 230 },
};

/* Words of names, in small letters; the first that is in a name decides. */
static const struct {
	const char *word;
	enum miss_level level;
} words[] = {
	{ "tlb", MISS_TLB },  { "l3", MISS_L3 },     { "llc", MISS_L3 }, { "l2", MISS_L2 },
	{ "l1i", MISS_NONE }, { "l1-i", MISS_NONE }, { "l1", MISS_L1 },
};

/* Intel's codes of MEM_LOAD_RETIRED and MEM_INST_RETIRED, as raw events are called. */
static const struct {
	const char *name;
	enum miss_level level;
} codes[] = {
	{ "r08d1", MISS_L1 },  { "r8d1", MISS_L1 },   { "r10d1", MISS_L2 }, { "r20d1", MISS_L3 },
	{ "r11d0", MISS_TLB }, { "r12d0", MISS_TLB }, { "r412e", MISS_L3 },
};

static void make_lower(char *text)
{
	for (; *text; text++)
		*text = (char)tolower((unsigned char)*text);
}

enum miss_level miss_level_of_name(const char *name)
{
	char small[64];

	strncpy(small, name, sizeof(small) - 1);
	small[sizeof(small) - 1] = 0;
	make_lower(small);
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		if (!strncmp(small, codes[i].name, strcspn(small, ":")) &&
		    strcspn(small, ":") == strlen(codes[i].name))
			return codes[i].level;
	}
	if (!strstr(small, "miss"))
		return MISS_NONE;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strstr(small, words[i].word))
			return words[i].level;
	}
	return !strncmp(small, "cache-misses", 12) ? MISS_L3 : MISS_NONE;
}

enum miss_level miss_level_of_event(const struct model *model, size_t event)
{
	return miss_level_of_name(trace_string(model->trace, model->pmu_events[event].name));
}

enum miss_level *miss_levels_of_model(const struct model *model)
{
	enum miss_level *levels = xcalloc(model->nr_pmu_events, sizeof(*levels));

	for (size_t i = 0; i < model->nr_pmu_events; i++)
		levels[i] = miss_level_of_event(model, i);
	return levels;
}

double miss_cost_ns(enum miss_level level)
{
	return levels[level].cycles / CYCLES_PER_NS;
}

double miss_taken_line_cost_ns(void)
{
	return TAKEN_LINE_CYCLES / CYCLES_PER_NS;
}

uint64_t miss_total_ns(double each_ns, double misses, uint64_t most_ns)
{
	double ns = misses * each_ns;

	if (!(ns > 0))
		return 0;
	return ns < (double)most_ns ? (uint64_t)ns : most_ns;
}

const char *miss_level_name(enum miss_level level)
{
	return levels[level].name;
}
