/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The program's side of NVTX version 3, as its headers have it: tables of pointers to functions, which the library
 * that NVTX_INJECTION64_PATH names fills in when the first of them is called. Each file that includes this is a copy of
 * its own.
 */
#ifndef ATTACH_MINI_NVTX_H
#define ATTACH_MINI_NVTX_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

typedef struct {
	uint16_t version, size;
	uint32_t category;
	int32_t color_type;
	uint32_t color;
	int32_t payload_type, reserved;
	union {
		uint64_t u64;
		int64_t i64;
		double real;
	} payload;
	int32_t message_type;
	union {
		const char *ascii;
		const wchar_t *wide;
		void *registered;
	} message;
} mini_nvtx_event;

typedef void (*mini_nvtx_function)(void);

enum {
	MINI_NVTX_CORE = 1,
	MINI_NVTX_CORE2 = 5,
	MINI_NVTX_SYNC = 6,
	MINI_NVTX_MODULES
};

/* The numbers of functions are those of NVTX 3; index 0 is none. */
static mini_nvtx_function mini_nvtx_pointers[MINI_NVTX_MODULES][20];
static const unsigned int mini_nvtx_sizes[MINI_NVTX_MODULES] = { 0, 16, 9, 15, 7, 16, 7 };

static int mini_nvtx_module_table(int module, mini_nvtx_function ***table, unsigned int *nr)
{
	static mini_nvtx_function *tables[MINI_NVTX_MODULES][20];

	if (module < 1 || module >= MINI_NVTX_MODULES)
		return 0;
	for (unsigned int i = 1; i < mini_nvtx_sizes[module]; i++)
		tables[module][i] = &mini_nvtx_pointers[module][i];
	*nr = mini_nvtx_sizes[module] - 1;
	*table = tables[module];
	return 1;
}

static const void *mini_nvtx_export_table(uint32_t id)
{
	static const struct {
		size_t bytes;
		int (*module_table)(int module, mini_nvtx_function ***table, unsigned int *nr);
	} callbacks = { sizeof(callbacks), mini_nvtx_module_table };

	return id == 1 ? &callbacks : NULL;
}

/* What NVTX's functions are until the first of them is called, and without a library NULL. */
static void mini_nvtx_not_initialized(void)
{
	abort();
}

static inline void mini_nvtx_init(void)
{
	const char *path = getenv("NVTX_INJECTION64_PATH");
	void *library;
	int (*init)(const void *(*)(uint32_t));
	int works = 0;

	for (int module = 0; module < MINI_NVTX_MODULES; module++) {
		for (int i = 0; i < 20; i++)
			mini_nvtx_pointers[module][i] = mini_nvtx_not_initialized;
	}
	if (path) {
		library = dlopen(path, RTLD_LAZY);
		if (!library)
			abort();
		init = (int (*)(const void *(*)(uint32_t)))dlsym(library,
								 "InitializeInjectionNvtx2");
		works = init(mini_nvtx_export_table);
	}
	for (int module = 0; module < MINI_NVTX_MODULES; module++) {
		for (int i = 0; i < 20; i++) {
			if (!works || mini_nvtx_pointers[module][i] == mini_nvtx_not_initialized)
				mini_nvtx_pointers[module][i] = NULL;
		}
	}
}

/* Calls a function, or without a library returns @otherwise. */
#define MINI_NVTX(type, module, index, otherwise, types, ...)                      \
	(mini_nvtx_pointers[module][index] ?                                       \
		 ((type(*) types)mini_nvtx_pointers[module][index])(__VA_ARGS__) : \
		 (otherwise))
#define MINI_NVTX_VOID(module, index, types, ...)                                        \
	do {                                                                             \
		if (mini_nvtx_pointers[module][index])                                   \
			((void(*) types)mini_nvtx_pointers[module][index])(__VA_ARGS__); \
	} while (0)

#define nvtxMarkEx(event) MINI_NVTX_VOID(MINI_NVTX_CORE, 1, (const mini_nvtx_event *), event)
#define nvtxMarkA(text) MINI_NVTX_VOID(MINI_NVTX_CORE, 2, (const char *), text)
#define nvtxMarkW(text) MINI_NVTX_VOID(MINI_NVTX_CORE, 3, (const wchar_t *), text)
#define nvtxRangeStartA(text) MINI_NVTX(uint64_t, MINI_NVTX_CORE, 5, 0, (const char *), text)
#define nvtxRangeEnd(id) MINI_NVTX_VOID(MINI_NVTX_CORE, 7, (uint64_t), id)
#define nvtxRangePushEx(event) \
	MINI_NVTX(int, MINI_NVTX_CORE, 8, -2, (const mini_nvtx_event *), event)
#define nvtxRangePushA(text) MINI_NVTX(int, MINI_NVTX_CORE, 9, -2, (const char *), text)
#define nvtxRangePushW(text) MINI_NVTX(int, MINI_NVTX_CORE, 10, -2, (const wchar_t *), text)
#define nvtxRangePop() MINI_NVTX(int, MINI_NVTX_CORE, 11, -2, (void))
#define nvtxNameOsThreadA(tid, text) \
	MINI_NVTX_VOID(MINI_NVTX_CORE, 14, (uint32_t, const char *), tid, text)
#define nvtxDomainMarkEx(domain, event) \
	MINI_NVTX_VOID(MINI_NVTX_CORE2, 1, (void *, const mini_nvtx_event *), domain, event)
#define nvtxDomainRangePushEx(domain, event) \
	MINI_NVTX(int, MINI_NVTX_CORE2, 4, -2, (void *, const mini_nvtx_event *), domain, event)
#define nvtxDomainRangePop(domain) MINI_NVTX(int, MINI_NVTX_CORE2, 5, -2, (void *), domain)
#define nvtxDomainRegisterStringA(domain, text) \
	MINI_NVTX(void *, MINI_NVTX_CORE2, 10, NULL, (void *, const char *), domain, text)
#define nvtxDomainCreateA(name) MINI_NVTX(void *, MINI_NVTX_CORE2, 12, NULL, (const char *), name)
#define nvtxDomainSyncUserCreate(domain, attributes) \
	MINI_NVTX(void *, MINI_NVTX_SYNC, 1, NULL, (void *, const void *), domain, attributes)
#define nvtxDomainSyncUserAcquireStart(sync) MINI_NVTX_VOID(MINI_NVTX_SYNC, 3, (void *), sync)
#define nvtxDomainSyncUserAcquireSuccess(sync) MINI_NVTX_VOID(MINI_NVTX_SYNC, 5, (void *), sync)

#endif /* ATTACH_MINI_NVTX_H */
