// SPDX-License-Identifier: MIT
/*
 * The module's devices: one for each CPU. An annotation is one write() to any of them: the module
 * goes by the CPU that runs the thread. Several are kept open, so that writers on different CPUs
 * rarely share a file's reference count.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "device.h"
#include "annot/annot.h"
#include "descriptor.h"
#include "format.h"
#include "mapping.h"
#include "uapi/annot.h"

/* Descriptors are limited, perhaps to 1024, and a machine may have 512 CPUs. */
#define MAX_DEVICES 16

_Static_assert(offsetof(struct annot_control_page, recording) ==
		       offsetof(struct annot_control, recording),
	       "the page as the module has it");
_Static_assert(NAME_MAX_BYTES == ANNOT_NAME_MAX_BYTES, "names as the module takes them");

const char *annot_device_directory = "/dev/annot";

static struct descriptor devices[MAX_DEVICES];

void annot_device_path(struct line *path, const char *name, int number)
{
	path->nr_bytes = 0;
	annot_line_add(path, annot_device_directory);
	annot_line_add(path, name);
	if (number >= 0)
		annot_line_add_number(path, number);
	annot_line_add_bytes(path, "", 1);
}

int annot_device_cpu(void)
{
	int cpu = sched_getcpu();

	return cpu < 0 ? 0 : cpu;
}

static int open_device(int cpu)
{
	struct descriptor *device = &devices[cpu % MAX_DEVICES];
	int fd = annot_descriptor_current(device, DESCRIPTOR_DEVICE);
	struct line path;

	if (fd >= 0)
		return fd;
	annot_device_path(&path, "/cpu", cpu);
	return annot_descriptor_renew(device, DESCRIPTOR_DEVICE, path.bytes);
}

/* Another open device, if the CPU's own cannot be opened. */
static int other_device(int error)
{
	int i;

	for (i = 0; i < MAX_DEVICES; i++) {
		int fd = annot_descriptor_current(&devices[i], DESCRIPTOR_DEVICE);

		if (fd >= 0)
			return fd;
	}
	return error;
}

static int current_device(void)
{
	int fd = open_device(annot_device_cpu());

	return fd < 0 ? other_device(fd) : fd;
}

static bool includes_ours(const struct abi_range *range)
{
	return range->oldest <= ANNOT_ABI_VERSION && ANNOT_ABI_VERSION <= range->newest;
}

/* At @at, or anywhere if it is NULL. */
static void *map_control(void *at)
{
	size_t nr_bytes = (size_t)sysconf(_SC_PAGESIZE);
	struct line path;
	void *page;
	int fd;

	annot_device_path(&path, "/ctl", -1);
	fd = annot_descriptor_open_briefly(path.bytes, O_RDONLY);
	if (fd < 0) {
		errno = -fd;
		return MAP_FAILED;
	}
	page = mmap(at, nr_bytes, PROT_READ, MAP_SHARED | (at ? MAP_FIXED : 0), fd, 0);
	annot_descriptor_close(fd);
	return page;
}

static int check_version(struct abi_range *range)
{
	const struct annot_control *control;
	void *page = map_control(NULL);

	if (page == MAP_FAILED)
		return -errno;
	control = page;
	*range = (struct abi_range){ control->oldest_version, control->version };
	mapping_end(page, (size_t)sysconf(_SC_PAGESIZE));
	return includes_ours(range) ? 0 : -EPROTO;
}

int annot_device_open(struct abi_range *range)
{
	int fd = open_device(annot_device_cpu());

	if (fd < 0)
		return fd;
	return check_version(range);
}

/*
 * The page stays mapped for the life of the process, and in its children. If it cannot be mapped
 * again, annotations are made even without a recording.
 */
void annot_device_map_control(void)
{
	size_t nr_bytes = (size_t)sysconf(_SC_PAGESIZE);

	if (map_control(&annot_control_page) != MAP_FAILED)
		return;
	if (mapping_make(&annot_control_page, nr_bytes, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED) != MAP_FAILED)
		__atomic_store_n(&annot_control_page.recording, 1, __ATOMIC_RELAXED);
}

bool annot_device_control_is_mapped(void)
{
	const struct annot_control *control = (const void *)&annot_control_page;
	struct abi_range range = { .newest = __atomic_load_n(&control->version, __ATOMIC_ACQUIRE) };

	range.oldest = control->oldest_version;
	return includes_ours(&range);
}

int annot_device_ioctl(unsigned long request, void *argument)
{
	int fd = current_device();

	if (fd < 0)
		return fd;
	fd = ioctl(fd, request, argument);
	return fd < 0 ? -errno : fd;
}

/*
 * A write() could land in a file of the program; this ioctl() cannot, because only the device returns
 * ANNOT_RECORD_TAKEN. So the descriptor is checked only if it returns anything else.
 */
bool annot_device_record(struct annot_record *record)
{
	struct descriptor *device = &devices[annot_device_cpu() % MAX_DEVICES];
	int seen = annot_descriptor_seen(device);

	if (seen >= 0 && ioctl(seen, ANNOT_IOC_RECORD, record) == ANNOT_RECORD_TAKEN)
		return true;
	return annot_device_ioctl(ANNOT_IOC_RECORD, record) == ANNOT_RECORD_TAKEN;
}

int annot_device_emit(unsigned int op, const char *name, int64_t value)
{
	int fd = current_device();
	struct line line;

	if (fd < 0)
		return fd;
	annot_format_device(&line, op, name, value);
	fd = annot_descriptor_write(fd, line.bytes, line.nr_bytes);
	return fd < 0 ? fd : 0;
}
