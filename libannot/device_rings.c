// SPDX-License-Identifier: MIT
/*
 * The module's rings: one for each CPU, side by side in one range of addresses, so that code in a
 * restartable sequence finds its own by a multiplication. They are this process's own: a child
 * made by fork() inherits no page of the range, and maps its own when it first annotates.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "internal.h"
#include "uapi/annot.h"

#ifdef ANNOT_RSEQ_CLOCK

#define MAX_CPUS 8192
#define MAX_RING_BYTES (UINT32_C(1) << 30)

_Static_assert(ANNOT_RSEQ_CLOCK == ANNOT_CLOCK_TSC || ANNOT_RSEQ_CLOCK == ANNOT_CLOCK_CNTVCT,
	       "clocks as the module counts them");

/* annot_rings.progress, which is 0 again in the child of a fork */
enum {
	UNTRIED,
	BEING_MAPPED,
	REFUSED,
	READY
};

static uint32_t ask_name(const char *bytes, size_t nr_bytes)
{
	struct annot_name name = {
		.text = (uintptr_t)bytes,
		.length_bytes = (uint32_t)nr_bytes,
	};
	int number = annot_device_ioctl(ANNOT_IOC_NAME, &name);

	return number < 0 ? 0 : (uint32_t)number;
}

static int drain(void)
{
	return annot_device_ioctl(ANNOT_IOC_DRAIN, NULL);
}

static const struct ring_source module = { .name = ask_name, .drain = drain };

/* One more than the highest number in "0-3,8-11"; 0 if it cannot be read. */
static uint32_t nr_possible_cpus(void)
{
	char text[1024];
	uint32_t number = 0;
	int fd, nr_read, i;

	fd = annot_descriptor_open_briefly("/sys/devices/system/cpu/possible", O_RDONLY);
	if (fd < 0)
		return 0;
	nr_read = annot_descriptor_read(fd, text, sizeof(text));
	annot_descriptor_close(fd);
	for (i = 0; i < nr_read && text[i] != '\n'; i++) {
		if (text[i] < '0' || text[i] > '9')
			number = 0;
		else if (number < MAX_CPUS)
			number = number * 10 + (uint32_t)(text[i] - '0');
	}
	return nr_read > 0 ? number + 1 : 0;
}

/*
 * Addresses that hold zeros: a ring of that is always full, which sends the annotation to write().
 * Read-only, as that counts for nothing against limits of memory.
 */
static void *map_nothing(void *at, size_t nr_bytes)
{
	void *range = mmap(at, nr_bytes, PROT_READ,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (at ? MAP_FIXED : 0), -1,
			   0);

	if (range != MAP_FAILED)
		madvise(range, nr_bytes, MADV_DONTFORK);
	return range;
}

/* 0, or -errno: the place then holds zeros again; -EFAULT: it holds nothing. */
static int map_ring(int cpu, char *at, size_t nr_bytes)
{
	struct line path;
	int fd, error = 0;

	annot_device_path(&path, "/cpu", cpu);
	fd = annot_descriptor_open_briefly(path.bytes, O_RDWR);
	if (fd < 0)
		return fd;
	if (mmap(at, nr_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED)
		error = -errno;
	annot_descriptor_close(fd);
	if (error && map_nothing(at, nr_bytes) == MAP_FAILED)
		return -EFAULT;
	return error;
}

/* As many as there are: 0; none: -errno. */
static int map_each(char *base, size_t stride_bytes, uint32_t nr_cpus)
{
	int first_error = 0, nr_mapped = 0;
	uint32_t cpu;

	for (cpu = 0; cpu < nr_cpus; cpu++) {
		int error = map_ring((int)cpu, base + cpu * stride_bytes, stride_bytes);

		if (error == -EFAULT)
			return error;
		if (!error)
			nr_mapped++;
		else if (!first_error)
			first_error = error;
	}
	return nr_mapped ? 0 : first_error;
}

static bool module_has_rings(const struct annot_control *control)
{
	return control->clock == ANNOT_RSEQ_CLOCK &&
	       control->record_bytes == sizeof(struct annot_record) &&
	       control->ring_bytes <= MAX_RING_BYTES && control->ring_bytes;
}

static int map_all(void)
{
	const struct annot_control *control = (const void *)&annot_control_page;
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE), stride_bytes;
	struct ring_place place;
	uint32_t nr_cpus;
	char *base;
	int error;

	if (!annot_rings_rseq_offset())
		return -ENOSYS;
	if (!module_has_rings(control))
		return -EOPNOTSUPP;
	nr_cpus = nr_possible_cpus();
	if (!nr_cpus || nr_cpus > MAX_CPUS)
		return -ERANGE;
	stride_bytes = page_bytes + control->ring_bytes;
	base = map_nothing(NULL, nr_cpus * stride_bytes);
	if (base == MAP_FAILED)
		return -errno;
	error = map_each(base, stride_bytes, nr_cpus);
	place = (struct ring_place){ .base = base,
				     .stride_bytes = stride_bytes,
				     .page_bytes = page_bytes,
				     .nr_rings = nr_cpus };
	if (!error)
		error = annot_rings_install(&module, &place);
	if (error)
		munmap(base, nr_cpus * stride_bytes);
	return error;
}

/* Whoever decided for the device may not have come to that yet. */
static bool control_is_mapped(void)
{
	return __atomic_load_n(&annot_control_page.version, __ATOMIC_ACQUIRE) == ANNOT_ABI_VERSION;
}

/*
 * One thread maps. Others, and its own signal handlers, go to write() meanwhile: the events of a
 * thread come in order either way.
 */
bool annot_device_rings_ready(void)
{
	uint32_t progress = __atomic_load_n(&annot_rings.progress, __ATOMIC_ACQUIRE);
	int error;

	if (progress != UNTRIED)
		return progress == READY;
	if (!control_is_mapped())
		return false;
	/* first of all: what a child inherits of this page would be wrong */
	if (madvise(&annot_rings, sizeof(annot_rings), MADV_WIPEONFORK))
		return false;
	if (!__atomic_compare_exchange_n(&annot_rings.progress, &progress, BEING_MAPPED, false,
					 __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return false;
	error = map_all();
	__atomic_store_n(&annot_rings.progress, error ? REFUSED : READY, __ATOMIC_RELEASE);
	annot_backend_tell_rings(error);
	return !error;
}

#else

bool annot_device_rings_ready(void)
{
	return false;
}

#endif
