// SPDX-License-Identifier: GPL-2.0
/*
 * Which lanes there are, in what order, and where: top and height in the scrolled content.
 *
 * A lane: {id, kind, label, note, indent, top, height} and, by kind,
 *   group	key, open, count	a heading that opens and closes what follows it
 *   cpu	cpu			slices, then a strip for each of densities
 *   thread	thread			state strip, densities, marks and spans below each other
 *   counter	thread, series
 */
const HEIGHTS = {
	normal: { group: 26, cpu: 31, strip: 13, span: 18, marks: 13, counter: 34, pad: 5, density: 15 },
	compact: { group: 22, cpu: 19, strip: 5, span: 13, marks: 8, counter: 22, pad: 3, density: 8 },
};
const LEAST_LANE_HEIGHT = 17;
const COMPACT_ABOVE_THREADS = 24;
const CPUS_KEY = "cpus";
const OTHERS_KEY = "others";

class Lanes {
	constructor(store) {
		this.store = store;
		this.closed = new Set([OTHERS_KEY]);
		this.compact = store.threads.filter((thread) => thread.session).length > COMPACT_ABOVE_THREADS;
		this.groups = this.findGroups();
		this.layout();
	}

	findGroups() {
		const processes = new Map();
		const others = [];
		for (const thread of this.store.threads) {
			if (!thread.session) {
				others.push(thread);
				continue;
			}
			const tgid = thread.tgid || thread.tid;
			if (!processes.has(tgid))
				processes.set(tgid, []);
			processes.get(tgid).push(thread);
		}
		const groups = Array.from(processes, ([tgid, threads]) => {
			const leader = threads.find((thread) => thread.tid === tgid) || threads[0];
			threads.sort((a, b) => a.tid - b.tid || a.index - b.index);
			return {
				key: `process ${tgid}`,
				label: leader.comm || `process ${tgid}`,
				note: `process ${tgid}`,
				threads,
				weight: threads.reduce((sum, thread) => sum + thread.spans.rows, 0),
			};
		});
		groups.sort((a, b) => (b.weight > 0) - (a.weight > 0));
		if (others.length) {
			others.sort((a, b) => b.onCpu - a.onCpu || a.index - b.index);
			groups.push({ key: OTHERS_KEY, label: "Other threads", note: "", threads: others });
		}
		return groups;
	}

	layout() {
		const heights = this.heights = this.compact ? HEIGHTS.compact : HEIGHTS.normal;
		const lanes = [];
		let top = 0;
		const add = (lane, height) => {
			lanes.push({ ...lane, top, height });
			top += height;
		};
		const cpus = this.store.cpus.filter((cpu) => cpu.seen || cpu.gaps.rows);
		add({
			id: CPUS_KEY, kind: "group", key: CPUS_KEY, label: "CPUs", note: "",
			count: cpus.length, open: !this.closed.has(CPUS_KEY),
		}, heights.group);
		if (!this.closed.has(CPUS_KEY))
			for (const cpu of cpus)
				add({
					id: `cpu ${cpu.index}`, kind: "cpu", cpu, label: `CPU ${cpu.index}`, indent: 1,
					densities: this.store.pmu.shown, densityTop: heights.cpu,
				}, heights.cpu + this.store.pmu.shown.length * heights.density);
		for (const group of this.groups) {
			const open = !this.closed.has(group.key);
			add({
				id: group.key, kind: "group", key: group.key, label: group.label, note: group.note,
				count: group.threads.length, open,
			}, heights.group);
			if (open)
				for (const thread of group.threads)
					this.addThread(thread, add);
		}
		this.lanes = lanes;
		this.height = top + 8;
	}

	addThread(thread, add) {
		const { heights } = this;
		const marks = thread.points.length ? heights.marks : 0;
		const densities = this.store.pmu.inThread(thread.index);
		const densityTop = heights.strip + 4;
		const marksTop = heights.strip + 2 + densities.length * heights.density;
		add({
			id: `thread ${thread.index}`, kind: "thread", thread, indent: 1,
			label: thread.comm || "(no name)", note: String(thread.tid),
			densities, densityTop, marksTop, spansTop: marksTop + marks,
		}, Math.max(marksTop + marks + heights.span * thread.levels.length + heights.pad,
			LEAST_LANE_HEIGHT));
		for (const series of thread.counters)
			add({
				id: `counter ${thread.index} ${series.name}`, kind: "counter", thread, series, indent: 2,
				label: this.store.string(series.name), note: "",
			}, heights.counter);
	}

	toggle(key) {
		if (!this.closed.delete(key))
			this.closed.add(key);
		this.layout();
	}

	/* Opens the group in which a thread stands, if it is closed. */
	reveal(thread) {
		const group = this.groups.find((g) => g.threads.includes(this.store.threads[thread]));
		if (group && this.closed.delete(group.key))
			this.layout();
	}

	setCompact(compact) {
		this.compact = compact;
		this.layout();
	}

	find(id) {
		return this.lanes.find((lane) => lane.id === id);
	}

	/* The lane at a height of the content, or undefined. */
	at(y) {
		return this.lanes.find((lane) => y >= lane.top && y < lane.top + lane.height);
	}

	/* Those with anything between two heights. */
	between(top, bottom) {
		return this.lanes.filter((lane) => lane.top + lane.height > top && lane.top < bottom);
	}
}
