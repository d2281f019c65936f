// SPDX-License-Identifier: GPL-2.0
/*
 * Starts the page, and gives tests (and whoever is curious) a handle: window.annot.
 *
 *   ready		a Promise, fulfilled after the first drawing, rejected when the page cannot be shown; that
 *			drawing is marked as "annot-drawn" in the browser's performance timeline
 *   counts()		how many CPUs, threads, slices, spans, ... the page holds
 *   lanes()		[{id, kind, label, top, height, visible, stripTop}], tops in client pixels;
 *			stripTop is that of the first strip of miss density
 *   focus(id)		makes a lane the one that keys speak of; focused() its id, or null
 *   strings()		what indices of strings stand for
 *   threads()		[{index, tid, tgid, comm, session, onCpu}]
 *   spansOf(index)	[{item, name, start, end, depth, kind}] of a thread
 *   slicesOf(cpu)	[{item, tid, start, end}] of a CPU
 *   statesOf(index)	[{state, start, end}] of a thread; state as a number
 *   marksOf(index)	[{name, start, counter, value}] of a thread
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
 *   colours()		the theme's colours, and those of names and threads, as CSS colours
 *   overview(tables, buckets, ns)	paints from these tables of an overview, as readOverview() takes them,
 *			instead of from the rows; null: from the rows again
 *   redraw()		draws all once and waits for the pixels; the milliseconds it took
 *
 * Who sets window.annot = {limits: {whole, shown, kept}} before the page's script runs has as many
 * rows loaded at most: see MOST_ROWS.
 */
function handleOf(app) {
	const parse = (text) => itemFromText(app.store, text);
	return {
		counts: () => app.store.counts(),
		lanes: () => app.lanes.lanes.map((lane) => ({
			id: lane.id, kind: lane.kind, label: lane.label, height: lane.height,
			top: app.bounds.top + lane.top - app.scrollTop,
			stripTop: app.bounds.top + lane.top - app.scrollTop + lane.densityTop,
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
		view: () => ({ ...app.aim() }),
		setView(start, end) {
			app.setView(start, end);
			app.draw();
		},
		panel: (name) => app.insights.open(name),
		analysis: () => app.insights.analysis && app.insights.analysis.data,
		evidence: () => app.evidence.range && {
			...app.evidence.range, lanes: [...app.evidence.lanes], path: app.evidence.path,
		},
		settled: () => new Promise((resolve) => {
			const look = () => app.frame || app.target || app.work.isBusy || !app.insights.isRead ?
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

function fillHeader(store) {
	const { head } = store;
	const { trace } = head;
	const facts = document.getElementById("facts");
	const fact = (value, label, title) => facts.append(element("span", { title },
		element("b", {}, value), label ? ` ${label}` : ""));
	const count = (number, noun, title) => fact(formatCount(number), noun + (number === 1 ? "" : "s"), title);
	const fileName = trace.file.replace(/.*\//, "");
	document.getElementById("title").textContent = head.title;
	document.getElementById("title").title = trace.file;
	fact(formatDuration(trace.duration_ns), "", "Duration");
	count(store.counts().cpus, "CPU", "CPUs that wrote events");
	count(store.threads.filter((thread) => thread.session).length, "thread",
		"Threads of the session; others are in a group of their own");
	count(trace.events, "event", "Events read from the file");
	fact(trace.clock, "clock", "Clock of the trace");
	if (fileName !== head.title)
		fact(fileName, "", `File: ${trace.file}`);
	fillWarnings(store, document.getElementById("warnings"));
}

/* What makes the picture incomplete is said before anything else. */
function fillWarnings(store, list) {
	const { trace } = store.head;
	if (trace.lost_events || trace.lost_gaps)
		list.append(element("button", {
			type: "button", title: "Show the first gap", onclick: () => store.showFirstGap(GAP_LOST),
		}, `${trace.lost_events ? counted(trace.lost_events, "event") : "Events"} lost in ${
			counted(trace.lost_gaps, "gap")}`));
	if (trace.missing_switches)
		list.append(element("button", {
			type: "button", title: "Show where: nothing is known of the CPU there",
			onclick: () => store.showFirstGap(GAP_MISSING),
		}, `${formatCount(trace.missing_switches)} ${
			trace.missing_switches === 1 ? "switch" : "switches"} missing`));
	if (trace.lost_annotations)
		list.append(element("span", { title: "Spans may be missing, or end too late" },
			`${counted(trace.lost_annotations, "annotation")} lost`));
	if (trace.altered_annotations)
		list.append(element("span", { title: "They bore a time that cannot be" },
			`${counted(trace.altered_annotations, "annotation")} altered`));
	const { left_out: leftOut, start } = store.head.windows;
	if (leftOut.length)
		list.append(element("span", { title: LEFT_OUT },
			`Detail left out in ${formatCount(leftOut.length)} of ${counted(start.length, "window")}`));
	if (trace.truncated)
		list.append(element("span", {}, "The file ends early: the end of the trace is missing"));
}

function attachTheme(app) {
	const dark = matchMedia("(prefers-color-scheme: dark)");
	const calm = matchMedia("(prefers-reduced-motion: reduce)");
	dark.addEventListener("change", () => app.themeChanged());
	window.addEventListener("beforeprint", () => app.setPrinting(true));
	window.addEventListener("afterprint", () => app.setPrinting(false));
	document.getElementById("print-legend").append(legend());
	calm.addEventListener("change", () => app.calm = calm.matches);
	app.calm = calm.matches;
}

function attachButtons(app, help) {
	const onClick = (id, action) => document.getElementById(id).addEventListener("click", action);
	onClick("search-next", () => app.search.step(1));
	onClick("search-last", () => app.search.step(-1));
	onClick("compact", () => app.toggleCompact());
	onClick("by-cpu", () => app.toggleGrouping());
	onClick("whole", () => app.setView(0, app.fullSpan(), { animate: true }));
	onClick("help-open", () => help.showModal());
	app.store.showFirstGap = (kind) => {
		const cpu = app.store.cpus.find(({ gaps }) => gaps.rows && gaps.kind.includes(kind));
		if (cpu)
			app.select({ kind: "gap", cpu: cpu.index, row: cpu.gaps.kind.indexOf(kind) }, { reveal: true });
	};
}

async function start() {
	const pages = await Windows.open(window.annot.limits);
	const store = await pages.firstStore();
	const app = new App(pages, store);
	const help = document.getElementById("help");
	fillHeader(store);
	fillHelp(help);
	attachTheme(app);
	attachButtons(app, help);
	attachStrips(app);
	attachSplitter(app);
	app.input = new LaneInput(app);
	app.keys = new Keys(app, help);
	document.getElementById("loading").hidden = true;
	app.layoutChanged();
	app.details.show();
	new ResizeObserver(() => app.measure()).observe(app.scroller);
	app.measure();
	document.addEventListener("scroll", () => app.measure(), { passive: true });
	app.address.read();
	window.addEventListener("hashchange", () => app.address.read());
	app.scroller.focus({ preventScroll: true });
	Object.assign(window.annot, handleOf(app));
	performance.mark("annot-drawn");
	app.insights.read().catch(explain);
}

function explain(error) {
	const loading = document.getElementById("loading");
	loading.hidden = false;
	loading.textContent = typeof DecompressionStream === "undefined" ?
		"This page needs a browser of 2023 or later: Chrome 80, Firefox 113, Safari 16.4." :
		`This page cannot be shown: ${error.message}`;
	loading.classList.add("failed");
}

window.annot = { limits: {}, ...window.annot };
window.annot.ready = start();
window.annot.ready.catch(explain);
