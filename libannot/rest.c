// SPDX-License-Identifier: MIT
/*
 * Threads that rest. A thread that has checked that nothing records claims to be in a restartable
 * sequence that no thread ever enters. When the kernel preempts the thread, or delivers a signal to
 * it, the thread is not in that sequence, so the kernel sets rseq_cs to 0 (rseq(2); the user space
 * ABI guarantees it). A recorder runs on each CPU when it begins. So all running threads notice it;
 * the others are preempted already.
 *
 * The kernel reads the descriptor of the sequence each time it preempts a thread that rests. The
 * descriptor is therefore in memory of its own, which dlclose() does not unmap. The kernel also
 * reads the signature before the abort handler. There is no handler, because no sequence is ever
 * interrupted.
 */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include "rest.h"
#include "annot/annot.h"
#include "mapping.h"
#include "rseq.h"

#if defined(ANNOT_RSEQ_CLOCK) && __has_include(<sys/rseq.h>)
#include <sys/rseq.h>
#endif

#if defined(ANNOT_RSEQ_CLOCK) && defined(RSEQ_SIG)

struct nowhere {
	struct rseq_cs sequence;
	uint32_t code; /* of the sequence */
	uint32_t signature;
	uint32_t after_signature;
};

static struct nowhere *make_nowhere(void)
{
	size_t nr_bytes = (size_t)sysconf(_SC_PAGESIZE);
	struct nowhere *nowhere = mapping_make(NULL, nr_bytes, PROT_READ | PROT_WRITE,
					       MAP_PRIVATE | MAP_ANONYMOUS);

	if (nowhere == MAP_FAILED)
		return NULL;
	nowhere->signature = RSEQ_SIG;
	nowhere->sequence = (struct rseq_cs){
		.start_ip = (uintptr_t)&nowhere->code,
		.post_commit_offset = sizeof(nowhere->code),
		.abort_ip = (uintptr_t)&nowhere->after_signature,
	};
	return nowhere;
}

bool annot_rest_prepare(void)
{
	struct nowhere *nowhere = annot_rseq_have() ? NULL : make_nowhere();

	if (!nowhere)
		return false;
	annot_control_page.rseq_offset = annot_rseq_offset();
	annot_control_page.resting_cs = (uintptr_t)&nowhere->sequence;
	return true;
}

static uint64_t *current_cs(void)
{
	char *area = annot_thread_pointer() + annot_rseq_offset();

	return (uint64_t *)(void *)(area + offsetof(struct rseq, rseq_cs));
}

bool annot_rest_can(void)
{
	return annot_control_page.resting_cs && !annot_rseq_have();
}

void annot_rest_begin(void)
{
	__atomic_store_n(current_cs(), annot_control_page.resting_cs, __ATOMIC_SEQ_CST);
}

void annot_rest_end(void)
{
	__atomic_store_n(current_cs(), 0, __ATOMIC_RELAXED);
}

#else

bool annot_rest_prepare(void)
{
	return false;
}

bool annot_rest_can(void)
{
	return false;
}

void annot_rest_begin(void)
{
}

void annot_rest_end(void)
{
}

#endif
