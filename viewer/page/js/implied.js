// SPDX-License-Identifier: GPL-2.0
/*
 * The states of threads, from their slices and wakeups, and the edits that the page tells. What
 * implies what stands in viewer/page/implied.h, the edits in viewer/page/data.h.
 */

/* Calls slice(cpu, row) and wakeup(row) in the order of time; a wakeup before a slice's start. */
function walkInTime(cpus, wakeups, slice, wakeup) {
	const next = new Uint32Array(cpus.length);
	const startOf = (cpu) => cpus[cpu].slices.start[next[cpu]];
	const order = cpus.map((cpu) => cpu.index).filter((cpu) => cpus[cpu].slices.rows > 0)
		.sort((a, b) => startOf(a) - startOf(b));
	let row = 0;
	while (order.length || row < wakeups.rows) {
		if (row < wakeups.rows && (!order.length || wakeups.start[row] <= startOf(order[0]))) {
			wakeup(row++);
			continue;
		}
		const cpu = order[0];
		slice(cpu, next[cpu]++);
		if (next[cpu] === cpus[cpu].slices.rows) {
			order.shift();
			continue;
		}
		const start = startOf(cpu);
		let at = 0;
		for (; at + 1 < order.length && startOf(order[at + 1]) < start; at++)
			order[at] = order[at + 1];
		order[at] = cpu;
	}
}

/* Calls use(thread, start, state, cpu) for each state that is implied, in each thread's order. */
function walkImplied(store, use) {
	const nr = store.threads.length;
	const end = new Float64Array(nr);
	const woken = new Float64Array(nr).fill(-1);
	const state = new Uint8Array(nr);
	const lastCpu = new Int16Array(nr).fill(-1);
	const deaf = new Set([STATE.RUNNING, STATE.PREEMPTED, STATE.DEAD]);
	const tellWakeup = (thread, cpu) => {
		if (woken[thread] >= 0)
			use(thread, woken[thread], STATE.WOKEN, cpu);
		woken[thread] = -1;
	};
	walkInTime(store.cpus, store.wakeups, (cpu, row) => {
		const { slices } = store.cpus[cpu];
		const thread = slices.thread[row];
		tellWakeup(thread, cpu);
		use(thread, slices.start[row], STATE.RUNNING, cpu);
		if (slices.endState[row] !== STATE.RUNNING)
			use(thread, slices.end[row], slices.endState[row], cpu);
		state[thread] = slices.endState[row];
		end[thread] = slices.end[row];
		lastCpu[thread] = cpu;
	}, (row) => {
		const thread = store.wakeups.wakee[row];
		const ns = store.wakeups.start[row];
		if (woken[thread] < 0 && ns >= end[thread] && !deaf.has(state[thread]))
			woken[thread] = ns;
	});
	for (let thread = 0; thread < nr; thread++)
		tellWakeup(thread, lastCpu[thread]);
}

function newStates(rows) {
	return {
		rows: 0, start: new Float64Array(rows), state: new Uint8Array(rows), cpu: new Int16Array(rows),
	};
}

function addState(states, start, state, cpu) {
	states.start[states.rows] = start;
	states.state[states.rows] = state;
	states.cpu[states.rows++] = cpu;
}

/* Puts implied rows and those of the page together, as the edits say, while the former come. */
class StateEditor {
	constructor(own, edits) {
		this.own = own;
		this.edits = edits;
		this.ownAt = 0;
		this.editAt = -1;
		this.leaveOut = 0;
		this.keep = 0;
		let rows = own.rows;
		for (let i = 0; i < edits.rows; i++)
			rows += edits.kept[i];
		this.states = newStates(rows);
		this.nextEdit();
	}

	nextEdit() {
		const { own, edits } = this;
		while (!this.leaveOut && !this.keep && ++this.editAt < edits.rows) {
			for (let i = 0; i < edits.putIn[this.editAt]; i++, this.ownAt++)
				addState(this.states, own.start[this.ownAt], own.state[this.ownAt],
					own.cpu[this.ownAt]);
			this.leaveOut = edits.leftOut[this.editAt];
			this.keep = edits.kept[this.editAt];
		}
	}

	take(start, state, cpu) {
		if (this.leaveOut) {
			this.leaveOut--;
		} else {
			this.keep--;
			addState(this.states, start, state, cpu);
		}
		this.nextEdit();
	}
}

/* Makes thread.states of all threads: what is implied, edited where there are edits. */
function buildStates(store) {
	const rows = new Uint32Array(store.threads.length);
	walkImplied(store, (thread) => rows[thread]++);
	const made = store.threads.map((thread) => thread.stateEdits.rows ?
		new StateEditor(thread.states, thread.stateEdits) : newStates(rows[thread.index]));
	walkImplied(store, (thread, start, state, cpu) => {
		if (made[thread] instanceof StateEditor)
			made[thread].take(start, state, cpu);
		else
			addState(made[thread], start, state, cpu);
	});
	for (const thread of store.threads) {
		const own = made[thread.index];
		thread.states = own instanceof StateEditor ? own.states : own;
		delete thread.stateEdits;
	}
}
