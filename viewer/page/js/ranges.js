// SPDX-License-Identifier: GPL-2.0
/*
 * The figures of a range of time. Spans that cross its edges count with the part that is inside.
 */
function rangeStatistics(store, from, to) {
	const threads = [];
	const tasks = new Map();
	for (const thread of store.threads) {
		if (!thread.session && !thread.spans.rows)
			continue;
		const account = store.account(thread.index, from, to);
		const seen = account.ns.reduce((sum, ns, state) =>
			state === STATE.UNKNOWN || state === STATE.DEAD ? sum : sum + ns, 0);
		if (seen > 0)
			threads.push({
				thread: thread.index, account, total: to - from,
				amounts: store.pmu.measured.map((event) => event.threads[thread.index].amount(from, to)),
			});
		for (const level of thread.levels)
			addSpans(store, tasks, thread, level, from, to);
	}
	threads.sort((a, b) => b.account.ns[STATE.RUNNING] - a.account.ns[STATE.RUNNING]);
	return {
		threads, tasks: [...tasks.values()].sort((a, b) => b.wall - a.wall),
		cpus: cpuStatistics(store, from, to),
	};
}

/*
 * What each CPU did: {cpu, busy, idle, lost (ns in which events were lost), switches (from a thread
 * to another or to idle), migrationsIn, amounts}. As in Store.account(), what happens at the very
 * end of the trace belongs to the ranges that reach it.
 */
function cpuStatistics(store, from, to) {
	const last = to >= store.duration ? Infinity : to;
	const { migrations } = store;
	const arrived = new Uint32Array(store.cpus.length);
	for (let row = lowerBound(migrations.start, from);
	     row < migrations.rows && migrations.start[row] < last; row++)
		arrived[migrations.to[row]]++;
	return store.cpus.filter((cpu) => cpu.seen || cpu.gaps.rows).map(({ index, slices, gaps }) => {
		const busy = store.busyTime(index, from, to, false);
		let lost = 0;
		for (let row = 0; row < gaps.rows; row++)
			lost += Math.max(Math.min(gaps.end[row], to) - Math.max(gaps.start[row], from), 0);
		return {
			cpu: index, busy, lost, idle: Math.max(to - from - busy - lost, 0), total: to - from,
			switches: countSwitches(slices, from, last), migrationsIn: arrived[index],
			amounts: store.pmu.measured.map((event) => event.cpus[index].amount(from, to)),
		};
	});
}

/* Slices that end in [from, last) because their thread left the CPU. */
function countSwitches(slices, from, last) {
	let switches = 0;
	for (let row = lowerBound(slices.end, from); row < slices.rows && slices.end[row] < last; row++)
		switches += slices.endState[row] >= STATE.PREEMPTED && slices.endState[row] !== STATE.WOKEN;
	return switches;
}

/*
 * Adds the spans of one depth. They follow each other, as the states do, so both are walked at
 * once: the cost is that of the rows in the range, not of a search for each span.
 */
function addSpans(store, tasks, thread, level, from, to) {
	const { spans, states, index } = thread;
	let state = Math.max(lastAtMost(states.start, from), 0);
	for (let i = Math.max(lastAtMost(level.start, from), 0); i < level.rows && level.start[i] < to; i++) {
		const start = Math.max(level.start[i], from);
		const end = Math.min(level.end[i], to);
		if (end <= start && level.end[i] < from)
			continue;
		const row = level.row[i];
		const task = taskOf(store, tasks, spans, row);
		task.count++;
		task.wall += Math.max(end - start, 0);
		if (end - start > task.longestNs) {
			task.longestNs = end - start;
			task.longest = { kind: "span", thread: index, row };
		}
		store.pmu.measured.forEach((event, e) => {
			task.amounts[e] += event.threads[index].amount(start, end);
		});
		while (state + 1 < states.rows && states.start[state + 1] <= start)
			state++;
		for (let s = state; s < states.rows && states.start[s] < end; s++)
			task.ns[states.state[s]] += Math.max(
				Math.min(store.stateEnd(index, s), end) - Math.max(states.start[s], start), 0);
	}
}

function taskOf(store, tasks, spans, row) {
	const key = spans.name[row] * 2 + (spans.kind[row] === SPAN_WAIT ? 1 : 0);
	let task = tasks.get(key);
	if (!task) {
		task = {
			name: spans.name[row], waits: spans.kind[row] === SPAN_WAIT, count: 0, wall: 0,
			longestNs: -1, longest: null, ns: new Float64Array(NR_STATES),
			amounts: new Float64Array(store.pmu.measured.length),
		};
		tasks.set(key, task);
	}
	return task;
}
