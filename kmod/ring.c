// SPDX-License-Identifier: GPL-2.0
/*
 * mmap() of /dev/annot/cpuN: the memory of a ring.
 *
 * The mapping cannot be inherited, split, grown or moved: it is of one process, and whole or not
 * there.
 */
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/vmalloc.h>

#include "annot.h"
#include "compat.h"
#include "ring.h"

/* A drain of all of it, with interrupts off, is to stay well below a millisecond. */
#define RING_MAX_BYTES 65536

static unsigned int ring_bytes = 8192;
module_param(ring_bytes, uint, 0444);
MODULE_PARM_DESC(ring_bytes, "size of a ring: a power of two, from a page to 65536 (default 8192)");

unsigned int annot_ring_bytes(void)
{
	return ring_bytes;
}

int annot_ring_check_parameter(void)
{
	/* The default, where pages are large. */
	if (ring_bytes == 8192 && ring_bytes < PAGE_SIZE)
		ring_bytes = PAGE_SIZE;
	if (is_power_of_2(ring_bytes) && ring_bytes >= PAGE_SIZE && ring_bytes <= RING_MAX_BYTES)
		return 0;
	pr_err("annot: ring_bytes=%u is not a power of two from %lu to %u\n", ring_bytes, PAGE_SIZE,
	       RING_MAX_BYTES);
	return -EINVAL;
}

static size_t mapped_bytes(void)
{
	return PAGE_SIZE + ring_bytes;
}

static void free_ring(struct annot_cpu_ring *ring)
{
	vfree(ring->shared);
	annot_client_put(ring->client);
	kfree(ring);
}

static void free_ring_rcu(struct rcu_head *rcu)
{
	free_ring(container_of(rcu, struct annot_cpu_ring, rcu));
}

/* Return: 0, or -EBUSY when the client has a ring of this CPU already. */
static int publish(struct annot_cpu_ring *ring)
{
	struct annot_cpu_ring **place = &ring->client->rings[ring->cpu];

	return cmpxchg(place, NULL, ring) ? -EBUSY : 0;
}

static struct annot_cpu_ring *make_ring(struct annot_client *client, unsigned int cpu)
{
	struct annot_cpu_ring *ring = kzalloc(sizeof(*ring), GFP_KERNEL_ACCOUNT);
	int err;

	if (!ring)
		return ERR_PTR(-ENOMEM);
	refcount_inc(&client->refs);
	ring->client = client;
	ring->cpu = cpu;
	ring->drained_at = annot_clock_ticks();
	atomic_set(&ring->nr_vmas, 1);
	err = publish(ring);
	if (err) {
		free_ring(ring);
		return ERR_PTR(err);
	}
	return ring;
}

/* Return: the ring's memory, which the first touch of any of its pages allocates, or NULL. */
static struct annot_ring *memory_of(struct annot_cpu_ring *ring)
{
	struct annot_ring *shared, *other;

	/* Acquire, for another thread may have been first. */
	shared = smp_load_acquire(&ring->shared);
	if (shared)
		return shared;
	shared = __vmalloc(mapped_bytes(), GFP_KERNEL_ACCOUNT | __GFP_ZERO);
	if (!shared)
		return NULL;
	shared->limit = ring_bytes;
	shared->mask = ring_bytes - 1;
	/* Full barrier: whoever finds the memory finds it filled in. */
	other = cmpxchg(&ring->shared, NULL, shared);
	if (!other)
		return shared;
	vfree(shared);
	return other;
}

static vm_fault_t ring_fault(struct vm_fault *vmf)
{
	struct annot_cpu_ring *ring = vmf->vma->vm_private_data;
	struct annot_ring *shared;

	if (vmf->pgoff >= mapped_bytes() >> PAGE_SHIFT)
		return VM_FAULT_SIGBUS;
	shared = memory_of(ring);
	if (!shared)
		return VM_FAULT_OOM;
	vmf->page = vmalloc_to_page((void *)shared + (vmf->pgoff << PAGE_SHIFT));
	get_page(vmf->page);
	return 0;
}

static void ring_open(struct vm_area_struct *vma)
{
	struct annot_cpu_ring *ring = vma->vm_private_data;

	atomic_inc(&ring->nr_vmas);
}

static void ring_close(struct vm_area_struct *vma)
{
	struct annot_cpu_ring *ring = vma->vm_private_data;

	if (!atomic_dec_and_test(&ring->nr_vmas))
		return;
	/*
	 * What it still holds was written by the task that runs on its CPU. The CPU may be offline:
	 * then its last task has been switched away, and the ring drained.
	 */
	smp_call_function_single(ring->cpu, annot_drain_interrupted, ring, true);
	WRITE_ONCE(ring->client->rings[ring->cpu], NULL);
	call_rcu(&ring->rcu, free_ring_rcu);
}

static int ring_may_split(struct vm_area_struct *vma, unsigned long address)
{
	return -EINVAL;
}

static int ring_mremap(struct vm_area_struct *vma)
{
	return -EINVAL;
}

static const struct vm_operations_struct ring_vm_ops = {
	.open = ring_open,
	.close = ring_close,
	.may_split = ring_may_split,
	.mremap = ring_mremap,
	.fault = ring_fault,
};

int annot_cpu_mmap(struct file *file, struct vm_area_struct *vma)
{
	const unsigned long needed = VM_SHARED | VM_READ | VM_WRITE;
	struct annot_client *client;
	struct annot_cpu_ring *ring;

	if (annot_clock_kind() == ANNOT_CLOCK_NONE)
		return -ENODEV;
	if ((vma->vm_flags & needed) != needed || vma->vm_pgoff ||
	    vma->vm_end - vma->vm_start != mapped_bytes())
		return -EINVAL;
	client = annot_client_get_own();
	if (IS_ERR(client))
		return PTR_ERR(client);
	ring = make_ring(client, annot_device_cpu(file_inode(file)));
	if (IS_ERR(ring))
		return PTR_ERR(ring);
	vma->vm_private_data = ring;
	vma->vm_ops = &ring_vm_ops;
	/* VM_IO: so that madvise() cannot undo VM_DONTCOPY, nor a debugger write here. */
	annot_vm_flags_set(vma, VM_IO | VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP);
	return 0;
}
