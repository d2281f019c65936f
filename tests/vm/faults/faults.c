// SPDX-License-Identifier: GPL-2.0
/*
 * Mistakes that a debug kernel must notice, or its silence about annot.ko would mean nothing. Each
 * is made once, when the module is loaded with its name, and does no more harm than being noticed.
 */
#include <linux/compiler.h>
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timer.h>
#include <linux/vmalloc.h>

#define NR_BYTES 13

static char *fault = "";
module_param(fault, charp, 0444);
MODULE_PARM_DESC(fault, "which mistake is made");

static DEFINE_MUTEX(mutex_a);
static DEFINE_MUTEX(mutex_b);
static int __rcu *pointer;

/* Under a spinlock lockdep would notice it first, and give up. */
static void sleep_in_atomic(void)
{
	preempt_disable();
	mutex_lock(&mutex_a);
	mutex_unlock(&mutex_a);
	preempt_enable();
}

static void unprotected_rcu(void)
{
	if (rcu_dereference(pointer))
		pr_info("faults: never\n");
}

static void inverted_locks(void)
{
	mutex_lock(&mutex_a);
	mutex_lock(&mutex_b);
	mutex_unlock(&mutex_b);
	mutex_unlock(&mutex_a);

	mutex_lock(&mutex_b);
	mutex_lock(&mutex_a);
	mutex_unlock(&mutex_a);
	mutex_unlock(&mutex_b);
}

static void shift_too_far(void)
{
	unsigned int by = 40;

	OPTIMIZER_HIDE_VAR(by);
	pr_info("faults: %d\n", 1 << by);
}

static void do_nothing(struct timer_list *timer)
{
}

static void free_active_timer(void)
{
	struct timer_list *timer = kzalloc(sizeof(*timer), GFP_KERNEL);

	if (!timer)
		return;
	timer_setup(timer, do_nothing, 0);
	mod_timer(timer, jiffies + HZ);
	kfree(timer);
}

static void read_byte(const char *bytes, size_t at)
{
	OPTIMIZER_HIDE_VAR(bytes);
	READ_ONCE(bytes[at]);
}

static void past_the_end(void)
{
	char *bytes = kzalloc(NR_BYTES, GFP_KERNEL);

	if (bytes)
		read_byte(bytes, NR_BYTES);
	kfree(bytes);
}

static void past_the_pages(void)
{
	char *bytes = vzalloc(NR_BYTES);

	if (bytes)
		read_byte(bytes, NR_BYTES);
	vfree(bytes);
}

static void after_free(void)
{
	char *bytes = kzalloc(NR_BYTES, GFP_KERNEL);

	kfree(bytes);
	if (bytes)
		read_byte(bytes, 0);
}

/* Some, for an old copy of a pointer on a stack makes an object look used. */
static void forgotten(void)
{
	unsigned int i;
	char *bytes;

	for (i = 0; i < 10; i++) {
		bytes = kzalloc(NR_BYTES, GFP_KERNEL);
		OPTIMIZER_HIDE_VAR(bytes);
	}
}

static unsigned int raced;

static int race_on(void *unused)
{
	while (!kthread_should_stop()) {
		raced++;
		cond_resched();
	}
	return 0;
}

static void race(void)
{
	struct task_struct *other = kthread_run(race_on, NULL, "faults");
	unsigned long end = jiffies + 10 * HZ;

	if (IS_ERR(other))
		return;
	while (time_before(jiffies, end)) {
		raced++;
		cond_resched();
	}
	kthread_stop(other);
}

static const struct {
	const char *name;
	void (*make)(void);
} mistakes[] = {
	{ "sleep_in_atomic", sleep_in_atomic },
	{ "unprotected_rcu", unprotected_rcu },
	{ "shift_too_far", shift_too_far },
	{ "free_active_timer", free_active_timer },
	{ "inverted_locks", inverted_locks },
	{ "past_the_end", past_the_end },
	{ "past_the_pages", past_the_pages },
	{ "after_free", after_free },
	{ "forgotten", forgotten },
	{ "race", race },
};

static int __init faults_init(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(mistakes); i++) {
		if (!strcmp(mistakes[i].name, fault)) {
			mistakes[i].make();
			return 0;
		}
	}
	return -EINVAL;
}

static void __exit faults_exit(void)
{
}

module_init(faults_init);
module_exit(faults_exit);

MODULE_DESCRIPTION("Mistakes for a debug kernel to notice");
MODULE_LICENSE("GPL");
