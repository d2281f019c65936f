// SPDX-License-Identifier: GPL-2.0
/*
 * A PMU for guests that have none: its events happen when a test says so, and how often, and its
 * overflows come as NMIs. It takes the place of the CPU's own (PERF_TYPE_RAW). attr.config:
 *
 *	bits 0-7	what is counted: 1 pokes, 2 storms
 *	bits 8-10	a key: whose event it is; samples are numbered and logged by it
 *	bit 16		samples have a weight and a data source
 *
 * In debugfs, directory nmi_pmu:
 *
 *	poke	"N": N events at once, of the thread that writes it, in user mode
 *	storm	"CPU N": N times, one after the other, an NMI from here to that CPU: an event of
 *		whatever that CPU is just doing. Written when the last one has been handled.
 *	totals	"CPU pokes user-storms kernel-storms events-in-use", then the samples of each key
 *	logN	of CPU N: a struct log_entry for each sample that was handed on
 *
 * A sample's address is its number, counted from 1 by key and CPU: who has them all has lost none.
 * An NMI can come while the counters are being changed, hence the atomic types.
 */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/seq_file.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include <asm/apic.h>
#include <asm/nmi.h>

#define NR_SLOTS 8
#define NR_KEYS 8
#define LOG_ENTRIES BIT(21)

#define CONFIG_WITH_WEIGHT BIT_ULL(16)
#define CONFIG_ALL (CONFIG_WITH_WEIGHT | 0x7ff)

enum source {
	SOURCE_POKE = 1,
	SOURCE_STORM,
};

static unsigned int source_of(const struct perf_event *event)
{
	return event->attr.config & 0xff;
}

static unsigned int key_of(const struct perf_event *event)
{
	return event->attr.config >> 8 & (NR_KEYS - 1);
}

static unsigned int slots = NR_SLOTS;
module_param(slots, uint, 0444);
MODULE_PARM_DESC(slots, "events that a CPU can count at a time, at most 8");

static unsigned int max_precise = 2;
module_param(max_precise, uint, 0444);
MODULE_PARM_DESC(max_precise, "highest precise_ip that is not refused");

/* What the files logN hold. */
struct log_entry {
	u64 number;
	u64 ip;
	u32 pid;
	u8 key;
	u8 user;
	u16 reserved;
};

struct nmi_cpu {
	struct perf_event *events[NR_SLOTS];
	atomic_t due[NR_SLOTS]; /* overflows to be handed on by the next NMI */
	atomic_t nmis_sent;
	unsigned int nmis_seen; /* by the NMI handler, as is all below */
	atomic_t storms_asked;
	unsigned int storms_answered;
	atomic64_t pokes;
	u64 storms[2]; /* of the kernel, of user mode */
	u64 samples[NR_KEYS];
	struct log_entry *log;
	struct debugfs_blob_wrapper log_blob;
};

static DEFINE_PER_CPU(struct nmi_cpu, nmi_cpus);
static struct dentry *debugfs_dir;

static void log_sample(struct nmi_cpu *cpu, unsigned int key, struct pt_regs *regs)
{
	unsigned long nr = cpu->log_blob.size / sizeof(*cpu->log);
	struct log_entry *entry = &cpu->log[nr];

	if (nr == LOG_ENTRIES)
		return;
	entry->number = cpu->samples[key];
	entry->ip = instruction_pointer(regs);
	entry->pid = task_pid_nr(current);
	entry->key = key;
	entry->user = user_mode(regs);
	cpu->log_blob.size += sizeof(*entry);
}

/* perf_event_overflow() is not exported; so nothing here is ever throttled. Context: NMI. */
static void hand_on(struct nmi_cpu *cpu, struct perf_event *event, struct pt_regs *regs)
{
	perf_overflow_handler_t handler = READ_ONCE(event->overflow_handler);
	unsigned int key = key_of(event);
	struct perf_sample_data data;

	event->hw.last_period = event->hw.sample_period;
	perf_sample_data_init(&data, ++cpu->samples[key], event->hw.last_period);
	if (event->attr.config & CONFIG_WITH_WEIGHT) {
		data.weight.full = 3 * cpu->samples[key];
		data.data_src.val = PERF_MEM_S(OP, LOAD) | PERF_MEM_S(LVL, L2) |
				    PERF_MEM_S(LVL, HIT);
		data.sample_flags |= PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC;
	}
	log_sample(cpu, key, regs);
	handler(event, &data, regs);
}

static void hand_on_due(struct nmi_cpu *cpu, struct pt_regs *regs)
{
	unsigned int i;
	int nr;

	for (i = 0; i < slots; i++) {
		struct perf_event *event = READ_ONCE(cpu->events[i]);

		if (!event)
			continue;
		for (nr = atomic_xchg(&cpu->due[i], 0); nr; nr--)
			hand_on(cpu, event, regs);
	}
}

/* Returns how many times the event has overflowed. */
static int count_event(struct perf_event *event, unsigned int nr)
{
	int nr_overflows = 0;

	local64_add(nr, &event->count);
	if (!event->hw.sample_period)
		return 0;
	if (local64_sub_return(nr, &event->hw.period_left) > 0)
		return 0;
	do {
		nr_overflows++;
	} while (local64_add_return(event->hw.sample_period, &event->hw.period_left) <= 0);
	return nr_overflows;
}

/* Context: interrupts off, or NMI. Returns whether an overflow is due. */
static bool happen(struct nmi_cpu *cpu, enum source source, unsigned int nr, bool user)
{
	bool is_due = false;
	unsigned int i;

	for (i = 0; i < slots; i++) {
		struct perf_event *event = READ_ONCE(cpu->events[i]);
		int nr_overflows;

		if (!event || READ_ONCE(event->hw.state) || source_of(event) != source ||
		    (user ? event->attr.exclude_user : event->attr.exclude_kernel))
			continue;
		nr_overflows = count_event(event, nr);
		atomic_add(nr_overflows, &cpu->due[i]);
		is_due |= nr_overflows > 0;
	}
	return is_due;
}

static void send_nmi(unsigned int target)
{
	atomic_inc(&per_cpu(nmi_cpus, target).nmis_sent);
	apic->send_IPI_mask(cpumask_of(target), NMI_VECTOR);
}

/*
 * Two NMIs can become one, or the second come when the first has done its work: as many are ours
 * as were sent.
 */
static int handle_nmi(unsigned int cmd, struct pt_regs *regs)
{
	struct nmi_cpu *cpu = this_cpu_ptr(&nmi_cpus);
	unsigned int nr;

	if (cpu->nmis_seen == atomic_read(&cpu->nmis_sent))
		return NMI_DONE;
	cpu->nmis_seen++;
	nr = atomic_read(&cpu->storms_asked) - cpu->storms_answered;
	if (nr) {
		cpu->storms[user_mode(regs)] += nr;
		happen(cpu, SOURCE_STORM, nr, user_mode(regs));
	}
	hand_on_due(cpu, regs);
	/* Who waits for it may take it that the samples have been taken. */
	smp_store_release(&cpu->storms_answered, cpu->storms_answered + nr);
	return NMI_HANDLED;
}

/* --- the PMU */

static int pmu_event_init(struct perf_event *event)
{
	if (event->attr.type != PERF_TYPE_RAW)
		return -ENOENT;
	if (event->attr.freq || event->attr.precise_ip > max_precise)
		return -EOPNOTSUPP;
	if (event->attr.config & ~CONFIG_ALL || source_of(event) < SOURCE_POKE ||
	    source_of(event) > SOURCE_STORM)
		return -EINVAL;
	event->hw.sample_period = event->attr.sample_period;
	local64_set(&event->hw.period_left, event->hw.sample_period);
	return 0;
}

static void pmu_start(struct perf_event *event, int flags)
{
	WRITE_ONCE(event->hw.state, 0);
}

static void pmu_stop(struct perf_event *event, int flags)
{
	WRITE_ONCE(event->hw.state, PERF_HES_STOPPED | PERF_HES_UPTODATE);
}

static int pmu_add(struct perf_event *event, int flags)
{
	struct nmi_cpu *cpu = this_cpu_ptr(&nmi_cpus);
	unsigned int i;

	for (i = 0; i < slots && cpu->events[i]; i++)
		;
	if (i == slots)
		return -EAGAIN;
	event->hw.idx = i;
	pmu_stop(event, 0);
	atomic_set(&cpu->due[i], 0);
	WRITE_ONCE(cpu->events[i], event);
	if (flags & PERF_EF_START)
		pmu_start(event, 0);
	perf_event_update_userpage(event);
	return 0;
}

static void pmu_del(struct perf_event *event, int flags)
{
	struct nmi_cpu *cpu = this_cpu_ptr(&nmi_cpus);

	pmu_stop(event, 0);
	WRITE_ONCE(cpu->events[event->hw.idx], NULL);
	perf_event_update_userpage(event);
}

static void pmu_read(struct perf_event *event)
{
}

static struct pmu nmi_pmu = {
	.module = THIS_MODULE,
	.task_ctx_nr = perf_hw_context,
	.event_init = pmu_event_init,
	.add = pmu_add,
	.del = pmu_del,
	.start = pmu_start,
	.stop = pmu_stop,
	.read = pmu_read,
};

/* --- debugfs */

static ssize_t poke_write(struct file *file, const char __user *text, size_t length, loff_t *at)
{
	unsigned long flags;
	unsigned int nr;
	int ret = kstrtouint_from_user(text, length, 0, &nr);

	if (ret)
		return ret;
	local_irq_save(flags);
	atomic64_add(nr, &this_cpu_ptr(&nmi_cpus)->pokes);
	if (happen(this_cpu_ptr(&nmi_cpus), SOURCE_POKE, nr, true))
		send_nmi(smp_processor_id());
	local_irq_restore(flags);
	return length;
}

static const struct file_operations poke_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = poke_write,
};

static void storm_once(unsigned int target)
{
	struct nmi_cpu *cpu = &per_cpu(nmi_cpus, target);
	unsigned int ticket = atomic_inc_return(&cpu->storms_asked);

	send_nmi(target);
	/* Pairs with the release by handle_nmi(). */
	while ((int)(smp_load_acquire(&cpu->storms_answered) - ticket) < 0)
		cpu_relax();
}

static int storm(unsigned int target, unsigned int nr)
{
	int ret = 0;

	while (nr-- && !ret) {
		cpus_read_lock();
		if (target < nr_cpu_ids && cpu_online(target))
			storm_once(target);
		else
			ret = -ENODEV;
		cpus_read_unlock();
		cond_resched();
	}
	return ret;
}

static ssize_t storm_write(struct file *file, const char __user *text, size_t length, loff_t *at)
{
	unsigned int target, nr;
	char line[32] = { 0 };
	int ret;

	if (length >= sizeof(line))
		return -EINVAL;
	if (copy_from_user(line, text, length))
		return -EFAULT;
	if (sscanf(line, "%u %u", &target, &nr) != 2)
		return -EINVAL;
	ret = storm(target, nr);
	return ret ? ret : length;
}

static const struct file_operations storm_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = storm_write,
};

static int totals_show(struct seq_file *seq, void *unused)
{
	unsigned int i, in_use, id;

	for_each_possible_cpu(id) {
		struct nmi_cpu *cpu = &per_cpu(nmi_cpus, id);

		for (i = 0, in_use = 0; i < slots; i++)
			in_use += !!READ_ONCE(cpu->events[i]);
		seq_printf(seq, "%u %lld %llu %llu %u", id, atomic64_read(&cpu->pokes),
			   cpu->storms[1], cpu->storms[0], in_use);
		for (i = 0; i < NR_KEYS; i++)
			seq_printf(seq, " %llu", cpu->samples[i]);
		seq_putc(seq, '\n');
	}
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(totals);

static void free_logs(void)
{
	unsigned int id;

	for_each_possible_cpu(id)
		vfree(per_cpu(nmi_cpus, id).log);
}

static int make_logs(void)
{
	unsigned int id;

	for_each_possible_cpu(id) {
		struct nmi_cpu *cpu = &per_cpu(nmi_cpus, id);

		cpu->log = vcalloc(LOG_ENTRIES, sizeof(*cpu->log));
		if (!cpu->log) {
			free_logs();
			return -ENOMEM;
		}
		cpu->log_blob.data = cpu->log;
	}
	return 0;
}

static void make_files(void)
{
	char name[16];
	unsigned int id;

	debugfs_dir = debugfs_create_dir("nmi_pmu", NULL);
	debugfs_create_file("poke", 0200, debugfs_dir, NULL, &poke_fops);
	debugfs_create_file("storm", 0200, debugfs_dir, NULL, &storm_fops);
	debugfs_create_file("totals", 0400, debugfs_dir, NULL, &totals_fops);
	for_each_possible_cpu(id) {
		snprintf(name, sizeof(name), "log%u", id);
		debugfs_create_blob(name, 0400, debugfs_dir, &per_cpu(nmi_cpus, id).log_blob);
	}
}

static int __init nmi_pmu_init(void)
{
	int ret;

	if (slots > NR_SLOTS)
		return -EINVAL;
	ret = make_logs();
	if (ret)
		return ret;
	ret = register_nmi_handler(NMI_LOCAL, handle_nmi, 0, "nmi_pmu");
	if (ret)
		goto free;
	ret = perf_pmu_register(&nmi_pmu, "nmi_pmu", PERF_TYPE_RAW);
	if (ret)
		goto unregister;
	make_files();
	return 0;

unregister:
	unregister_nmi_handler(NMI_LOCAL, "nmi_pmu");
free:
	free_logs();
	return ret;
}

static void __exit nmi_pmu_exit(void)
{
	debugfs_remove_recursive(debugfs_dir);
	perf_pmu_unregister(&nmi_pmu);
	unregister_nmi_handler(NMI_LOCAL, "nmi_pmu");
	free_logs();
}

module_init(nmi_pmu_init);
module_exit(nmi_pmu_exit);

MODULE_DESCRIPTION("A PMU whose events happen when a test says so");
MODULE_LICENSE("GPL");
