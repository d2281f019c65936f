// SPDX-License-Identifier: MIT
/*
 * The front of programs that are instrumented with Score-P's macros: their regions are spans of work, metrics are
 * counters, and parameters are marks. Score-P's own library, if the program has it, gets all calls, too. Without it,
 * handles are ours.
 */
#include "scorep.h"

#include <stddef.h>
#include <stdio.h>

#include "../forward.h"
#include "../key_map.h"
#include "../sink.h"

/* Places, by Score-P's handles. */
static struct key_map regions, metrics;

static void region_begin(struct place *place)
{
	/* The end comes without a name, so there must be a begin. */
	attach_work_begin(place ? place : place_of_name("region"));
}

static struct place *region_place(scorep_region_t region)
{
	return key_map_get(&regions, (uintptr_t)region);
}

static void region_name(scorep_region_t *region, const char *name)
{
	struct place *place = place_of_name(name);

	if (!*region)
		*region = (scorep_region_t)place;
	key_map_put(&regions, (uintptr_t)*region, place);
}

FORWARD_WRAPPER void SCOREP_User_RegionInit(SCOREP_REGION_PARAMETERS)
{
	FORWARD_VOID(SCOREP_User_RegionInit, SCOREP_REGION_ARGUMENTS);
	region_name(region, name);
}

FORWARD_WRAPPER void SCOREP_User_RegionBegin(SCOREP_REGION_PARAMETERS)
{
	FORWARD_VOID(SCOREP_User_RegionBegin, SCOREP_REGION_ARGUMENTS);
	region_begin(place_of_name(name));
}

FORWARD_WRAPPER void SCOREP_User_RegionEnter(scorep_region_t region)
{
	FORWARD_VOID(SCOREP_User_RegionEnter, region);
	region_begin(region_place(region));
}

FORWARD_WRAPPER void SCOREP_User_RegionEnd(scorep_region_t region)
{
	attach_work_end();
	FORWARD_VOID(SCOREP_User_RegionEnd, region);
}

FORWARD_WRAPPER void SCOREP_User_RewindRegionBegin(SCOREP_REGION_PARAMETERS)
{
	FORWARD_VOID(SCOREP_User_RewindRegionBegin, SCOREP_REGION_ARGUMENTS);
	region_begin(place_of_name(name));
}

FORWARD_WRAPPER void SCOREP_User_RewindRegionEnter(scorep_region_t region)
{
	FORWARD_VOID(SCOREP_User_RewindRegionEnter, region);
	region_begin(region_place(region));
}

FORWARD_WRAPPER void SCOREP_User_RewindRegionEnd(scorep_region_t region, bool is_rewound)
{
	attach_work_end();
	FORWARD_VOID(SCOREP_User_RewindRegionEnd, region, is_rewound);
}

FORWARD_WRAPPER void SCOREP_User_OaPhaseBegin(SCOREP_REGION_PARAMETERS)
{
	FORWARD_VOID(SCOREP_User_OaPhaseBegin, SCOREP_REGION_ARGUMENTS);
	region_begin(place_of_name(name));
}

FORWARD_WRAPPER void SCOREP_User_OaPhaseEnd(scorep_region_t region)
{
	attach_work_end();
	FORWARD_VOID(SCOREP_User_OaPhaseEnd, region);
}

FORWARD_WRAPPER void SCOREP_User_RegionByNameBegin(const char *name, uint32_t type,
						   const char *file, uint32_t line)
{
	FORWARD_VOID(SCOREP_User_RegionByNameBegin, name, type, file, line);
	region_begin(place_of_name(name));
}

FORWARD_WRAPPER void SCOREP_User_RegionByNameEnd(const char *name)
{
	attach_work_end();
	FORWARD_VOID(SCOREP_User_RegionByNameEnd, name);
}

FORWARD_WRAPPER void _ZN23SCOREP_User_RegionClassC1EPP18SCOREP_User_RegionPKcjPS4_PjS4_j(
	scorep_region_t *self, scorep_region_t *region, const char *name, uint32_t type,
	const char **last_file, uint32_t *last_file_handle, const char *file, uint32_t line)
{
	FORWARD_VOID(_ZN23SCOREP_User_RegionClassC1EPP18SCOREP_User_RegionPKcjPS4_PjS4_j, self,
		     region, name, type, last_file, last_file_handle, file, line);
	region_begin(place_of_name(name));
}

FORWARD_WRAPPER void _ZN23SCOREP_User_RegionClassD1Ev(scorep_region_t *self)
{
	attach_work_end();
	FORWARD_VOID(_ZN23SCOREP_User_RegionClassD1Ev, self);
}

FORWARD_WRAPPER void SCOREP_User_ParameterInt64(uint64_t *handle, const char *name, int64_t value)
{
	FORWARD_VOID(SCOREP_User_ParameterInt64, handle, name, value);
	attach_mark_value(place_of_name(name), value);
}

FORWARD_WRAPPER void SCOREP_User_ParameterUint64(uint64_t *handle, const char *name, uint64_t value)
{
	FORWARD_VOID(SCOREP_User_ParameterUint64, handle, name, value);
	attach_mark_value(place_of_name(name), (int64_t)value);
}

/* The text is told as a name: each is another mark. */
FORWARD_WRAPPER void SCOREP_User_ParameterString(uint64_t *handle, const char *name,
						 const char *value)
{
	char text[256];

	FORWARD_VOID(SCOREP_User_ParameterString, handle, name, value);
	if (!attach_is_recording())
		return;
	snprintf(text, sizeof(text), "%s %s", name, value);
	annot_put(NULL, ANNOT_OP_MARK, text, 0);
}

static void metric_put(scorep_metric_t metric, int64_t value)
{
	struct place *place = key_map_get(&metrics, metric);

	if (place)
		attach_counter(place, value);
}

FORWARD_WRAPPER void SCOREP_User_InitMetric(scorep_metric_t *metric, const char *name,
					    const char *unit, uint32_t type, int8_t context)
{
	struct place *place = place_of_name(name);

	FORWARD_VOID(SCOREP_User_InitMetric, metric, name, unit, type, context);
	if (!FORWARD_NEXT(SCOREP_User_InitMetric))
		*metric = place->index;
	key_map_put(&metrics, *metric, place);
}

FORWARD_WRAPPER void SCOREP_User_TriggerMetricInt64(scorep_metric_t metric, int64_t value)
{
	FORWARD_VOID(SCOREP_User_TriggerMetricInt64, metric, value);
	metric_put(metric, value);
}

FORWARD_WRAPPER void SCOREP_User_TriggerMetricUint64(scorep_metric_t metric, uint64_t value)
{
	FORWARD_VOID(SCOREP_User_TriggerMetricUint64, metric, value);
	metric_put(metric, (int64_t)value);
}

/* Values are whole numbers. */
FORWARD_WRAPPER void SCOREP_User_TriggerMetricDouble(scorep_metric_t metric, double value)
{
	FORWARD_VOID(SCOREP_User_TriggerMetricDouble, metric, value);
	if (value > -0x1p63 && value < 0x1p63)
		metric_put(metric, (int64_t)value);
}

FORWARD_WRAPPER void SCOREP_User_EnableRecording(void)
{
	FORWARD_VOID(SCOREP_User_EnableRecording);
}

FORWARD_WRAPPER void SCOREP_User_DisableRecording(void)
{
	FORWARD_VOID(SCOREP_User_DisableRecording);
}

FORWARD_WRAPPER bool SCOREP_User_RecordingEnabled(void)
{
	return FORWARD(SCOREP_User_RecordingEnabled);
}
