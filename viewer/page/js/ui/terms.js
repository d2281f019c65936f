// SPDX-License-Identifier: GPL-2.0
/*
 * The meanings of the panel's words, for the tooltips and for the list in the help.
 */
import { element } from "./dom.js";

/** By the word; the words are those of the page. */
export const TERMS = {
	"time lost": "How much earlier the session would have ended without it. Do not add up the times of " +
		"several findings: they may be about the same time",
	"share of the session": "Share of the session's time, from the start of its first thread to the end of its last " +
		"thread",
	confidence: "High: seen again and again, or far beyond its error. Low: seen once, or about as large as " +
		"its error",
	useful: "On a CPU inside the program's own work spans",
	stolen: "On a CPU, but in interrupts, softirqs and tasklets: not the thread's own work",
	waiting: "Inside spans that the program marks as waits: barriers, locks",
	spinning: "On a CPU inside spans that the program marks as waits",
	gain: "By how much a replay of the session is shorter with the cure; findings are ranked by it",
	"at most": "The trace does not tell how much was lost: this is an upper bound",
	"CPU time only": "Nothing ended later for it, but CPU time was spent for nothing",
	preempted: "Ready to run, but another thread had the CPU",
	runnable: "Woken, or just created, and not yet on a CPU",
	sleeping: "Asleep until a lock, a message, a timer or a signal wakes it",
	uninterruptible: "Asleep so that no signal wakes it: mostly for a disk",
	blocked: "Sleeping, uninterruptible or stopped",
	unknown: "The trace does not show what the thread did",
	"late start": "Between the begin of the region and the begin of this thread's part",
	region: "Work that several threads do at once, until the last of them is done; serial: work of one " +
		"thread while the others wait",
	"load balance": "Average useful time of the threads / the greatest: 100 % if all had the same work",
	"parallel efficiency": "Useful time of all threads / (threads x elapsed time)",
	"imbalance time": "Greatest useful time − average: the time that perfect balance would save",
	"imbalance %": "(greatest − average) / greatest x P / (P − 1): 100 % if one of P threads had all the work " +
		"(DeRose et al., Euro-Par 2007)",
	saved: "Time that perfect balance would save, over all instances",
	serial: "One thread works, the others wait for it",
	session: "From the start of its first thread to the end of its last thread",
	parallel: "Time in which several threads had work in one region",
	"to barrier": "Work from one barrier to the next, of any task",
	"serialisation efficiency": "Share of the elapsed time that remains without serial work",
	"load balance efficiency": "Share of the parallel time that remains without imbalance",
	"scheduling efficiency": "Share of the parallel time that remains without scheduling delays: preemption, late " +
		"wakeups",
	"last thread": "The thread that all others waited for",
	behind: "How much later it arrived than the average of the others",
	slack: "How much later the thread could arrive without delaying the end of the region",
	"on path": "Time of the thread that the end of the region depended on",
	"critical path": "The chain of work and waits that determines the end of the region: only a shorter time on " +
		"it brings the end forward",
	queued: "Woken, and waiting while the other thread ran",
	times: "How often it took the CPU from the victim",
	"begins by": "What started this step: the start, a wakeup, a barrier, or the order of the thread's own " +
		"tasks",
	victim: "The thread or program whose CPU was taken, or that waited for a CPU",
	by: "The thread or program that ran meanwhile",
	"waits lengthened": "Time that other threads waited longer because this one was delayed",
	"run queue": "The threads that are ready to run and wait for this CPU",
	"wakeup latency": "From the wakeup, or the creation, of a thread to its next slice",
	median: "Half of them are shorter",
	p99: "99 of 100 are shorter",
	migrations: "A thread's next slice is on another CPU",
	"ping-pong": "A migration back to a CPU that the thread left a short time ago",
	"excess misses": "Misses above the thread's own warm rate",
	"SMT sibling": "Two hardware threads of one core: they share all caches",
	LLC: "Last-level cache, shared by several cores",
	node: "NUMA node: memory of another node is farther away",
	"warm rate": "Misses per µs long after a switch, when the caches are filled again",
	"per switch": "Misses above the warm rate after one switch; in brackets the 95 % confidence interval",
	"p value": "The probability of as great a value by chance: a small one means that the effect is real",
	"set conflict": "Lines that fall into the same few sets of a cache evict each other, while the rest of the " +
		"cache is free",
	sets: "Number of sets of the cache",
	"set span": "Distance of two addresses that fall into the same set: cache size / ways",
	lines: "Different cache lines that samples of misses hit",
	agreeing: "Lines in sets that have more lines than ways",
	"false sharing": "CPUs write to different data in one cache line, which then moves between them",
	stores: "Samples of writes",
	turns: "How often a sample of the line was on another CPU than the sample before",
	"working set": "How much memory a task touches in a given number of accesses",
	"expected misses": "Of 100 loads, the misses that follow from the slope of the curve at the size of the " +
		"cache. They hold for a cache without sets, prefetching and other users. They are too high " +
		"if words of a line are used one after the other",
	"measured misses": "Misses of that level that were counted or sampled, per load",
	knee: "Where the curve becomes flat: a cache of this size would hold all the data",
	inclusive: "With the spans inside it",
	exclusive: "Without the spans inside it",
	"on CPU": "Time in which it ran",
	MPKI: "Misses per 1,000 instructions",
	cost: "Time that refilling the caches took",
	"time per switch": "Time that these misses cost after one switch",
	expected: "By chance",
	"issue slots": "A CPU can begin 4 to 8 instructions in each cycle: where these slots went (top-down)",
	retiring: "Issue slots used by instructions that retired",
	"bad speculation": "Issue slots used by instructions on the wrong path, or lost to recovering from them",
	"front-end bound": "Empty issue slots: no instruction was delivered",
	"back-end bound": "Empty issue slots: no room for another instruction",
	"memory bound": "Of the back end's: for loads and stores",
	"core bound": "Of the back end's: for anything else",
	"fetch latency": "Of the front end's slots: in cycles in which it delivered nothing, as after misses",
	"fetch bandwidth": "Of the front end's slots: in cycles in which it delivered too little",
	"SMT contention": "Issue slots given to the other thread of the core (AMD)",
	"slots measured": "In how much of the time all events of a figure were counted together: of the figure with least",
	instances: "How many spans or runs it had",
	elapsed: "From the begin of the first thread to the end of the last one",
};

/** @type {(name: string) => name is keyof typeof TERMS} */
export const isTerm = (name) => Object.hasOwn(TERMS, name);

/**
 * What a word means; "" if it is not explained.
 * @param {string} name
 * @returns {string}
 */
export const meaning = (name) => isTerm(name) ? TERMS[name] : "";

/**
 * A word with its meaning as tooltip.
 * @param {keyof typeof TERMS} name
 * @param {string} text what is shown, if not the name
 * @returns {HTMLElement}
 */
export function term(name, text = name) {
	return element("dfn", { title: TERMS[name] }, text);
}
