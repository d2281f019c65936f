// SPDX-License-Identifier: GPL-2.0
#include "report/catalogue.h"

#define CURES(...) ((const char *const[]){ __VA_ARGS__, NULL })

static const struct catalogue_entry entries[NR_FINDING_KINDS] = {
	[FINDING_IMBALANCE] = {
		"threads of one parallel region get unequal amounts of work",
		"Some threads of a parallel region finish early and wait for the last one. The time "
		"they wait is lost.",
		"annot takes the useful time of each thread in each instance of the region: time on a "
		"CPU, in a work span, outside wait spans. Imbalance time is the greatest useful time "
		"minus the mean. It is the time that perfect balance would save. A thread counts as "
		"consistently slowest if a permutation test rejects chance at 1 %.",
		"In the page, the region's spans end at different times, and a wait follows each of "
		"them but the last. annot report --show regions lists the last thread of each "
		"instance, and why it was last.",
		CURES("Hand out smaller chunks as threads become free: a dynamic or guided schedule, a "
		      "work queue, work stealing.",
		      "Split by the amount of work (non-zeros, particles), not by index.",
		      "Start with the largest pieces.",
		      "If the last thread has the same work but more misses, see set-conflicts and "
		      "working-set. If it was preempted, see interference."),
	},
	[FINDING_SERIALISATION] = {
		"one thread works while the others wait",
		"Part of the program runs in one thread only. More CPUs do not make it faster "
		"(Amdahl's law).",
		"annot sums the time in which one thread of a group works and all others wait. It does "
		"not count the end of a region in which all of them take part.",
		"In the page, one lane is filled, and the others show a wait of the same length. "
		"annot report --show regions lists the time as serial.",
		CURES("Make the serial part parallel, or run it while the other threads do other work.",
		      "Move input, output and allocation out of it.",
		      "If it holds a lock: split the lock, or hold it for a shorter time.",
		      "If nothing else helps, use fewer threads: the others only cost."),
	},
	[FINDING_INTERFERENCE] = {
		"another program takes the CPU",
		"A thread could run, but a thread of another program ran on its CPU. Threads that wait "
		"for it at a barrier lose the same time.",
		"annot sums the time in which a thread was preempted, by the thread that ran on its CPU "
		"then. It adds the time by which this lengthened waits of other threads.",
		"In the page, the thread's lane is 'preempted', and its CPU's lane shows a thread of "
		"another program. annot report --show interference lists the pairs of threads.",
		CURES("Do not run more threads than there are CPUs, in all programs together.",
		      "Give each program its own CPUs: taskset, cgroup cpusets, isolcpus.",
		      "Lower the priority of work that can wait: nice, SCHED_BATCH, SCHED_IDLE.",
		      "If programs must share CPUs, use barriers that sleep instead of spin."),
	},
	[FINDING_WAKEUP_LATENCY] = {
		"threads start late after a wakeup",
		"A thread was woken and did not run at once: its CPU was busy, or in a sleep state.",
		"annot measures the time from each wakeup to the next switch onto a CPU, for all threads "
		"of the session. The time lost is the part on the session's critical path, minus the "
		"time by which sleeps on that path may have become shorter.",
		"In the page, 'runnable' precedes 'running', and an arrow points from the thread that "
		"woke it. annot report --show wakeups prints the distribution.",
		CURES("If another program holds the CPU: move one of them to another CPU, or give the "
		      "woken thread a higher priority (chrt, nice).",
		      "Wait less often, and for more at a time: batches instead of single items.",
		      "Spin for a short time before sleeping (OMP_WAIT_POLICY, GOMP_SPINCOUNT).",
		      "Pin threads to CPUs of their own, and keep these CPUs out of deep idle states "
		      "(cpuidle, /dev/cpu_dma_latency)."),
	},
	[FINDING_IDLE_WAITS] = {
		"threads wait for a busy CPU while another one is idle",
		"Threads are queued on one CPU while another CPU, on which they have also run, is idle.",
		"annot sums the time in which a thread was queued on one CPU and another CPU was idle on "
		"which the thread ran at some time. It subtracts the time in which the CPU of the "
		"queue was itself idle.",
		"In the page, a thread's lane is 'preempted' or 'runnable' while a CPU's lane is empty. "
		"annot report --show idle_waits lists each thread; --show interference lists the queue "
		"of each CPU.",
		CURES("Start as many threads as there are CPUs (OMP_NUM_THREADS). A container may have "
		      "fewer than nproc prints.",
		      "Do not let affinity masks overlap: several programs pinned to the same CPUs "
		      "wait for each other while other CPUs are idle.",
		      "Do not pin threads if the load changes."),
	},
	[FINDING_MIGRATIONS] = {
		"threads move from CPU to CPU",
		"A thread that migrates leaves its caches behind. If it leaves the NUMA node, it leaves "
		"its memory behind, too.",
		"A thread migrates when its next slice is on another CPU than its last. How far it moves "
		"follows from the caches and nodes that the two CPUs share.",
		"In the page, a thread's lane changes the CPU. annot report --show migrations lists from "
		"where to where, how far, and the cost.",
		CURES("Pin threads: OMP_PROC_BIND=close or spread, OMP_PLACES=cores, taskset, "
		      "numactl.",
		      "First touch: pin the thread first, then let it be the first to write to the "
		      "memory that it will use.",
		      "Do not run more threads than CPUs: the scheduler then need not move any."),
	},
	[FINDING_SWITCH_MISSES] = {
		"caches are cold after a switch",
		"While a thread was off its CPU, other threads filled the caches with their data; or the "
		"thread moved to a CPU whose caches do not hold its data. When it runs again, it misses "
		"data that was cached before.",
		"annot counts the misses at the begin of each slice, above the rate of the same thread "
		"later on in the same task. It gives an interval (bootstrap) and the probability of "
		"chance (permutation test, below 1 %). It subtracts the misses of slices before which "
		"no other thread ran.",
		"In the page, misses are dense where a slice begins. annot report --show switch_misses "
		"prints their rate by the time since the switch.",
		CURES("Switch less often: longer time slices (SCHED_BATCH), fewer threads, more work "
		      "between two waits.",
		      "Keep the other program off this CPU and off CPUs that share its caches (cpusets). "
		      "resctrl can reserve a part of the last-level cache.",
		      "If the thread migrates, pin it.",
		      "A smaller working set is reloaded faster: see working-set."),
	},
	[FINDING_SET_CONFLICTS] = {
		"data competes for the same few sets of a cache",
		"The address of a line determines the one set of a cache that can hold the line. A set "
		"holds only a few lines: it has few ways. Lines whose addresses agree modulo the set "
		"span (number of sets times line size, 4096 bytes in most L1 caches) evict each "
		"other, while the rest of the cache is free.",
		"For each instruction, annot counts how the distinct lines of its samples are spread "
		"over the sets. There is a conflict if a set gets more lines than it has ways, far more "
		"than by chance, and all lines together would fit into the cache. If samples have no "
		"addresses, annot tests the registers that were recorded with them (annot record "
		"--registers) as if they were addresses. It then reports no conflict if another "
		"register has as many lines without conflicts. A constant that the instruction adds to "
		"the register changes nothing. An index that it adds is not in the register: rows of "
		"4096 bytes, read one after the other, then look like a conflict. If an instruction "
		"loads into its address register, that address is lost. annot tests the L1 "
		"cache only: the sets of the other levels depend on physical addresses, which annot "
		"does not record.",
		"annot samples --columns ip,addr shows addresses with the same last digits; --columns "
		"ip,regs shows registers. annot report --show set_conflicts lists the instructions, "
		"and whether addresses or a register gave the evidence.",
		CURES("Padding: make rows or arrays a line (or a few) longer than a power of two.",
		      "Colouring: start arrays that are used together at different offsets.",
		      "Another layout: an array of structs instead of arrays of the same size side "
		      "by side.",
		      "Copy a block into a buffer of its own before working on it.",
		      "Page colouring or huge pages, for a cache that is indexed by physical address."),
	},
	[FINDING_FALSE_SHARING] = {
		"CPUs write to different data in one cache line",
		"A CPU that writes to a line takes it from all other CPUs. If the other CPUs use other "
		"bytes of the line, it moves between CPUs without need.",
		"annot finds lines that samples of several CPUs hit in turn, at different offsets, with "
		"stores among the samples (annot record -e l1_cache_miss,memory_stores). It estimates "
		"the cost from the samples of misses.",
		"annot report --show false_sharing lists the lines; annot report --by address shows the "
		"data in them.",
		CURES("Align the data of each thread to lines of its own: alignas(64), padding "
		      "(128 bytes on CPUs that fetch lines in pairs).",
		      "Let each thread add up in a local variable, and write the sum once.",
		      "Keep data that is written apart from data that is only read.",
		      "Split arrays among threads in whole lines."),
	},
	[FINDING_WORKING_SET] = {
		"a task uses more data than a cache holds",
		"Between two uses of the same data, a task uses more other data than the cache holds. "
		"The data has been evicted by then, and each access misses (capacity misses).",
		"annot counts the distinct lines in the samples of a task, scales the number up to all "
		"accesses, and compares the size with that of each cache.",
		"The page draws the number of lines over the number of accesses, with lines at the "
		"sizes of the caches. It also draws the misses of tasks over their size. annot report "
		"--show working_set prints the figures, and the misses to expect in each cache.",
		CURES("Blocking (tiling): work on a part that fits, as long as possible.",
		      "Reorder the loops, so that the innermost loop walks along memory.",
		      "Smaller data: float for double, indices for pointers, hot fields apart from "
		      "cold ones.",
		      "Prefetch, if the order is known and the time is spent waiting for memory.",
		      "Fuse loops over the same data.",
		      "Use more CPUs that have their own caches, each with a part of the data."),
	},
};

const struct catalogue_entry *catalogue_entry(enum finding_kind kind)
{
	return &entries[kind];
}
