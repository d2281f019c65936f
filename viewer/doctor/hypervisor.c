// SPDX-License-Identifier: GPL-2.0
#include "doctor/hypervisor.h"

#include <stdio.h>
#include <string.h>

#include "doctor/machine_files.h"
#include "doctor/paths.h"

/* Vendors of virtual machines only. (Amazon, Google and Microsoft make real machines, too.) */
static bool vendor_is_virtual(const struct machine *machine, char *name, size_t size)
{
	static const char *const vendors[] = { "QEMU", "VMware", "innotek GmbH",
					       "Xen",  "Bochs",	 "Parallels",
					       "KVM",  "BHYVE",	 "OpenStack Foundation" };
	char vendor[64];

	machine_file_line(machine, PATH_VENDOR, vendor, sizeof(vendor));
	for (size_t i = 0; i < sizeof(vendors) / sizeof(vendors[0]); i++) {
		if (strncmp(vendor, vendors[i], strlen(vendors[i])))
			continue;
		snprintf(name, size, "%s", vendor);
		return true;
	}
	return false;
}

/* Each hypervisor says so in one of four places. */
bool machine_is_virtual(const struct machine *machine, char *name, size_t size)
{
	char flags[4096];

	if (machine_file_line(machine, PATH_HYPERVISOR, name, size) ||
	    machine_file_line(machine, PATH_DEVICE_TREE_HYPERVISOR, name, size) ||
	    vendor_is_virtual(machine, name, size))
		return true;
	*name = '\0';
	return machine_file_value(machine, PATH_CPUINFO, "flags", flags, sizeof(flags)) &&
	       machine_text_has_word(flags, "hypervisor");
}
