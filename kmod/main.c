// SPDX-License-Identifier: GPL-2.0
/*
 * annot.ko: what programs say about themselves, written into the ftrace buffer, where it stands
 * beside the scheduler's own events and on the same clock.
 */
#include <linux/init.h>
#include <linux/module.h>

#include "annot.h"
#include "ring.h"

static int __init annot_init(void)
{
	int err;

	err = annot_drain_init();
	if (err)
		return err;
	err = annot_calls_init();
	if (err)
		goto exit_drain;
	err = annot_clients_init();
	if (err)
		goto exit_calls;
	err = annot_recording_init();
	if (err)
		goto exit_clients;
	err = annot_watch_events();
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
	err = annot_devices_create();
	if (err)
		goto exit_pmu;
	annot_exec_init();
	return 0;

exit_pmu:
	annot_pmu_exit();
exit_config:
	annot_config_exit();
exit_hooks:
	annot_hooks_exit();
unwatch:
	annot_unwatch_events();
	annot_recording_exit();
exit_clients:
	annot_clients_exit();
exit_calls:
	annot_calls_exit();
exit_drain:
	annot_drain_exit();
	return err;
}

static void __exit annot_exit(void)
{
	annot_exec_exit();
	annot_devices_destroy();
	annot_pmu_exit();
	annot_config_exit();
	annot_unwatch_events();
	annot_hooks_exit();
	annot_recording_exit();
	annot_clients_exit();
	annot_calls_exit();
	annot_drain_exit();
}

module_init(annot_init);
module_exit(annot_exit);

MODULE_DESCRIPTION("Annotations of user programs in the ftrace buffer");
MODULE_VERSION(ANNOT_MODULE_VERSION);
MODULE_LICENSE("GPL");
