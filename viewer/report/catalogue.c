// SPDX-License-Identifier: GPL-2.0
#include "report/catalogue.h"

#define CURES(...) ((const char *const[]){ __VA_ARGS__, NULL })

static const struct catalogue_entry entries[NR_FINDING_KINDS] = {
	[FINDING_IMBALANCE] = {
		"threads of one parallel region get unequal amounts of work",
		"Some threads of a parallel region are done early and wait for the last one. "
		"What they wait is lost.",
		"Of each instance of the region, the useful time of each thread (on a CPU, in a "
		"work span, outside of waits). Imbalance time is the greatest less the mean; it is "
		"what perfect balance would save. One thread has more than the others if it has so "
		"again and again, and by more than chance makes in 1 of 100 cases (permutations).",
		"In the page the region's spans end at different times, each followed by a wait. "
		"annot report --show regions has the last thread of each instance, and why it was "
		"last.",
		CURES("Smaller chunks, handed out as threads become free: a dynamic or guided "
		      "schedule, a work queue, work stealing.",
		      "Split by the work there is (non-zeros, particles), not by index.",
		      "Begin with the largest pieces.",
		      "If the last thread has the same work and more misses, see set-conflict and "
		      "working-set; if it was preempted, see interference."),
	},
	[FINDING_SERIALISATION] = {
		"one thread works while the others wait",
		"A stretch of the program runs in one thread only. However many CPUs there are, it "
		"takes as long (Amdahl's law).",
		"Time in which one thread of a group works and all others wait, and which is not "
		"the end of a region they all take part in.",
		"In the page one lane is filled and the others show a wait of the same length. "
		"annot report --show regions lists it as serial.",
		CURES("Make the stretch parallel, or do it while the others do something else.",
		      "Move reading, writing and allocation out of it.",
		      "Where it holds a lock: split the lock, or hold it for less.",
		      "Fewer threads, if nothing can be done: they only cost."),
	},
	[FINDING_INTERFERENCE] = {
		"another program takes the CPU",
		"A thread wanted to run and another program's thread ran on its CPU. Threads that "
		"wait for it at a barrier lose the same time.",
		"Time in which a thread was preempted, by who ran on its CPU then; and waits of "
		"others that lasted longer for it.",
		"In the page the thread's lane is 'preempted' while its CPU's lane has somebody "
		"else. annot report --show interference has who took it from whom.",
		CURES("Do not run more threads than there are CPUs, all programs together.",
		      "Give each program CPUs of its own: taskset, cgroup cpusets, isolcpus.",
		      "A lower priority for what can wait: nice, SCHED_BATCH, SCHED_IDLE.",
		      "Barriers that sleep rather than spin, if CPUs must be shared."),
	},
	[FINDING_WAKEUP_LATENCY] = {
		"threads start late after they were woken",
		"A thread was woken and did not run for a while: its CPU was busy, or asleep.",
		"From the wakeup to being switched in, of each wakeup of the session's threads. Lost "
		"is what the end of the session waited for: on its critical path, less what sleeps "
		"there may have been shorter for it.",
		"In the page, 'runnable' before 'running', and an arrow from who woke it. annot "
		"report --show wakeups has the distribution.",
		CURES("Where another program holds the CPU: another CPU for one of them, or a "
		      "higher priority for what is woken (chrt, nice).",
		      "Fewer and longer waits: batches instead of single items.",
		      "Spin for a short while before sleeping (OMP_WAIT_POLICY, GOMP_SPINCOUNT).",
		      "Pin threads to CPUs of their own, and keep these from deep sleep "
		      "(cpuidle, /dev/cpu_dma_latency)."),
	},
	[FINDING_IDLE_WAITS] = {
		"threads wait for a busy CPU while another one is idle",
		"Threads stand in line for one CPU while another, on which they have run, too, has "
		"nothing to do.",
		"Time in the queue of a CPU in which another one was idle on which the thread ran "
		"at some time, less what the CPU of the queue itself was idle.",
		"In the page 'preempted' or 'runnable' in one lane beside nothing in that of a CPU. "
		"annot report --show idle_waits has each thread, interference the queue of each "
		"CPU.",
		CURES("As many threads as CPUs (OMP_NUM_THREADS); mind that a container may have "
		      "fewer than nproc tells.",
		      "Let affinity masks not overlap: several programs pinned to the same CPUs "
		      "wait for each other beside idle ones.",
		      "Leave pinning out, if the load changes."),
	},
	[FINDING_MIGRATIONS] = {
		"threads move from CPU to CPU",
		"A moved thread leaves its caches behind, and its memory, if it leaves the node.",
		"A thread's next run on a CPU is on another one than its last; near and far are "
		"told apart by what caches and nodes the CPUs share.",
		"In the page a thread's lane changes the CPU. annot report --show migrations has "
		"from where to where, how far, and what it cost.",
		CURES("Pin threads: OMP_PROC_BIND=close or spread, OMP_PLACES=cores, taskset, "
		      "numactl.",
		      "First touch: let the thread that will use memory be the one that writes to "
		      "it first, after it is pinned.",
		      "Avoid more runnable threads than CPUs: then nothing need be moved."),
	},
	[FINDING_SWITCH_MISSES] = {
		"caches are cold after a switch",
		"While a thread was off its CPU, others filled the caches with their data; or it "
		"moved to a CPU that has none of its own. When it comes back, it misses what it "
		"had.",
		"Misses at the begin of each run on a CPU, beyond the thread's rate later on in "
		"the same task; with bounds (bootstrap) and the probability that it is chance "
		"(permutations, less than 1 %). What there is without anybody else in between is "
		"taken off.",
		"In the page, misses crowd where a run begins. annot report --show switch_misses "
		"has their rate by the time since then.",
		CURES("Fewer switches: longer time slices (SCHED_BATCH), fewer threads, larger "
		      "pieces of work between waits.",
		      "Keep the other program off this CPU, and off those that share its caches "
		      "(cpusets; resctrl gives it a part of the last-level cache).",
		      "Pin the thread, if it is moved.",
		      "A smaller working set comes back faster: see working-set."),
	},
	[FINDING_SET_CONFLICTS] = {
		"data competes for the same few sets of a cache",
		"A line can only be in one set of a cache, which is told by its address, and a set "
		"has few ways. Lines whose addresses agree modulo the set span (sets times line "
		"bytes, 4096 in most first-level caches) throw each other out, while the rest of "
		"the cache is free.",
		"Of each instruction, how the different lines that its samples accessed are spread "
		"over the sets: more of them in a set than it has ways, by far more than chance "
		"would have it, while all together would fit. Where samples have no addresses, the "
		"registers that they were recorded with (annot record --registers) are tested as if "
		"they were addresses; it is no conflict if another one has as many lines, and these "
		"are none. A constant that the instruction adds changes nothing; but an index that "
		"it adds is not in the register, so that rows of 4096 bytes that are read one after "
		"the other look the same. And if it loads into the register that it has the address "
		"from, that has been replaced. Only the first level is looked at: in others the set "
		"is told by the physical address, which annot does not record.",
		"annot samples --columns ip,addr shows addresses with the same last digits, "
		"--columns ip,regs registers. annot report --show set_conflicts has the "
		"instructions, and by what each was told.",
		CURES("Padding: rows or arrays a line (or a few) longer than a power of two.",
		      "Colouring: begin arrays that are used together at different offsets.",
		      "Another layout: an array of structs instead of arrays of the same size side "
		      "by side.",
		      "Copy a block into a buffer of its own before working on it.",
		      "Page colouring or huge pages, if it is a cache with physical addresses."),
	},
	[FINDING_FALSE_SHARING] = {
		"CPUs write to different data in one cache line",
		"A line that is written to by one CPU is taken from all others. If they use other "
		"bytes of it, it goes back and forth for nothing.",
		"Lines that samples of several CPUs hit in turn, at different offsets, with stores "
		"among them (annot record -e l1_cache_miss,memory_stores). What it costs goes by "
		"the samples of misses.",
		"annot report --show false_sharing has the lines; annot report --by address shows "
		"what is in them.",
		CURES("Align what each thread writes to a line of its own: alignas(64), padding "
		      "(128 where lines are fetched in pairs).",
		      "Let each thread add up in a local variable, and write the sum once.",
		      "Keep what is written apart from what is only read.",
		      "Split arrays among threads in whole lines."),
	},
	[FINDING_WORKING_SET] = {
		"a task uses more data than a cache holds",
		"A task comes back to data only after more of other data than a cache holds: it "
		"has been thrown out by then, and each access misses (capacity misses).",
		"The different lines that samples of a task fell on, scaled up to all that were "
		"accessed, against the sizes of the caches.",
		"The page draws the curve of lines by accesses, with lines at the sizes of the "
		"caches, and what tasks miss by their size. annot report --show working_set has it "
		"in figures, with the misses to be expected of each level.",
		CURES("Blocking (tiling): work on a part that fits, as long as possible.",
		      "Another order of loops, so that the innermost goes along memory.",
		      "Smaller data: float for double, indices for pointers, hot fields apart from "
		      "cold ones.",
		      "Prefetch, if the order is known and the time is waiting for memory.",
		      "Fuse loops over the same data.",
		      "More CPUs with caches of their own, each with a part of the data."),
	},
};

const struct catalogue_entry *catalogue_entry(enum finding_kind kind)
{
	return &entries[kind];
}
