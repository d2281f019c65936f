/* SPDX-License-Identifier: MIT */
/* The functions behind the macros of Score-P's user instrumentation, in C and C++. */
#ifndef LIBANNOT_ATTACH_SCOREP_H
#define LIBANNOT_ATTACH_SCOREP_H

#include <stdbool.h>
#include <stdint.h>

struct scorep_region;
typedef struct scorep_region *scorep_region_t; /* NULL: it is not made yet */
typedef uint32_t scorep_metric_t;

/* What a region is made of: the last file is a cache of the caller's. */
#define SCOREP_REGION_PARAMETERS                                                     \
	scorep_region_t *region, const char **last_file, uint32_t *last_file_handle, \
		const char *name, uint32_t type, const char *file, uint32_t line
#define SCOREP_REGION_ARGUMENTS region, last_file, last_file_handle, name, type, file, line

void SCOREP_User_RegionInit(SCOREP_REGION_PARAMETERS);
void SCOREP_User_RegionBegin(SCOREP_REGION_PARAMETERS);
void SCOREP_User_RegionEnter(scorep_region_t region);
void SCOREP_User_RegionEnd(scorep_region_t region);
void SCOREP_User_RewindRegionBegin(SCOREP_REGION_PARAMETERS);
void SCOREP_User_RewindRegionEnter(scorep_region_t region);
void SCOREP_User_RewindRegionEnd(scorep_region_t region, bool is_rewound);
void SCOREP_User_OaPhaseBegin(SCOREP_REGION_PARAMETERS);
void SCOREP_User_OaPhaseEnd(scorep_region_t region);
void SCOREP_User_RegionByNameBegin(const char *name, uint32_t type, const char *file,
				   uint32_t line);
void SCOREP_User_RegionByNameEnd(const char *name);

/* Constructor and destructor of SCOREP_User_RegionClass, which SCOREP_USER_REGION() makes in C++. */
void _ZN23SCOREP_User_RegionClassC1EPP18SCOREP_User_RegionPKcjPS4_PjS4_j(
	scorep_region_t *self, scorep_region_t *region, const char *name, uint32_t type,
	const char **last_file, uint32_t *last_file_handle, const char *file, uint32_t line);
void _ZN23SCOREP_User_RegionClassD1Ev(scorep_region_t *self);

void SCOREP_User_ParameterInt64(uint64_t *handle, const char *name, int64_t value);
void SCOREP_User_ParameterUint64(uint64_t *handle, const char *name, uint64_t value);
void SCOREP_User_ParameterString(uint64_t *handle, const char *name, const char *value);

void SCOREP_User_InitMetric(scorep_metric_t *metric, const char *name, const char *unit,
			    uint32_t type, int8_t context);
void SCOREP_User_TriggerMetricInt64(scorep_metric_t metric, int64_t value);
void SCOREP_User_TriggerMetricUint64(scorep_metric_t metric, uint64_t value);
void SCOREP_User_TriggerMetricDouble(scorep_metric_t metric, double value);

void SCOREP_User_EnableRecording(void);
void SCOREP_User_DisableRecording(void);
bool SCOREP_User_RecordingEnabled(void);

#endif /* LIBANNOT_ATTACH_SCOREP_H */
