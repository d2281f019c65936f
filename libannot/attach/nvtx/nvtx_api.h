/* SPDX-License-Identifier: MIT */
/*
 * What is used of the ABI between NVTX version 3 and the library that NVTX_INJECTION64_PATH names. Each object that
 * includes NVTX's headers has tables of pointers to what its functions call. The library finds them with the
 * function that it is given, and fills in those that it implements.
 */
#ifndef LIBANNOT_ATTACH_NVTX_API_H
#define LIBANNOT_ATTACH_NVTX_API_H

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

enum {
	nvtx_table_callbacks = 1
};

enum nvtx_module {
	nvtx_module_core = 1,
	nvtx_module_core2 = 5,
	nvtx_module_sync = 6,
};

/* Their places in the tables of the modules. */
enum nvtx_core {
	nvtx_core_MarkEx = 1,
	nvtx_core_MarkA,
	nvtx_core_MarkW,
	nvtx_core_RangeStartEx,
	nvtx_core_RangeStartA,
	nvtx_core_RangeStartW,
	nvtx_core_RangeEnd,
	nvtx_core_RangePushEx,
	nvtx_core_RangePushA,
	nvtx_core_RangePushW,
	nvtx_core_RangePop,
	nvtx_core_NameCategoryA,
	nvtx_core_NameCategoryW,
	nvtx_core_NameOsThreadA,
	nvtx_core_NameOsThreadW,
};

enum nvtx_core2 {
	nvtx_core2_DomainMarkEx = 1,
	nvtx_core2_DomainRangeStartEx,
	nvtx_core2_DomainRangeEnd,
	nvtx_core2_DomainRangePushEx,
	nvtx_core2_DomainRangePop,
	nvtx_core2_DomainResourceCreate,
	nvtx_core2_DomainResourceDestroy,
	nvtx_core2_DomainNameCategoryA,
	nvtx_core2_DomainNameCategoryW,
	nvtx_core2_DomainRegisterStringA,
	nvtx_core2_DomainRegisterStringW,
	nvtx_core2_DomainCreateA,
	nvtx_core2_DomainCreateW,
};

enum nvtx_sync {
	nvtx_sync_DomainSyncUserCreate = 1,
	nvtx_sync_DomainSyncUserDestroy,
	nvtx_sync_DomainSyncUserAcquireStart,
	nvtx_sync_DomainSyncUserAcquireFailed,
	nvtx_sync_DomainSyncUserAcquireSuccess,
};

#define NVTX_FUNCTIONS_MAX 64 /* of a module; those that we know are fewer */

struct nvtx_callbacks {
	size_t struct_bytes;
	/* From index 1 on, pointers to pointers of functions; their number does not count index 0. */
	int (*module_table)(enum nvtx_module module, void ****table, unsigned int *nr);
};

typedef const void *(*nvtx_export_table)(uint32_t id);

enum nvtx_message_type {
	nvtx_message_none,
	nvtx_message_ascii, /* UTF-8, in fact */
	nvtx_message_wide,
	nvtx_message_registered,
};

enum nvtx_payload_type {
	nvtx_payload_none,
	nvtx_payload_u64,
	nvtx_payload_i64,
	nvtx_payload_double,
	nvtx_payload_u32,
	nvtx_payload_i32,
	nvtx_payload_float,
};

union nvtx_message {
	const char *ascii;
	const wchar_t *wide;
	void *registered;
};

struct nvtx_event {
	uint16_t version;
	uint16_t struct_bytes;
	uint32_t category;
	int32_t color_type;
	uint32_t color;
	int32_t payload_type;
	int32_t reserved;
	union {
		uint64_t u64;
		int64_t i64;
		double real;
		uint32_t u32;
		int32_t i32;
		float short_real;
	} payload;
	int32_t message_type;
	union nvtx_message message;
};

struct nvtx_sync_attributes {
	uint16_t version;
	uint16_t struct_bytes;
	int32_t message_type;
	union nvtx_message message;
};

#endif /* LIBANNOT_ATTACH_NVTX_API_H */
