// SPDX-License-Identifier: GPL-2.0
#include "record/log/machine_log.h"

#include <stdio.h>

#include "doctor/hypervisor.h"
#include "record/buffer/marker.h"
#include "trace/lines/machine_line.h"

bool machine_log_format(char *line, size_t size, const struct machine *machine)
{
	char name[MACHINE_MAX_NAME_BYTES];

	if (!machine_is_virtual(machine, name, sizeof(name)))
		return false;
	snprintf(line, size, MACHINE_VIRTUAL_LINE "%s", name);
	return true;
}

void machine_log_write(struct tracefs_instance *instance)
{
	static const struct machine machine = { .root = "" };
	char line[MARKER_LINE_MAX_BYTES];

	if (machine_log_format(line, sizeof(line), &machine))
		marker_write(instance, line);
}
