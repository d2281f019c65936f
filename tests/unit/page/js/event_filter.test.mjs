// SPDX-License-Identifier: GPL-2.0
/* What filters of events let pass. */
import assert from "node:assert/strict";
import test from "node:test";
import { eventTest } from "../../../../viewer/page/js/data/event_filter.js";

const raise = { name: "irq:softirq_raise", text: "vec=9 [action=RCU]", thread: "bash 77" };
const stat = { name: "sched:sched_stat_runtime", text: "comm=Web Content pid=-3 runtime=0x1f4 [ns]", thread: "idle" };
const alloc = { name: "kmem:kmalloc", text: "name=\"a b\" node = -1, bytes=4.5)", thread: "x" };

function fits(filter, ...events) {
	const wanted = new Set(events);
	for (const event of [raise, stat, alloc])
		assert.equal(eventTest(filter)(event), wanted.has(event), `${filter}: ${event.name}`);
}

test("nothing is asked", () => {
	for (const filter of ["", "  ", " && "])
		assert.equal(eventTest(filter), null);
});

test("names", () => {
	fits("irq:softirq_raise", raise);
	fits("irq:*", raise);
	fits("*:*a*", raise, stat, alloc);
	fits("IRQ:SOFTIRQ_RAISE", raise);
	fits("irq:softirq");
	fits("sched:sched.stat_runtime");
});

test("words are in the name, the text or the thread", () => {
	fits("softirq", raise);
	fits("[action", raise);
	fits("BASH", raise);
	fits("kmem rcu");
	fits("irq rcu bash", raise);
});

test("fields", () => {
	fits("vec=9", raise);
	fits("vec == 9", raise);
	fits("vec != 9");
	fits("vec < 10", raise);
	fits("vec<=8");
	fits("action = RCU", raise);
	fits("action ~ cu", raise);
	fits("pid = -3", stat);
	fits("pid > -4 && pid < 0", stat);
	fits("runtime = 500", stat);
	fits("runtime >= 0x1f4", stat);
	fits("node = -1", alloc);
	fits("bytes > 4", alloc);
	fits("name = \"a b\"", alloc);
	fits("name ~ \"A B\"", alloc);
});

test("a field is a whole word, and an event has it or does not fit", () => {
	fits("id = -3");
	fits("no_such != 1");
	fits("time = 0x1f4");
});

test("a text is compared with a number as a text", () => {
	fits("action > 5", raise);
	fits("comm = 5");
	fits("vec = nine");
});

test("what expressions of patterns would mean is a letter here", () => {
	for (const filter of ["(", "[", "\\", "a:*(", "x ~ [", "*", "+", "vec = [", "vec ~ ("])
		assert.doesNotThrow(() => eventTest(filter)(raise), filter);
	fits("*");
	fits("(");
});
