// SPDX-License-Identifier: GPL-2.0
/*
 * What the words mean that the panel uses: for the tooltips, and the list in the help.
 */
import { element } from "./dom.js";

export const TERMS = {
	"time lost": "By how much the session would have ended earlier without it. Times of several findings " +
		"are not to be added up: what one cures another may have counted",
	"share of the session": "Part of the session's time: from its first thread's start to its last one's end",
	confidence: "High: seen again and again, or far beyond its error. Low: once, or of the size of its error",
	useful: "On a CPU inside of the program's own work spans",
	waiting: "Inside of spans marked as waits: barriers, locks",
	preempted: "Ready to run, but another thread had the CPU",
	runnable: "Woken up, but not yet on a CPU",
	sleeping: "Asleep until something happens: a lock, a message, a timer",
	uninterruptible: "Asleep, and no signal wakes it: mostly for a disk",
	blocked: "Asleep or stopped, until something happens",
	unknown: "The trace does not tell what the thread did",
	"late start": "After the region's begin, before this thread's part began",
	region: "Instances of one task that ran at once in several threads; serial: in one, while others waited",
	"load balance": "Average of the threads' useful time / the greatest: 100 % if all had as much to do",
	"parallel efficiency": "Useful time of all threads / (threads x elapsed time)",
	"imbalance time": "Greatest useful time − average: by how much a perfect balance would end it earlier",
	"imbalance %": "(greatest − average) / greatest x P / (P − 1): 100 % if one of P threads had all the work " +
		"(DeRose et al., Euro-Par 2007)",
	saved: "What perfect balance would save, over all instances",
	serial: "One thread works, the others wait for it",
	session: "From the first thread's start to the last one's end",
	parallel: "Several threads had work in one region",
	"to barrier": "Work from one barrier to the next, whatever its tasks are called",
	"serialisation efficiency": "Share of the elapsed time that is left when serial work is taken away",
	"load balance efficiency": "What imbalance leaves of the parallel time",
	"scheduling efficiency": "What the scheduler leaves of the parallel time: preemption, late wakeups",
	"last thread": "The one that all others waited for",
	behind: "How much later it came than the one before it",
	slack: "How much later the thread could have come without the region ending later",
	"on path": "Time of the thread that the end of the region had to wait for",
	"critical path": "The chain of work and wakeups that decides when the region ends: only what is on it is " +
		"worth making faster",
	queued: "Woken, and waiting while the other one ran",
	times: "How often it took the CPU from the victim",
	"begins by": "What let this step begin: the start, a wakeup, a barrier, or the order of the thread's own tasks",
	victim: "Whose CPU was taken, or who had to wait for one",
	by: "Who ran in the meantime",
	"waits lengthened": "Waiting of others for a thread that was preempted",
	"run queue": "Threads that are ready to run wait here for their CPU",
	"wakeup latency": "From being woken to being on a CPU",
	median: "Half of them are shorter",
	p99: "99 of 100 are shorter",
	migrations: "A thread's next slice is on another CPU",
	"ping-pong": "A thread that goes to another CPU and soon back again",
	"excess misses": "Misses beyond the thread's own warm rate",
	"SMT sibling": "Two hardware threads of one core: they share all caches",
	LLC: "Last-level cache, shared by several cores",
	node: "NUMA node: memory of another node is farther away",
	"warm rate": "Misses in a µs once the caches have been filled again, long after a switch",
	"per switch": "Misses beyond the warm rate after one switch; in brackets the 95 % confidence interval",
	"p value": "How often chance alone would show as much: small means that it is real",
	"set conflict": "Addresses that fall into the same few cache sets and throw each other out, while the rest " +
		"of the cache is free",
	sets: "Sets of the cache in which the addresses lie",
	"set span": "Distance at which addresses fall into the same set: cache size / ways",
	lines: "Different cache lines that were seen to miss",
	agreeing: "Lines in sets that hold more lines than they have room for",
	"false sharing": "CPUs that write to different data in one cache line, which then goes to and fro",
	stores: "Samples of writes",
	turns: "How often another CPU used the line than the time before",
	"working set": "How much memory is touched within so many accesses",
	"expected misses": "Of 100 loads, by the curve: its slope where it is as high as the cache is large. Of a cache " +
		"that has no sets, prefetches nothing and is nobody else's; at most, if words of a line are used one after the other",
	"measured misses": "Misses of that level that were counted or sampled, for each load",
	knee: "Where the curve becomes flat: as much cache would hold it all",
	inclusive: "With what was called inside",
	exclusive: "Without what was called inside",
	"on CPU": "Time that it really ran",
	MPKI: "Misses per 1,000 instructions",
	cost: "Time that the caches took to be filled again",
	"time per switch": "What these misses cost",
	expected: "By chance",
	instances: "How often it was run",
	elapsed: "From the first thread's begin to the last one's end",
};

/* A word with its meaning; @text if it is not told by its own name. */
export function term(name, text = name) {
	return element("dfn", { title: TERMS[name] }, text);
}

export const meaning = (name) => TERMS[name] || "";
