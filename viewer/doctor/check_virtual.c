// SPDX-License-Identifier: GPL-2.0
#include "doctor/check_virtual.h"

#include "doctor/hypervisor.h"
#include "doctor/machine_files.h"
#include "doctor/paths.h"

void doctor_check_virtual(const struct machine *machine, struct verdict *verdict)
{
	char name[64];

	if (machine_is_virtual(machine, name, sizeof(name))) {
		verdict_say(verdict, SEVERITY_LIMITS,
			    "a virtual machine%s%s%s: steal time is not visible", *name ? " (" : "",
			    name, *name ? ")" : "");
		verdict_cure(verdict, "record on the host; grep '^cpu ' /proc/stat has its steal");
	} else if (machine_is_x86(machine) || machine_file_exists(machine, PATH_VENDOR)) {
		verdict_say(verdict, SEVERITY_OK, "not a virtual machine");
	} else {
		verdict_say(verdict, SEVERITY_UNKNOWN,
			    "cannot determine whether this is a virtual machine");
	}
}
