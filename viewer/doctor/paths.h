/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Paths of the kernel's files that doctor reads, below machine.root, so that tests can provide
 * their own.
 */
#ifndef ANNOT_DOCTOR_PATHS_H
#define ANNOT_DOCTOR_PATHS_H

#define PATH_MOUNTS "/proc/self/mounts"
#define PATH_STATUS "/proc/self/status"
#define PATH_CGROUP "/proc/self/cgroup"
#define PATH_PID_NAMESPACE "/proc/self/ns/pid"
#define PATH_FILESYSTEMS "/proc/filesystems"
#define PATH_CPUINFO "/proc/cpuinfo"
#define PATH_MEMINFO "/proc/meminfo"
#define PATH_MODULES "/proc/modules"
#define PATH_MODULES_DISABLED "/proc/sys/kernel/modules_disabled"
#define PATH_PARANOID "/proc/sys/kernel/perf_event_paranoid"
#define PATH_NMI_WATCHDOG "/proc/sys/kernel/nmi_watchdog"
#define PATH_DEVICE_TREE_HYPERVISOR "/proc/device-tree/hypervisor/compatible"

#define PATH_MODULE_LOADED "/sys/module/annot"
#define PATH_SIGNATURES_ENFORCED "/sys/module/module/parameters/sig_enforce"
#define PATH_SECURE_BOOT "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
#define PATH_SECURITY_MODULES "/sys/kernel/security/lsm"
#define PATH_LOCKDOWN "/sys/kernel/security/lockdown"
#define PATH_PMUS "/sys/bus/event_source/devices"
#define PATH_CLOCK "/sys/devices/system/clocksource/clocksource0/current_clocksource"
#define PATH_CLOCKS "/sys/devices/system/clocksource/clocksource0/available_clocksource"
#define PATH_HYPERVISOR "/sys/hypervisor/type"
#define PATH_VENDOR "/sys/class/dmi/id/sys_vendor"
#define PATH_CGROUPS "/sys/fs/cgroup"

#define PATH_CTL_DEVICE "/dev/annot/ctl"
#define PATH_CPU_DEVICE "/dev/annot/cpu0"

/* Of a kernel's release: */
#define PATH_FORMAT_MODULES "/lib/modules/%s"

#endif /* ANNOT_DOCTOR_PATHS_H */
