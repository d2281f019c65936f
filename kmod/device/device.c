// SPDX-License-Identifier: GPL-2.0
/*
 * /dev/annot/ctl and, for each possible CPU, /dev/annot/cpuN. They exist from load to unload:
 * taking a CPU offline changes nothing for a process that holds its file open.
 */
#include <linux/cdev.h>
#include <linux/cpumask.h>
#include <linux/device.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/slab.h>

#include "compat.h"
#include "device/device.h"

#define CTL_MINOR 0
#define FIRST_CPU_MINOR 1
#define MODE 0660 /* until the udev rule gives the files to the group annot */

struct annot_device {
	struct device dev;
	struct cdev cdev;
};

static dev_t first_devt;
static struct annot_device *ctl_device;
static DEFINE_PER_CPU(struct annot_device *, cpu_device);

static char *annot_devnode(annot_devnode_device *dev, umode_t *mode)
{
	if (mode)
		*mode = MODE;
	return kasprintf(GFP_KERNEL, "annot/%s", dev_name(dev));
}

static struct class annot_class = {
	.name = "annot",
	.devnode = annot_devnode,
};

static unsigned int nr_minors(void)
{
	return FIRST_CPU_MINOR + nr_cpu_ids;
}

unsigned int annot_device_cpu(const struct inode *inode)
{
	return iminor(inode) - FIRST_CPU_MINOR;
}

static void annot_device_release(struct device *dev)
{
	kfree(container_of(dev, struct annot_device, dev));
}

static struct annot_device *annot_device_create(const char *name, unsigned int minor,
						const struct file_operations *fops)
{
	struct annot_device *device = kzalloc(sizeof(*device), GFP_KERNEL);
	int err;

	if (!device)
		return ERR_PTR(-ENOMEM);

	device_initialize(&device->dev);
	device->dev.class = &annot_class;
	device->dev.devt = MKDEV(MAJOR(first_devt), minor);
	device->dev.release = annot_device_release;
	cdev_init(&device->cdev, fops);
	device->cdev.owner = THIS_MODULE;

	err = dev_set_name(&device->dev, "%s", name);
	if (!err)
		err = cdev_device_add(&device->cdev, &device->dev);
	if (err) {
		put_device(&device->dev);
		return ERR_PTR(err);
	}
	return device;
}

/* @device may be NULL: it was never created. */
static void annot_device_destroy(struct annot_device *device)
{
	if (!device)
		return;
	cdev_device_del(&device->cdev, &device->dev);
	put_device(&device->dev);
}

static void destroy_cpu_devices(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		annot_device_destroy(per_cpu(cpu_device, cpu));
}

static int create_cpu_devices(const struct file_operations *fops)
{
	struct annot_device *device;
	char name[16];
	int cpu;

	for_each_possible_cpu(cpu) {
		snprintf(name, sizeof(name), "cpu%d", cpu);
		device = annot_device_create(name, FIRST_CPU_MINOR + cpu, fops);
		if (IS_ERR(device)) {
			destroy_cpu_devices();
			return PTR_ERR(device);
		}
		per_cpu(cpu_device, cpu) = device;
	}
	return 0;
}

int annot_devices_create(const struct file_operations *ctl, const struct file_operations *cpu)
{
	int err;

	err = alloc_chrdev_region(&first_devt, 0, nr_minors(), "annot");
	if (err)
		return err;
	err = class_register(&annot_class);
	if (err)
		goto unregister_region;
	ctl_device = annot_device_create("ctl", CTL_MINOR, ctl);
	if (IS_ERR(ctl_device)) {
		err = PTR_ERR(ctl_device);
		goto unregister_class;
	}
	err = create_cpu_devices(cpu);
	if (err)
		goto destroy_ctl;
	return 0;

destroy_ctl:
	annot_device_destroy(ctl_device);
unregister_class:
	class_unregister(&annot_class);
unregister_region:
	unregister_chrdev_region(first_devt, nr_minors());
	return err;
}

void annot_devices_destroy(void)
{
	destroy_cpu_devices();
	annot_device_destroy(ctl_device);
	class_unregister(&annot_class);
	unregister_chrdev_region(first_devt, nr_minors());
}
