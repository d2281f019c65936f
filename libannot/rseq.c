// SPDX-License-Identifier: MIT
/*
 * The restartable sequences of the calling thread. Most C libraries register an area for them. Where
 * the C library does not (glibc on riscv64 before 2.41), each thread registers an area of this library
 * with the kernel, when it first annotates and somebody records.
 *
 * The kernel writes to the area for as long as the thread lives. So the area is in the thread's static
 * storage, which must not belong to an object that dlclose() can unload. The C library initialises
 * that storage for each thread, and reuses it only when the kernel is done with the old thread. A
 * child of fork() inherits memory and registration.
 *
 * A thread has one area. If another library has registered one, this library cannot find it.
 */
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rseq.h"
#include "annot/annot.h"

#if __has_include(<sys/rseq.h>)
#include <sys/rseq.h>
#else
#define __rseq_size 0
#define __rseq_offset 0
#endif

#ifdef ANNOT_RSEQ_CLOCK

static int32_t cpu_id_at(int64_t rseq_offset)
{
	const char *cpu_id = annot_thread_pointer() + rseq_offset + RSEQ_CPU_ID_OFFSET;

	return __atomic_load_n((const int32_t *)(const void *)cpu_id, __ATOMIC_RELAXED);
}

/* RSEQ_SIG: what the C library that this was compiled with would register. */
#ifdef RSEQ_SIG

int64_t annot_rseq_offset(void)
{
	return __rseq_offset;
}

int annot_rseq_have(void)
{
	return __rseq_size && cpu_id_at(__rseq_offset) >= 0 ? 0 : -ENOSYS;
}

#else

/* What stands before the code for interrupted sequences; the kernel goes to no other. */
#if defined(__x86_64__)
#define SIGNATURE 0x53053053
#elif defined(__aarch64__)
#define SIGNATURE 0xd428bc00
#elif defined(__riscv)
#define SIGNATURE 0xf1401073
#endif

/* As the kernel had it first, and will always take it. */
struct area {
	uint32_t cpu_id_start;
	int32_t cpu_id;
	uint64_t rseq_cs;
	uint32_t flags;
	uint32_t reserved[3];
} __attribute__((aligned(32)));

enum {
	UNTRIED = -1,
	REFUSED = -2,
};

static __thread struct area own __attribute__((tls_model("initial-exec"))) = { .cpu_id = UNTRIED };

/* The linker's, of the object that this is linked into. */
extern const Elf64_Ehdr __ehdr_start __attribute__((visibility("hidden")));
extern Elf64_Dyn _DYNAMIC[] __attribute__((weak, visibility("hidden")));

/* The program itself is not, nor is what says so: our shared library. */
static bool may_be_unloaded(void)
{
	const Elf64_Dyn *entry;

	if ((uintptr_t)&__ehdr_start + __ehdr_start.e_phoff == getauxval(AT_PHDR))
		return false;
	for (entry = _DYNAMIC; entry->d_tag != DT_NULL; entry++)
		if (entry->d_tag == DT_FLAGS_1)
			return !(entry->d_un.d_val & DF_1_NODELETE);
	return true;
}

/* A handler may come in between and do the same: then the kernel refuses, and all is well. */
static int register_own(void)
{
	if (may_be_unloaded())
		return -ENOLINK;
	if (!syscall(SYS_rseq, &own, sizeof(own), 0, SIGNATURE) || own.cpu_id >= 0)
		return 0;
	if (errno == ENOSYS)
		return -ENOSYS;
	own.cpu_id = REFUSED;
	return -EEXIST;
}

/* A later version of the C library may have registered its own after all. */
int64_t annot_rseq_offset(void)
{
	return __rseq_size ? __rseq_offset : (char *)&own - annot_thread_pointer();
}

int annot_rseq_have(void)
{
	int32_t cpu_id = cpu_id_at(annot_rseq_offset());

	if (cpu_id >= 0)
		return 0;
	if (__rseq_size)
		return -ENOSYS;
	return cpu_id == REFUSED ? -EEXIST : register_own();
}

#endif

#else

int64_t annot_rseq_offset(void)
{
	return 0;
}

int annot_rseq_have(void)
{
	return -ENOSYS;
}

#endif
