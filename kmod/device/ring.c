// SPDX-License-Identifier: GPL-2.0
/*
 * mmap() of /dev/annot/cpuN: the memory of a ring.
 *
 * The mapping cannot be inherited, split, grown or moved: it belongs to one process, and exists as
 * a
 * whole or not at all. Its page table entries are special ones. No call that pins or reads user
 * memory follows them (vmsplice(), O_DIRECT, io_uring, process_vm_readv(), ptrace()). So once the
 * mapping is gone, user space has no other way to the pages, and only then are they freed.
 */
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "account.h"
#include "client.h"
#include "ftrace/clock.h"
#include "compat.h"
#include "device/control.h"
#include "device/device.h"
#include "drain.h"
#include "device/ring.h"

/* One for the head, one for the records. */
#define NR_PAGES 2
#define MAPPED_BYTES (PAGE_SIZE + ANNOT_RING_BYTES)

static void ring_free(struct annot_cpu_ring *ring)
{
	annot_account_uncharge_pages(ring->client->account.user, NR_PAGES);
	if (ring->shared)
		free_pages_exact(ring->shared, MAPPED_BYTES);
	annot_client_put(ring->client);
	kfree(ring);
}

static void ring_free_work(struct work_struct *work)
{
	ring_free(container_of(to_rcu_work(work), struct annot_cpu_ring, free_work));
}

/* Return: 0, or -EBUSY: the client has a ring of this CPU already. */
static int ring_publish(struct annot_cpu_ring *ring)
{
	struct annot_cpu_ring **place = &ring->client->rings[ring->cpu];

	/* Full barrier: a reader that finds the ring finds it filled in. */
	if (cmpxchg(place, NULL, ring))
		return -EBUSY;
	atomic_inc(&ring->client->nr_rings);
	return 0;
}

static int ring_fill(struct annot_cpu_ring *ring)
{
	ring->shared = alloc_pages_exact(MAPPED_BYTES, ANNOT_GFP_USER | __GFP_ZERO);
	if (!ring->shared)
		return -ENOMEM;
	ring->shared->mask = ANNOT_RING_BYTES - 1;
	ring->drained_at = annot_clock_ticks();
	atomic_set(&ring->nr_vmas, 1);
	INIT_RCU_WORK(&ring->free_work, ring_free_work);
	return ring_publish(ring);
}

static struct annot_cpu_ring *ring_make(struct annot_client *client, unsigned int cpu)
{
	struct annot_cpu_ring *ring;
	int err;

	err = annot_account_charge_pages(client->account.user, NR_PAGES);
	if (err)
		return ERR_PTR(err);
	ring = kzalloc(sizeof(*ring), ANNOT_GFP_USER);
	if (!ring) {
		annot_account_uncharge_pages(client->account.user, NR_PAGES);
		return ERR_PTR(-ENOMEM);
	}
	refcount_inc(&client->refs);
	ring->client = client;
	ring->cpu = cpu;
	err = ring_fill(ring);
	if (err) {
		ring_free(ring);
		return ERR_PTR(err);
	}
	return ring;
}

/* No task can write to the ring any more. */
static void ring_give_up(struct annot_cpu_ring *ring)
{
	WRITE_ONCE(ring->client->rings[ring->cpu], NULL);
	atomic_dec(&ring->client->nr_rings);
	queue_rcu_work(annot_client_free_queue, &ring->free_work);
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
	annot_drain_unmapped(ring);
	ring_give_up(ring);
	/* It may be the last ring of a process whose threads have all ended. */
	annot_drain_end_client();
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
};

static bool ring_vma_is_valid(const struct vm_area_struct *vma)
{
	const unsigned long needed = VM_SHARED | VM_READ | VM_WRITE;

	return (vma->vm_flags & (needed | VM_EXEC)) == needed && !vma->vm_pgoff &&
	       vma->vm_end - vma->vm_start == MAPPED_BYTES && vma->vm_mm == current->mm;
}

/* Not remap_pfn_range(): on 6.1 it gives a WARNING without memory for a page table. */
static bool ring_insert_pages(struct vm_area_struct *vma, unsigned long pfn)
{
	unsigned long at;

	for (at = vma->vm_start; at < vma->vm_end; at += PAGE_SIZE) {
		if (vmf_insert_pfn(vma, at, pfn++) & VM_FAULT_ERROR)
			return false;
	}
	return true;
}

int annot_ring_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct annot_client *client;
	struct annot_cpu_ring *ring;

	if (annot_clock_kind() == ANNOT_CLOCK_NONE)
		return -ENODEV;
	if (!ring_vma_is_valid(vma))
		return -EINVAL;
	client = annot_client_get_own();
	if (IS_ERR(client))
		return PTR_ERR(client);
	ring = ring_make(client, annot_device_cpu(file_inode(file)));
	if (IS_ERR(ring))
		return PTR_ERR(ring);
	/* Never executable. madvise() cannot undo VM_DONTCOPY, because VM_IO is set as well. */
	annot_vm_flags_clear(vma, VM_MAYEXEC);
	annot_vm_flags_set(vma, VM_PFNMAP | VM_IO | VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP);
	if (!ring_insert_pages(vma, page_to_pfn(virt_to_page(ring->shared)))) {
		/*
		 * Another thread may already use the first page; it must not be freed while
		 * mapped.
		 */
		annot_zap_ptes(vma);
		ring_give_up(ring);
		return -ENOMEM;
	}
	vma->vm_private_data = ring;
	vma->vm_ops = &ring_vm_ops;
	return 0;
}
