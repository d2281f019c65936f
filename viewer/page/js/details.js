// SPDX-License-Identifier: GPL-2.0
/*
 * The panel at the bottom: what is selected, or the figures of a range of time.
 */
class Details {
	constructor(app, panel) {
		this.app = app;
		this.panel = panel;
		this.orders = new Map();
	}

	show() {
		const { app, panel } = this;
		panel.replaceChildren();
		if (app.range)
			panel.append(...this.ofRange(app.range, "Selected range"));
		else if (app.selection)
			panel.append(...this.ofItem(app.selection));
		else
			panel.append(...this.ofRange({ start: 0, end: app.store.duration }, "Whole trace"));
		panel.scrollTop = 0;
	}

	ofItem(item) {
		const { store, palette } = this.app;
		const description = describe(store, item);
		const facts = element("dl", { class: "facts" });
		for (const [label, value, state] of description.facts)
			facts.append(element("div", { class: "fact" },
				element("dt", {}, state === undefined ? null : stateSwatch(state), label),
				element("dd", {}, this.value(value))));
		return [
			element("div", { class: "details-head" },
				swatchOf(palette, description),
				element("h2", {}, description.title),
				element("span", { class: "subtitle" }, description.subtitle),
				this.buttons(item, description)),
			description.ns ? stateBar(description.ns) : null,
			facts,
		].filter(Boolean);
	}

	value(value) {
		if (typeof value === "string")
			return value;
		return element("button", {
			class: "link", type: "button",
			onclick: () => this.app.select(value.item, { reveal: true }),
		}, value.text);
	}

	buttons(item, description) {
		const { app } = this;
		const row = element("span", { class: "buttons" });
		const go = (label, hint, target) => row.append(element("button", {
			type: "button", title: hint, "aria-label": hint, ...(target ? {} : { disabled: "" }),
			onclick: () => app.select(target(), { reveal: true }),
		}, label));
		if (item.kind !== "thread" && item.kind !== "migration") {
			const what = description.named ? "of the same name" : "of the same thread";
			go("‹ previous", `Previous ${what} ( [ )`, () => sameName(app.store, item, -1) || item);
			go("next ›", `Next ${what} ( ] )`, () => sameName(app.store, item, 1) || item);
		}
		if (description.named)
			row.append(element("span", { class: "place" }, this.place(item, description.name)));
		row.append(element("button", {
			type: "button", title: "Zoom to it (F)", onclick: () => app.zoomToSelection(),
		}, "zoom to it"));
		row.append(element("button", {
			type: "button", title: "Close (Escape)", "aria-label": "Close", onclick: () => app.clear(),
		}, "✕"));
		return row;
	}

	/* Which of its name it is, and for a span whether it is a long one. */
	place(item, name) {
		const hits = hitsOfName(this.app.store, name);
		const place = `${formatCount(hits.rank(item))} of ${formatCount(hits.total)}`;
		return item.kind === "span" && hits.total > 1 ?
			`${place}, median ${formatDuration(hits.medianSpan())}` : place;
	}

	ofRange(range, title) {
		const { app } = this;
		const { tasks, threads, cpus } = rangeStatistics(app.store, range.start, range.end);
		const head = element("div", { class: "details-head" }, element("h2", {}, title),
			element("span", { class: "subtitle" }, formatDuration(range.end - range.start)));
		if (app.range)
			head.append(element("span", { class: "buttons" },
				element("button", { type: "button", title: "Zoom to it (F)",
					onclick: () => app.zoomToSelection() }, "zoom to it"),
				element("button", { type: "button", title: "Close (Escape)", "aria-label": "Close",
					onclick: () => app.clear() }, "✕")));
		else
			head.append(legend());
		return [head, element("div", { class: "tables" },
			this.taskTable(tasks), this.threadTable(threads), this.cpuTable(cpus), this.pmuTable(range))];
	}

	/* Each table keeps its order while the range changes. */
	table(caption, columns, rows) {
		return new FigureTable(caption, columns, rows, this.orders.get(caption) || null,
			(order) => this.orders.set(caption, order)).element();
	}

	/* What was measured, and what not and why. */
	pmuTable({ start, end }) {
		const { store, palette } = this.app;
		const { pmu } = store;
		if (!pmu.events.length)
			return null;
		const onCpu = store.cpus.reduce((sum, cpu) =>
			sum + store.busyTime(cpu.index, start, end, false), 0);
		return plainTable("Events", ["name", "how", "precise", "amount", "per µs on CPU", "samples lost"],
			pmu.events.map((event) => {
				const own = pmu.onAllCpus(event, start, end);
				const strip = pmu.shown.indexOf(event);
				return [
					[strip < 0 ? null : swatch(palette.theme[STRIP_COLOURS[strip]]), event.name]
						.filter(Boolean),
					...(event.error ? [`refused: ${refusal(event)}`, "", "", "", ""] : [
						howMeasured(event), event.counted ? "" : preciseText(event), formatAmount(own),
						formatFigure(onCpu ? own.amount / onCpu * 1e3 : 0),
						event.counted ? "" : formatCount(event.lost),
					]),
				];
			}));
	}

	taskTable(tasks) {
		const { app } = this;
		if (!tasks.length)
			return element("p", { class: "nothing" }, "No spans here: the program did not annotate.");
		const name = ({ name: id }) => app.store.string(id);
		return this.table("Spans", [
			{ name: "name", value: name, nodes: (task) => [
				task.waits ? element("span", { class: "swatch swatch-wait" }) :
					swatch(app.palette.ofName(task.name)),
				this.goButton(name(task), () => app.select(task.longest, { reveal: true }),
					"Show the longest")] },
			countColumn("count", (task) => task.count), timeColumn("wall", (task) => task.wall),
			timeColumn("longest", (task) => task.longestNs), ...stateColumns((task) => task.ns),
			...this.amountColumns(),
		], tasks);
	}

	threadTable(threads) {
		const { app } = this;
		if (!threads.length)
			return element("p", { class: "nothing" }, "No thread was seen here.");
		const name = ({ thread }) => threadName(app.store, thread);
		const [onCpu, ...states] = stateColumns(({ account }) => account.ns);
		return this.table("Threads", [
			{ name: "thread", value: name, nodes: (row) => [swatch(app.palette.ofThread(row.thread)),
				this.goButton(name(row), () => app.select({ kind: "thread", thread: row.thread },
					{ reveal: true }), "Show this thread")] },
			onCpu,
			shareColumn("share", ({ account, total }) => total ? account.ns[STATE.RUNNING] / total : 0),
			...states, countColumn("switches", ({ account }) => account.switches),
			countColumn("migrations", ({ account }) => account.migrations), ...this.amountColumns(),
		], threads);
	}

	cpuTable(cpus) {
		if (!cpus.length)
			return null;
		return this.table("CPUs", [
			{ name: "CPU", value: ({ cpu }) => cpu, nodes: ({ cpu }) => [`CPU ${cpu}`] },
			timeColumn("busy", ({ busy }) => busy),
			shareColumn("share", ({ busy, total }) => total ? busy / total : 0),
			timeColumn("idle", ({ idle }) => idle),
			...cpus.some(({ lost }) => lost) ? [timeColumn("events lost", ({ lost }) => lost)] : [],
			countColumn("switches", ({ switches }) => switches),
			countColumn("migrations in", ({ migrationsIn }) => migrationsIn), ...this.amountColumns(),
		], cpus);
	}

	amountColumns() {
		return this.app.store.pmu.measured.map((event, i) =>
			countColumn(event.name, ({ amounts }) => amounts[i]));
	}

	goButton(text, onclick, title) {
		return element("button", { class: "link", type: "button", title, onclick }, text);
	}
}

function howMeasured({ counted: isCounted, period, user, kernel }) {
	const where = user && kernel ? "" : user ? ", user only" : ", kernel only";
	return (isCounted ? "counted per slice" : `a sample each ${formatCount(period)}`) + where;
}

function preciseText({ asked, precise }) {
	return precise === asked ? String(precise) : `${precise} of ${asked}`;
}

function stateColumns(ns) {
	return [
		timeColumn("on CPU", (row) => ns(row)[STATE.RUNNING]),
		timeColumn("preempted", (row) => ns(row)[STATE.PREEMPTED]),
		timeColumn("woken", (row) => ns(row)[STATE.WOKEN]),
		timeColumn("blocked", (row) => ns(row)[STATE.BLOCKED] + ns(row)[STATE.BLOCKED_IO]),
	];
}

/* The first column of a row is a list of nodes, the others are texts. */
function plainTable(caption, headings, rows) {
	const table = element("table", { "aria-label": caption },
		element("thead", {}, element("tr", {},
			...headings.map((heading) => element("th", { scope: "col" }, heading)))),
		element("tbody", {}, ...rows.map(([first, ...rest]) =>
			element("tr", {}, element("th", { scope: "row" }, ...first),
				...rest.map((text) => element("td", {}, text))))));
	return element("div", { class: "figures" },
		element("div", { class: "figures-head" }, `${caption} (${formatCount(rows.length)})`),
		element("div", { class: "figures-scroll" }, table));
}

function legend() {
	const list = element("span", { class: "legend" });
	for (const state of [STATE.RUNNING, STATE.PREEMPTED, STATE.WOKEN, STATE.BLOCKED, STATE.BLOCKED_IO,
		STATE.UNKNOWN])
		list.append(element("span", {}, stateSwatch(state), STATE_NAMES[state]));
	list.append(element("span", {}, element("span", { class: "swatch swatch-wait" }), "wait span"));
	return list;
}
