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

	err = annot_ring_check_parameter();
	if (err)
		return err;
	err = annot_drain_init();
	if (err)
		return err;
	err = annot_clients_init();
	if (err)
		goto exit_drain;
	err = annot_recording_init();
	if (err)
		goto exit_clients;
	annot_watch_events();
	err = annot_hooks_init();
	if (err)
		goto exit_recording;
	annot_config_init();
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
	annot_hooks_exit();
exit_recording:
	annot_recording_exit();
exit_clients:
	annot_clients_exit();
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
	annot_hooks_exit();
	annot_recording_exit();
	annot_clients_exit();
	annot_drain_exit();
}

module_init(annot_init);
module_exit(annot_exit);

MODULE_DESCRIPTION("Annotations of user programs in the ftrace buffer");
MODULE_VERSION(ANNOT_MODULE_VERSION);
MODULE_LICENSE("GPL");
