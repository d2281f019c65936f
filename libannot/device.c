// SPDX-License-Identifier: MIT
/*
 * The module's devices: one for each CPU, so that writers on different CPUs share nothing. An
 * annotation is one write() to the device of the CPU the thread is on; if it is moved in between,
 * the module still goes by the CPU that runs it.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "internal.h"
#include "uapi/annot.h"

/* CPUs beyond share a descriptor with one below. */
#define MAX_DEVICES 4096

_Static_assert(offsetof(struct annot_control_page, recording) ==
		       offsetof(struct annot_control, recording),
	       "the page as the module has it");
_Static_assert(NAME_MAX_BYTES == ANNOT_NAME_MAX_BYTES, "names as the module takes them");

const char *annot_device_directory = "/dev/annot";

static struct descriptor devices[MAX_DEVICES];
static struct descriptor spare_device; /* for when that of a CPU cannot be opened */

void annot_device_path(struct line *path, const char *name, int number)
{
	path->nr_bytes = 0;
	annot_line_add(path, annot_device_directory);
	annot_line_add(path, name);
	if (number >= 0)
		annot_line_add_number(path, number);
	annot_line_add_bytes(path, "", 1);
}

static int current_cpu(void)
{
	int cpu = sched_getcpu();

	return cpu < 0 ? 0 : cpu;
}

static int open_device(struct descriptor *device, int cpu)
{
	int fd = annot_descriptor_current(device, DESCRIPTOR_DEVICE);
	struct line path;

	if (fd >= 0)
		return fd;
	annot_device_path(&path, "/cpu", cpu);
	return annot_descriptor_renew(device, DESCRIPTOR_DEVICE, path.bytes);
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

static int check_version(void)
{
	struct annot_control *page = map_control(NULL);
	uint32_t version;

	if (page == MAP_FAILED)
		return -errno;
	version = page->version;
	munmap(page, (size_t)sysconf(_SC_PAGESIZE));
	return version == ANNOT_ABI_VERSION ? 0 : -EPROTO;
}

int annot_device_open(void)
{
	int fd = open_device(&spare_device, current_cpu());

	if (fd < 0)
		return fd;
	return check_version();
}

/*
 * The page stays mapped for the life of the process, in its children too. If it cannot be mapped
 * a second time, annotations are made whether or not anybody wants them.
 */
void annot_device_map_control(void)
{
	size_t nr_bytes = (size_t)sysconf(_SC_PAGESIZE);

	if (map_control(&annot_control_page) != MAP_FAILED)
		return;
	if (mmap(&annot_control_page, nr_bytes, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED)
		__atomic_store_n(&annot_control_page.recording, 1, __ATOMIC_RELAXED);
}

static int current_device(void)
{
	int cpu = current_cpu();
	int fd = open_device(&devices[cpu % MAX_DEVICES], cpu);

	return fd < 0 ? open_device(&spare_device, cpu) : fd;
}

int annot_device_ioctl(unsigned long request, void *argument)
{
	int fd = current_device();

	if (fd < 0)
		return fd;
	fd = ioctl(fd, request, argument);
	return fd < 0 ? -errno : fd;
}

void annot_device_emit(unsigned int op, const char *name, int64_t value)
{
	int fd = current_device();
	struct line line;

	if (fd < 0)
		return;
	annot_format_device(&line, op, name, value);
	annot_descriptor_write(fd, line.bytes, line.nr_bytes);
}
