// SPDX-License-Identifier: GPL-2.0
/*
 * What a machine's clock may do to annot.ko. With back=N the TSC, as annot.ko reads it, goes back by
 * N ticks, as when it begins anew after the machine slept; with unstable=1 the kernel finds that it
 * is none to go by, and so it stays until the next boot.
 */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <asm/tsc.h>

static bool unstable;
module_param(unstable, bool, 0444);
MODULE_PARM_DESC(unstable, "the kernel finds the TSC unstable");

static unsigned long back;
module_param(back, ulong, 0644);
MODULE_PARM_DESC(back, "ticks by which the TSC that annot.ko reads is behind");

static int go_back(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	regs_set_return_value(regs, regs_return_value(regs) - READ_ONCE(back));
	return 0;
}

static struct kretprobe clock_probe = {
	.kp.symbol_name = "annot_clock_ticks",
	.handler = go_back,
	.maxactive = 64,
};

static int __init clock_faults_init(void)
{
	if (unstable)
		mark_tsc_unstable("a test says so");
	return register_kretprobe(&clock_probe);
}

static void __exit clock_faults_exit(void)
{
	unregister_kretprobe(&clock_probe);
	if (clock_probe.nmissed)
		pr_err("clock_faults: WARNING: %d readings were not behind\n", clock_probe.nmissed);
}

module_init(clock_faults_init);
module_exit(clock_faults_exit);

MODULE_DESCRIPTION("Clocks that go wrong");
MODULE_LICENSE("GPL");
