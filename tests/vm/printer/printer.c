// SPDX-License-Identifier: GPL-2.0
/*
 * Prints into the trace, when it is loaded, what printer_truth() in every_event.post says: of such
 * lines a recording has formats and arguments, or the address of a text.
 */
#include <linux/kernel.h>
#include <linux/module.h>

#define NR_LINES 10

static int __init printer_init(void)
{
	int i;

	for (i = 0; i < NR_LINES; i++)
		trace_printk("line %d of %s: %#llx|%5u|%-4s|%c|%%\n", i, "ten", 1ull << 6 * i,
			     7 * i, "ab", 'a' + i);
	trace_puts("a line as it is\n");
	return 0;
}

static void __exit printer_exit(void)
{
}

module_init(printer_init);
module_exit(printer_exit);
MODULE_DESCRIPTION("Lines in the trace, for tests");
MODULE_LICENSE("GPL");
