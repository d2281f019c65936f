// SPDX-License-Identifier: GPL-2.0
/*
 * mmap() of /dev/annot/cpuN: the memory of a ring.
 *
 * The mapping cannot be inherited, split, grown or moved: it is of one process, and whole or not
 * there. Its page table entries are special ones, which no way of taking hold of a user's memory
 * follows (vmsplice(), O_DIRECT, io_uring, process_vm_readv(), a debugger): when it is unmapped,
 * user space has no other way to the pages, and only then are they freed.
 */
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "annot.h"
#include "compat.h"
#include "ring.h"

/* The head, and the records. */
#define NR_PAGES 2
#define MAPPED_BYTES (PAGE_SIZE + ANNOT_RING_BYTES)

static void free_ring(struct annot_cpu_ring *ring)
{
	annot_pages_uncharge(ring->client->account.user, NR_PAGES);
	if (ring->shared)
		free_pages_exact(ring->shared, MAPPED_BYTES);
	annot_client_put(ring->client);
	kfree(ring);
}

static void free_ring_work(struct work_struct *work)
{
	free_ring(container_of(to_rcu_work(work), struct annot_cpu_ring, free_work));
}

/* Return: 0, or -EBUSY when the client has a ring of this CPU already. */
static int publish(struct annot_cpu_ring *ring)
{
	struct annot_cpu_ring **place = &ring->client->rings[ring->cpu];

	/* Full barrier: whoever finds the ring finds it filled in. */
	if (cmpxchg(place, NULL, ring))
		return -EBUSY;
	atomic_inc(&ring->client->nr_rings);
	return 0;
}

static int fill_ring(struct annot_cpu_ring *ring)
{
	ring->shared = alloc_pages_exact(MAPPED_BYTES, ANNOT_GFP_USER | __GFP_ZERO);
	if (!ring->shared)
		return -ENOMEM;
	ring->shared->mask = ANNOT_RING_BYTES - 1;
	ring->drained_at = annot_clock_ticks();
	atomic_set(&ring->nr_vmas, 1);
	INIT_RCU_WORK(&ring->free_work, free_ring_work);
	return publish(ring);
}

static struct annot_cpu_ring *make_ring(struct annot_client *client, unsigned int cpu)
{
	struct annot_cpu_ring *ring;
	int err;

	err = annot_pages_charge(client->account.user, NR_PAGES);
	if (err)
		return ERR_PTR(err);
	ring = kzalloc(sizeof(*ring), ANNOT_GFP_USER);
	if (!ring) {
		annot_pages_uncharge(client->account.user, NR_PAGES);
		return ERR_PTR(-ENOMEM);
	}
	refcount_inc(&client->refs);
	ring->client = client;
	ring->cpu = cpu;
	err = fill_ring(ring);
	if (err) {
		free_ring(ring);
		return ERR_PTR(err);
	}
	return ring;
}

/* Nobody can write to it any more. */
static void give_up(struct annot_cpu_ring *ring)
{
	WRITE_ONCE(ring->client->rings[ring->cpu], NULL);
	atomic_dec(&ring->client->nr_rings);
	queue_rcu_work(annot_free_queue, &ring->free_work);
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
	give_up(ring);
	/* It may be the last of a process whose threads have all ended. */
	annot_client_forget_ended();
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

static bool is_acceptable(const struct vm_area_struct *vma)
{
	const unsigned long needed = VM_SHARED | VM_READ | VM_WRITE;

	return (vma->vm_flags & (needed | VM_EXEC)) == needed && !vma->vm_pgoff &&
	       vma->vm_end - vma->vm_start == MAPPED_BYTES && vma->vm_mm == current->mm;
}

/* remap_pfn_range() gives a WARNING on 6.1 when there is no memory for a table of pages. */
static bool insert_pages(struct vm_area_struct *vma, unsigned long pfn)
{
	unsigned long at;

	for (at = vma->vm_start; at < vma->vm_end; at += PAGE_SIZE) {
		if (vmf_insert_pfn(vma, at, pfn++) & VM_FAULT_ERROR)
			return false;
	}
	return true;
}

int annot_cpu_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct annot_client *client;
	struct annot_cpu_ring *ring;

	if (annot_clock_kind() == ANNOT_CLOCK_NONE)
		return -ENODEV;
	if (!is_acceptable(vma))
		return -EINVAL;
	client = annot_client_get_own();
	if (IS_ERR(client))
		return PTR_ERR(client);
	ring = make_ring(client, annot_device_cpu(file_inode(file)));
	if (IS_ERR(ring))
		return PTR_ERR(ring);
	/* Never executable; and madvise() cannot undo VM_DONTCOPY, since VM_IO is set as well. */
	annot_vm_flags_clear(vma, VM_MAYEXEC);
	annot_vm_flags_set(vma, VM_PFNMAP | VM_IO | VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP);
	if (!insert_pages(vma, page_to_pfn(virt_to_page(ring->shared)))) {
		/* Another thread may see the first page; it is not to be freed under its eyes. */
		annot_zap_ptes(vma);
		give_up(ring);
		return -ENOMEM;
	}
	vma->vm_private_data = ring;
	vma->vm_ops = &ring_vm_ops;
	return 0;
}
