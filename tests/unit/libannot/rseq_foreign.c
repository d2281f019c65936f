// SPDX-License-Identifier: GPL-2.0
/*
 * The instructions of rseq-arm64.h and rseq-riscv64.h, run where no kernel interrupts them: QEMU's user emulation has
 * no rseq, so this thread's struct rseq is one of our own.
 */
#include <linux/rseq.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "annot/annot.h"
#include "uapi/annot.h"

#define NR_CPUS 2
#define RING_BYTES 256

struct page {
	struct annot_ring ring;
	char rest[4096 - sizeof(struct annot_ring)];
	struct annot_record records[RING_BYTES / sizeof(struct annot_record)];
};

struct annot_control_page annot_control_page = { .recording = 1 };
struct annot_rings_page annot_rings;

static struct page rings[NR_CPUS];
static char *ring_of_cpu[NR_CPUS];
static __thread struct rseq own_rseq;
static int nr_emitted, nr_failures;

void annot_emit(struct annot_site *site, unsigned int op, const char *name, int64_t value)
{
	(void)op;
	(void)value;
	nr_emitted++;
	if (site)
		site->name = annot_rings.generation | (unsigned char)*name;
}

static void is(const char *what, uint64_t got, uint64_t expected)
{
	printf("%sok - %s\n", got == expected ? "" : "not ", what);
	if (got != expected)
		nr_failures++;
}

static void install(void)
{
	int cpu;

	for (cpu = 0; cpu < NR_CPUS; cpu++) {
		rings[cpu].ring.limit = RING_BYTES;
		rings[cpu].ring.mask = RING_BYTES - 1;
		ring_of_cpu[cpu] = (char *)&rings[cpu];
	}
	annot_rings.generation = UINT64_C(1) << 32;
	annot_rings.rings = ring_of_cpu;
	annot_rings.page_bytes = 4096;
	annot_rings.nr_rings = NR_CPUS;
	annot_rings.rseq_offset = (char *)&own_rseq - (char *)__builtin_thread_pointer();
	annot_rings.index_offset = annot_rings.rseq_offset + (int64_t)offsetof(struct rseq, cpu_id);
}

static void mark(const char *unused, int64_t value)
{
	(void)unused;
	annot_mark_value("m", value);
}

/* As the kernel does when something comes between the instructions of a sequence. */
struct sequence {
	uint32_t version;
	uint32_t flags;
	uint64_t start;
	uint64_t nr_bytes;
	uint64_t abort;
};

static int nr_interrupted;

#if defined(__aarch64__)
#define PROGRAM_COUNTER pc
#elif defined(__riscv)
#define PROGRAM_COUNTER __gregs[REG_PC]
#endif

static void interrupt_sequence(int signal, siginfo_t *info, void *context)
{
	const struct sequence *sequence = (const void *)(uintptr_t)own_rseq.rseq_cs;
	ucontext_t *at = context;

	(void)signal;
	(void)info;
	if (!sequence || at->uc_mcontext.PROGRAM_COUNTER - sequence->start >= sequence->nr_bytes)
		_exit(1);
	own_rseq.rseq_cs = 0;
	at->uc_mcontext.PROGRAM_COUNTER = sequence->abort;
	nr_interrupted++;
}

/* Each time at the first look into the ring. */
static void interrupts(void)
{
	struct sigaction action = { .sa_sigaction = interrupt_sequence, .sa_flags = SA_SIGINFO };
	void *nowhere = mmap(NULL, 65536, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t head = rings[1].ring.head;
	int nr_before = nr_emitted;

	sigaction(SIGSEGV, &action, NULL);
	ring_of_cpu[1] = nowhere;
	annot_end();
	is("a sequence that is always interrupted gives up", (uint64_t)nr_interrupted, 16);
	is("what it could not store is emitted", (uint64_t)(nr_emitted - nr_before), 1);
	is("no sequence is left of it", own_rseq.rseq_cs, 0);
	ring_of_cpu[1] = (char *)&rings[1];
	is("the ring is as it was", rings[1].ring.head, head);
}

int main(void)
{
	const struct annot_record *record = rings[1].records;
	int i;

	install();
	own_rseq.cpu_id = 1;
	mark("numbers the name", 0);
	is("a name without a number is not stored", rings[1].ring.head, 0);
	is("but emitted", (uint64_t)nr_emitted, 1);
	mark("stores", -5);
	annot_end();
	is("two records are stored", rings[1].ring.head, 64);
	is("its value", (uint64_t)record->value, (uint64_t)-5);
	is("its name", record->name, 'm');
	is("its operation", record->op, ANNOT_OP_MARK);
	is("its flags", record->flags, ANNOT_RECORD_HAS_VALUE);
	is("the next one's operation", record[1].op, ANNOT_OP_END);
	is("the next one's flags", record[1].flags, 0);
	is("a time", record[0].ticks && record[0].ticks <= record[1].ticks, 1);
	is("no sequence is left", own_rseq.rseq_cs, 0);
	for (i = 0; i < 10; i++)
		mark("fills", i);
	is("a full ring is left alone", rings[1].ring.head, RING_BYTES);
	is("what it cannot take is emitted", (uint64_t)nr_emitted, 5);
	is("no sequence is left of that", own_rseq.rseq_cs, 0);
	rings[1].ring.limit += RING_BYTES;
	mark("wraps", 77);
	is("the ring is round", (uint64_t)record->value, 77);
	rings[1].ring.due = -(record->ticks + 1000000000); /* at no more than 1 GHz in a second */
	mark("not yet due", 78);
	is("a ring that is not due takes more", rings[1].ring.head, RING_BYTES + 64);
	rings[1].ring.due = -record->ticks;
	mark("due", 79);
	is("a ring that is due is left alone", rings[1].ring.head, RING_BYTES + 64);
	is("what it does not take is emitted", (uint64_t)nr_emitted, 6);
	is("no sequence is left of that either", own_rseq.rseq_cs, 0);
	interrupts();
	own_rseq.cpu_id = (uint32_t)RSEQ_CPU_ID_UNINITIALIZED;
	mark("nowhere", 0);
	is("a thread without rseq is emitted", (uint64_t)nr_emitted, 8);
	is("nothing came into the other ring", rings[0].ring.head, 0);
	return nr_failures != 0;
}
