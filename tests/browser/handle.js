// SPDX-License-Identifier: GPL-2.0
/*
 * What tests ask a page: browser.py bundles this and runs it in each page once it is drawn. It adds to
 * window.annot, beside the page's own hook (viewer/page/js/ui/main.js):
 *
 *   counts()		how many CPUs, threads, slices, spans, ... the page holds
 *   lanes()		[{id, kind, label, top, height, visible, stripTop, slotsTop, slotsHeight}], tops in client
 *			pixels; stripTop is that of the first strip of miss density, slotsTop that of issue slots
 *   focus(id)		makes a lane the one that keys speak of; focused() its id, or null
 *   strings()		what indices of strings stand for
 *   threads()		[{index, tid, tgid, comm, session, onCpu}]
 *   spansOf(index)	[{item, name, start, end, depth, kind}] of a thread
 *   slicesOf(cpu)	[{item, tid, start, end}] of a CPU
 *   interruptsOf(cpu)	[{item, name, start, end}] of a CPU
 *   idleOf(cpu)		[{item, state, start, end}] of a CPU
 *   frequenciesOf(cpu)	[{item, khz, start, end}] of a CPU
 *   requests()		[{item, device, start, end}] to block devices, of all that are loaded
 *   readings()		[{item, counter, start, end, perS}] of counters that CPUs share; perS: null if it is not known
 *   inFlight(place)	[[start, value]] of a block device, by its place
 *   statesOf(index)	[{state, start, end}] of a thread; state as a number
 *   marksOf(index)	[{name, start, counter, value}] of a thread
 *   messages()		[{item, sender, receiver, sent, received}] of all that are loaded; threads as numbers
 *   arrows()		{drawn, told} of messages: [{item, x0, y0, x1, y1}], client pixels, and what stands
 *			in place of those that are too many
 *   view()		{start, end}, nanoseconds since the trace began
 *   setView(a, b)	at once; drawn when it returns
 *   settled()		a Promise, fulfilled when nothing moves and all is drawn
 *   xOf(ns)		client pixels
 *   itemAt(x, y)	what is at a point of the client area, as text ("span.3.17"), or null
 *   boxes(text)	where an item is drawn: [{lane, left, top, width, height}], client pixels
 *   select(text)	an item; selection() the text of the selected one, or null
 *   describe(text)	{title, subtitle, facts: {label: text}, ns: [time in each state]}
 *   range(a, b)	selects a range of time; its statistics are returned
 *   selectRange(a, b)	does no more than select it
 *   describeFar(text), rangeFar(a, b)	Promises of descriptions and statistics of what need not be loaded
 *   windows()		{start, rows, leftOut}, arrays: when each window of the trace starts, how much is in
 *			it, and which are not in the page
 *   loaded()		{first, past, isThere, kept}: the windows that are loaded, from first up to past;
 *			whether these are all that is in sight; those that are kept decoded
 *   pmu(owners, index, a, b)	[{name, amount, error, samples}] that one of "cpus" or "threads"
 *			caused in a range of time
 *   panel(name)		shows a tab of the panel; analysis() what was found, as the page has it
 *   evidence()		{start, end, lanes, path} of what the lanes show of a finding, or null
 *   search(text)	{spans, threads} found; searchStep(1 or -1) goes to a hit, or promises to
 *   events()		{place, cells, selected, inRange} of each row of the list of events that is in sight
 *   filterEvents(text)	at once, as if it had been typed; the number of rows that fit
 *   scrollEvents(share)	of the list, from 0 to 1
 *   colours()		the theme's colours, and those of names and threads, as CSS colours
 *   overview(tables, buckets, ns)	paints from these tables of an overview, as readOverview() takes them,
 *			instead of from the rows; null: from the rows again
 *   redraw()		draws all once and waits for the pixels; the milliseconds it took
 *
 * Its modules are copies of the page's own, so they get the page's objects and keep none of theirs.
 */
import { MARK_IS_COUNTER } from "../../viewer/page/js/data/codes.js";
import { itemFromText, itemToText } from "../../viewer/page/js/data/items.js";
import { receiveOf, sendOf } from "../../viewer/page/js/data/messages.js";
import { readOverview } from "../../viewer/page/js/data/overview.js";
import { rangeStatistics, rangeStatisticsFar } from "../../viewer/page/js/data/ranges.js";
import { boxesOf, pickItem } from "../../viewer/page/js/draw/pick.js";
import { describe } from "../../viewer/page/js/ui/facts.js";
import { describeFar } from "../../viewer/page/js/ui/reach.js";

/* Those that can be read as a whole. */
function eventsInSight(scroller) {
	const room = scroller.getBoundingClientRect();
	return [...scroller.querySelectorAll(".event-row")].filter((row) => {
		const box = row.getBoundingClientRect();
		return box.top >= room.top - 1 && box.bottom <= room.bottom + 1;
	}).map((row) => ({
		place: Number(row.dataset.place), cells: [...row.children].map((cell) => cell.textContent),
		selected: row.getAttribute("aria-selected") === "true", inRange: row.classList.contains("in-range"),
	}));
}

function handleOf(app) {
	const parse = (text) => itemFromText(app.store, text);
	return {
		counts: () => app.store.counts(),
		lanes: () => app.lanes.lanes.map((lane) => ({
			id: lane.id, kind: lane.kind.name, label: lane.label, height: lane.height,
			top: app.bounds.top + lane.top - app.scrollTop,
			stripTop: app.bounds.top + lane.top - app.scrollTop + lane.densityTop,
			slotsTop: app.bounds.top + lane.top - app.scrollTop + lane.slotsTop,
			slotsHeight: app.lanes.heights.slots - 3,
			visible: lane.top + lane.height > app.scrollTop && lane.top < app.scrollTop + app.height,
		})),
		focus: (id) => app.focusLane(app.lanes.find(id)),
		focused: () => app.focusedLane,
		strings: () => app.store.strings,
		threads: () => app.store.threads.map(({ index, tid, tgid, comm, session, onCpu }) =>
			({ index, tid, tgid, comm, session, onCpu })),
		spansOf: (index) => {
			const { spans } = app.store.threads[index];
			return Array.from({ length: spans.rows }, (_, row) => ({
				item: itemToText(app.store, { kind: "span", thread: index, row }),
				name: app.store.string(spans.name[row]), start: spans.start[row],
				end: spans.end[row], depth: spans.depth[row], kind: spans.kind[row],
			}));
		},
		slicesOf: (cpu) => {
			const { slices } = app.store.cpus[cpu];
			return Array.from({ length: slices.rows }, (_, row) => ({
				item: itemToText(app.store, { kind: "slice", cpu, row }),
				tid: app.store.threads[slices.thread[row]].tid, start: slices.start[row],
				end: slices.end[row],
			}));
		},
		interruptsOf: (cpu) => {
			const { interrupts } = app.store.cpus[cpu];
			return Array.from({ length: interrupts.rows }, (_, row) => ({
				item: itemToText(app.store, { kind: "interrupt", cpu, row }),
				name: app.store.string(interrupts.name[row]), start: interrupts.start[row],
				end: interrupts.end[row],
			}));
		},
		idleOf: (cpu) => {
			const { idle } = app.store.cpus[cpu];
			return Array.from({ length: idle.rows }, (_, row) => ({
				item: itemToText(app.store, { kind: "idle", cpu, row }),
				state: idle.state[row], start: idle.start[row], end: idle.end[row],
			}));
		},
		frequenciesOf: (cpu) => {
			const { frequencies } = app.store.cpus[cpu];
			return Array.from({ length: frequencies.rows }, (_, row) => ({
				item: itemToText(app.store, { kind: "frequency", cpu, row }),
				khz: frequencies.khz[row], start: frequencies.start[row], end: frequencies.end[row],
			}));
		},
		requests: () => Array.from({ length: app.store.blockIo.rows }, (_, row) => ({
			item: itemToText(app.store, { kind: "request", row }),
			device: app.store.string(app.store.blockIo.device[row]),
			start: app.store.blockIo.start[row], end: app.store.blockIo.end[row],
		})),
		readings: () => app.store.uncore.flatMap(({ row, start, end, perS }, counter) =>
			Array.from(row, (own, i) => ({
				item: itemToText(app.store, { kind: "reading", row: own }), counter, start: start[i], end: end[i],
				perS: Number.isNaN(perS[i]) ? null : perS[i],
			}))),
		inFlight: (place) => {
			const { rows, start, value } = app.store.devices[place].inFlight;
			return Array.from({ length: rows }, (_, i) => [start[i], value[i]]);
		},
		statesOf: (index) => Array.from(app.store.threads[index].states.start, (start, row) => ({
			state: app.store.threads[index].states.state[row], start, end: app.store.stateEnd(index, row),
		})),
		marksOf: (index) => Array.from(app.store.threads[index].marks.start, (start, row) => {
			const { name, flags, value } = app.store.threads[index].marks;
			return {
				name: app.store.string(name[row]), start, value: value[row],
				counter: Boolean(flags[row] & MARK_IS_COUNTER),
			};
		}),
		messages: () => Array.from(app.store.messages.start, (_, row) => {
			const [from, to] = [sendOf(app.store.messages, row), receiveOf(app.store.messages, row)];
			return {
				item: itemToText(app.store, { kind: "message", row }),
				sender: from.thread, receiver: to.thread, sent: from.ns, received: to.ns,
			};
		}),
		arrows: () => ({
			drawn: app.painter.messages.drawn.map(({ row, x0, y0, x1, y1 }) => ({
				item: itemToText(app.store, { kind: "message", row }),
				x0: x0 + app.bounds.left, y0: y0 + app.bounds.top, x1: x1 + app.bounds.left, y1: y1 + app.bounds.top,
			})),
			told: app.painter.messages.told(),
		}),
		view: () => ({ ...app.aim() }),
		setView(start, end) {
			app.setView(start, end);
			app.draw();
		},
		panel: (name) => app.analyses.open(name),
		analysis: () => app.analyses.analysis && app.analyses.analysis.data,
		evidence: () => app.evidence.range && {
			...app.evidence.range, lanes: [...app.evidence.lanes], path: app.evidence.path,
		},
		settled: () => new Promise((resolve) => {
			const look = () => app.frame || app.target || app.work.isBusy || !app.analyses.isRead ?
				requestAnimationFrame(look) : resolve();
			requestAnimationFrame(look);
		}),
		xOf: (ns) => app.bounds.left + app.scale().x(ns),
		itemAt(x, y) {
			const item = pickItem(app, x - app.bounds.left, y - app.bounds.top);
			return item && itemToText(app.store, item);
		},
		boxes: (text) => boxesOf(app, parse(text)).map((box) => {
			const lane = app.lanes.find(box.lane);
			const scale = app.scale();
			return lane && {
				lane: box.lane, left: app.bounds.left + scale.x(box.start),
				width: scale.x(box.end) - scale.x(box.start),
				top: app.bounds.top + lane.top - app.scrollTop + box.top, height: box.height,
			};
		}).filter(Boolean),
		select: (text) => text === null ? app.select(null) : app.goTo(text, { reveal: true }),
		selection: () => app.selectionText,
		describe: (text) => plainDescription(describe(app.store, parse(text))),
		async describeFar(text) {
			const told = await describeFar(app.pages, text, () => true, () => {});
			return told && plainDescription(told.description);
		},
		range(start, end) {
			app.setRange(start, end);
			return plainStatistics(app.store, rangeStatistics(app.store, app.range.start, app.range.end));
		},
		selectRange: (start, end) => app.setRange(start, end),
		async rangeFar(start, end) {
			return plainStatistics(app.store,
				await rangeStatisticsFar(app.pages, start, end, () => true, () => {}));
		},
		windows: () => ({
			start: [...app.pages.start], rows: [...app.pages.rows], leftOut: [...app.pages.leftOut],
		}),
		loaded: () => ({
			first: app.store.first, past: app.store.past,
			isThere: app.store.covers(app.view.start, app.view.end),
			kept: [...app.pages.pieces.keys()],
		}),
		pmu: (owners, index, from, to) => app.store.pmu.amounts(owners, index, from, to)
			.map(({ event, ...own }) => ({ name: event.name, ...own })),
		events: () => eventsInSight(app.events.scroller),
		filterEvents(text) {
			app.events.run(text);
			return app.events.rows.length;
		},
		scrollEvents(share) {
			const { scroller } = app.events;
			scroller.scrollTop = share * (scroller.scrollHeight - scroller.clientHeight);
			app.events.paint();
		},
		search: (text) => app.search.run(text),
		searchStep: (step) => app.search.step(step),
		colours: () => ({
			theme: { ...app.palette.theme },
			names: Object.fromEntries([...app.palette.nameColours].map(([id, colour]) =>
				[app.store.string(id), colour])),
			threads: app.store.threads.map((thread) => app.palette.ofThread(thread.index)),
		}),
		overview(tables, buckets, bucketNs) {
			const head = { ...app.store.head, overview: { buckets, bucket_ns: bucketNs } };
			app.pages.overview = tables && readOverview(tables, head);
			app.isCoarse = tables !== null;
			app.minimap.stillKey = "";
			app.draw();
		},
		redraw() {
			const before = performance.now();
			app.draw();
			app.painter.pen.getImageData(0, 0, 1, 1);
			return performance.now() - before;
		},
	};
}

function plainDescription({ title, subtitle, facts, ns }) {
	const plain = facts.map(([label, value]) => [label, typeof value === "string" ? value : value.text]);
	return { title, subtitle, facts: Object.fromEntries(plain), ns: ns && [...ns] };
}

function plainStatistics(store, { tasks, threads, cpus }) {
	return {
		tasks: tasks.map((task) => ({
			...task, name: store.string(task.name), ns: [...task.ns], amounts: [...task.amounts],
		})),
		threads: threads.map(({ thread, account }) => ({
			tid: store.threads[thread].tid, ...account, ns: [...account.ns],
		})),
		cpus: cpus.map((cpu) => ({ ...cpu, amounts: [...cpu.amounts] })),
	};
}

window.annot.ready.then((app) => Object.assign(window.annot, handleOf(app)));
