// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: regions_program
 *
 * Regions as LIKWID's and Score-P's macros make them. With AS_LIBRARY: stands for the libraries of both, and prints
 * which calls they get.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "../../../libannot/attach/likwid/likwid.h"
#include "../../../libannot/attach/scorep/scorep.h"

#ifdef AS_LIBRARY

int likwid_markerStartRegion(const char *tag)
{
	printf("start %s\n", tag);
	return 11;
}

int likwid_markerStopRegion(const char *tag)
{
	printf("stop %s\n", tag);
	return 12;
}

void likwid_markerGetRegion(const char *tag, int *nr_events, double *events, double *time_s,
			    int *count)
{
	(void)events;
	printf("get %s\n", tag);
	*nr_events = 5;
	*time_s = 6;
	*count = 7;
}

/* Its handles are none of annot's. */
static char regions[8], nr_regions;

void SCOREP_User_RegionInit(SCOREP_REGION_PARAMETERS)
{
	(void)last_file;
	(void)last_file_handle;
	printf("init %s %u %s %u\n", name, type, file, line);
	*region = (scorep_region_t)&regions[2 * nr_regions++];
}

void SCOREP_User_RegionBegin(SCOREP_REGION_PARAMETERS)
{
	if (!*region)
		SCOREP_User_RegionInit(SCOREP_REGION_ARGUMENTS);
	printf("begin %s\n", name);
}

void SCOREP_User_RegionEnter(scorep_region_t region)
{
	printf("enter %d\n", (int)((char *)region - regions));
}

void SCOREP_User_RegionEnd(scorep_region_t region)
{
	printf("end %d\n", (int)((char *)region - regions));
}

void SCOREP_User_InitMetric(scorep_metric_t *metric, const char *name, const char *unit,
			    uint32_t type, int8_t context)
{
	printf("metric %s %s %u %d\n", name, unit, type, context);
	*metric = 99;
}

void SCOREP_User_TriggerMetricDouble(scorep_metric_t metric, double value)
{
	printf("trigger %u %g\n", metric, value);
}

bool SCOREP_User_RecordingEnabled(void)
{
	return true;
}

#else

static void *in_thread(void *argument)
{
	likwid_markerThreadInit();
	likwid_markerStopRegion("outer");
	likwid_markerStartRegion("of thread");
	likwid_markerStopRegion("of thread");
	return argument;
}

static void likwid(void)
{
	int nr_events = 3, count = 3, started, stopped;
	double events[3], time_s = 3;
	pthread_t thread;

	likwid_markerInit();
	likwid_markerRegisterRegion("outer");
	started = likwid_markerStartRegion("outer");
	likwid_markerStartRegion("inner");
	likwid_markerStopRegion("inner");
	likwid_markerNextGroup();
	/* They overlap. */
	likwid_markerStartRegion("second");
	stopped = likwid_markerStopRegion("outer");
	pthread_create(&thread, NULL, in_thread, NULL);
	pthread_join(thread, NULL);
	likwid_markerStopRegion("second");
	likwid_markerstartregion_("of Fortran   ", 13);
	likwid_markerstopregion_("of Fortran   ", 13);
	likwid_markerGetRegion("outer", &nr_events, events, &time_s, &count);
	printf("returned %d %d %d %g %d\n", started, stopped, nr_events, time_s, count);
	likwid_markerClose();
}

static void scorep(void)
{
	static const char *last_file;
	static uint32_t last_file_handle;
	static scorep_region_t entered, begun, self, of_class;
	scorep_metric_t metric = 0;
	uint64_t parameter = (uint64_t)-1;

	SCOREP_User_RegionInit(&entered, &last_file, &last_file_handle, "entered", 1, "a.c", 10);
	SCOREP_User_InitMetric(&metric, "metric", "bytes", 2, 1);
	for (int i = 0; i < 2; i++) {
		SCOREP_User_RegionBegin(&begun, &last_file, &last_file_handle, "begun", 1, "a.c",
					20);
		SCOREP_User_RegionEnter(entered);
		SCOREP_User_TriggerMetricDouble(metric, 10.75 + i);
		SCOREP_User_RegionEnd(entered);
		SCOREP_User_RegionEnd(begun);
	}
	SCOREP_User_RegionByNameBegin("by name", 1, "", 0);
	SCOREP_User_ParameterInt64(&parameter, "parameter", -5);
	SCOREP_User_ParameterString(&parameter, "text", "value");
	SCOREP_User_RegionByNameEnd("by name");
	_ZN23SCOREP_User_RegionClassC1EPP18SCOREP_User_RegionPKcjPS4_PjS4_j(
		&self, &of_class, "of class", 1, &last_file, &last_file_handle, "a.c", 30);
	_ZN23SCOREP_User_RegionClassD1Ev(&self);
	printf("enabled %d\n", SCOREP_User_RecordingEnabled());
}

int main(void)
{
	likwid();
	scorep();
	return 0;
}

#endif
