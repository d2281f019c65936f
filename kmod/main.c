// SPDX-License-Identifier: GPL-2.0
/*
 * annot.ko: writes the annotations of programs into the ftrace buffer, beside the scheduler's own
 * events and on the same clock.
 */
#include <linux/init.h>
#include <linux/module.h>

#include "call_batch.h"
#include "client.h"
#include "ftrace/clock.h"
#include "ftrace/config.h"
#include "device/control.h"
#include "device/cpu.h"
#include "device/ctl.h"
#include "device/device.h"
#include "drain.h"
#include "exec.h"
#include "hooks.h"
#include "pmu/pmu.h"
#include "stack/ioctl.h"
#include "version.h"
#include "ftrace/watch.h"

static int __init annot_init(void)
{
	int err;

	err = annot_drain_init();
	if (err)
		return err;
	err = annot_call_batch_init();
	if (err)
		goto exit_drain;
	err = annot_clients_init();
	if (err)
		goto exit_call_batch;
	err = annot_control_init(annot_clock_kind());
	if (err)
		goto exit_clients;
	err = annot_watch_begin();
	if (err)
		goto unwatch;
	err = annot_hooks_init();
	if (err)
		goto unwatch;
	err = annot_config_init();
	if (err)
		goto exit_hooks;
	err = annot_pmu_init();
	if (err)
		goto exit_config;
	err = annot_stack_init();
	if (err)
		goto exit_pmu;
	err = annot_devices_create(&annot_ctl_fops, &annot_cpu_fops);
	if (err)
		goto exit_stack;
	annot_exec_init();
	return 0;

exit_stack:
	annot_stack_exit();
exit_pmu:
	annot_pmu_exit();
exit_config:
	annot_config_exit();
exit_hooks:
	annot_hooks_exit();
unwatch:
	annot_watch_end();
	annot_control_exit();
exit_clients:
	annot_clients_exit();
exit_call_batch:
	annot_call_batch_exit();
exit_drain:
	annot_drain_exit();
	return err;
}

static void __exit annot_exit(void)
{
	annot_exec_exit();
	annot_devices_destroy();
	annot_pmu_exit();
	annot_stack_exit();
	annot_config_exit();
	annot_watch_end();
	annot_hooks_exit();
	annot_control_exit();
	annot_clients_exit();
	annot_call_batch_exit();
	annot_drain_exit();
}

module_init(annot_init);
module_exit(annot_exit);

MODULE_DESCRIPTION("Annotations of user programs in ftrace");
MODULE_VERSION(ANNOT_MODULE_VERSION);
MODULE_LICENSE("GPL");
