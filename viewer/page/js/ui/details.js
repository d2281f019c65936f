// SPDX-License-Identifier: GPL-2.0
/*
 * The panel at the bottom: what is selected, or the figures of a range of time.
 */
import { STATE, STATE_NAMES } from "../data/codes.js";
import { itemToText, timeOf } from "../data/items.js";
import { otherEndOf } from "../data/messages.js";
import { estimateOf, formatAmount, formatFigure, formatRatio, refusal } from "../data/pmu.js";
import { headStatistics, rangeStatistics, rangeStatisticsFar } from "../data/ranges.js";
import { nrOfNames } from "../data/search.js";
import { threadName } from "../data/texts.js";
import { doubtOf, estimateOfTurns, estimateText, turnsText } from "../data/turn_figures.js";
import { formatCount, formatDuration } from "../data/units.js";
import { LEFT_OUT } from "../data/windows.js";
import { INTERRUPT_COLOURS, STRIP_COLOURS } from "../draw/style.js";
import { element, isChild, stateBar, stateSwatch, swatch } from "./dom.js";
import { explain } from "./explain.js";
import { describe, doubtOfFact, swatchOf } from "./facts.js";
import { hitsOfName, onlyName } from "./hits.js";
import { spanLengths } from "./lengths.js";
import { timeHistogram } from "./plot.js";
import { describeFar, knowsAll } from "./reach.js";
import { countColumn, FigureTable, shareColumn, timeColumn } from "./tables.js";
import { turnsColumn } from "./view_parts.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./tables.js").TableOrder} TableOrder */
/**
 * @template R
 * @typedef {import("./tables.js").TableColumn<R>} TableColumn
 */
/** @typedef {import("../data/items.js").Item} Item */
/** @typedef {import("./facts.js").Description} Description */
/** @typedef {import("../data/ranges.js").TaskSums} TaskSums */
/** @typedef {import("../data/ranges.js").TaskCount} TaskCount */
/** @typedef {import("../data/ranges.js").ThreadSums} ThreadSums */
/** @typedef {import("./dom.js").Child} Child */
/** @typedef {import("../data/ranges.js").CpuSums} CpuSums */
/** @typedef {import("./facts.js").FactValue} FactValue */
/** @typedef {import("../data/ranges.js").HeadStatistics} HeadStatistics */
/** @typedef {import("../data/pmu.js").Amount} Amount */
/** @typedef {import("../data/pmu.js").Caused} Caused */
/** @typedef {import("../data/turn_figures.js").Doubtful} Doubtful */
/** @typedef {import("../data/turn_figures.js").Estimate} Estimate */
/** @typedef {import("../data/pmu.js").PmuEvent} PmuEvent */
/** @typedef {import("../data/turn_figures.js").TurnFigures} TurnFigures */
/** @typedef {import("../data/ranges.js").Statistics} Statistics */
/** @typedef {import("../data/store.js").Store} Store */

/**
 * What was told of an item, and in which store it was found; text is that of the item.
 * @typedef {{text: string, store: Store, item: Item, description: Description}} Told
 */

const MOST_IN_COLUMN = 44;	/* characters of a fact beside others */

/** @param {FactValue} value */
function isLong(value) {
	if (typeof value === "string")
		return value.length > MOST_IN_COLUMN;
	return "doubt" in value && value.text.length > MOST_IN_COLUMN;
}

export class Details {
	/** @param {App} app @param {HTMLElement} panel */
	constructor(app, panel) {
		this.app = app;
		this.panel = panel;
		/** @type {Told | null} */
		this.told = null;		/* what was told last */
		/** @type {Statistics | null} */
		this.whole = null;		/* of the whole trace, once they are known */
		this.isComplete = false;
		this.isSelection = false;
		/** @type {Map<string, TableOrder>} */
		this.orders = new Map();
	}

	/* Anew, whatever was shown. */
	show() {
		const { app } = this;
		app.work.end("tell");
		this.isSelection = Boolean(app.range || app.selectionText);
		if (app.range)
			this.showRange(app.range);
		else if (app.selectionText)
			this.showItem(app.selectionText);
		else if (app.analyses.analysis)
			this.put(...app.analyses.nodes());
		else if (app.analyses.isRead)
			this.put(...this.ofWhole());
	}

	/* Another store is shown: perhaps it tells what was missing. */
	showMore() {
		const { app } = this;
		if (app.range ? !this.isComplete : app.selectionText && this.told?.text !== app.selectionText)
			this.show();
	}

	/** @param {...Child} nodes */
	put(...nodes) {
		const { app } = this;
		const shown = this.isSelection && !app.printing ? app.analyses.withEvents(nodes) : nodes;
		if (!shown)
			return;
		this.panel.scrollTop = 0;
		this.panel.replaceChildren(...app.printing ? app.analyses.printedNodes() : [], ...shown.filter(isChild));
		this.panel.classList.toggle("has-events", app.events.isShown);
	}

	/**
	 * The place of an item that is not in the store that is shown, as it was found to be described.
	 * @param {string} text
	 * @returns {Told | null}
	 */
	placeOf(text) {
		return this.told?.text === text ? this.told : null;
	}

	/** @param {string} text */
	showItem(text) {
		const { app } = this;
		const { store, selection: item } = app;
		if (item && knowsAll(store, item)) {
			this.tell({ text, store, item, description: describe(store, item) });
			return;
		}
		if (this.told?.text === text) {
			this.put(...this.ofItem(this.told));
			return;
		}
		if (item)
			this.put(...this.ofItem({ text, store, item, description: describe(store, item) }));
		else
			this.put(element("p", { class: "nothing" }, "Reading …"));
		app.work.run("tell", async (wanted, progress) => {
			const told = await describeFar(app.pages, text, wanted, progress);
			if (told)
				this.tell({ text, ...told });
			else if (wanted())
				app.clear();
		}).catch(explain);
	}

	/** @param {Told} told */
	tell(told) {
		this.told = told;
		this.put(...this.ofItem(told));
	}

	/** @param {{start: number, end: number}} range */
	showRange({ start, end }) {
		const { app } = this;
		/** @param {Statistics} sums */
		const show = (sums) => this.put(...this.ofRange({ start, end }, "Selected range", sums));
		this.isComplete = app.store.hasAll(start, end);
		if (this.isComplete) {
			show(rangeStatistics(app.store, start, end));
			return;
		}
		if (app.pages.lacks(...app.pages.around(start, end))) {
			this.put(element("p", { class: "nothing" }, LEFT_OUT));
			return;
		}
		this.put(element("p", { class: "nothing" }, "Adding up …"));
		app.work.run("tell", async (wanted, progress) => {
			const sums = await rangeStatisticsFar(app.pages, start, end, wanted, progress);
			if (!sums)
				return;
			this.isComplete = true;
			show(sums);
		}).catch(explain);
	}

	/* Of a trace that is too long to be read at once: what the head tells. */
	ofWhole() {
		const { app } = this;
		const range = { start: 0, end: app.store.duration };
		if (app.store.isWhole)
			this.whole = rangeStatistics(app.store, range.start, range.end);
		return this.ofRange(range, "Whole trace", this.whole || headStatistics(app.pages), app.pages.turnFigures);
	}

	readWhole() {
		const { app } = this;
		app.work.run("tell", async (wanted, progress) => {
			this.whole = await rangeStatisticsFar(app.pages, 0, app.pages.duration, wanted, progress);
			if (this.whole)
				this.show();
		}).catch(explain);
	}

	/** @param {Told} told */
	ofItem(told) {
		const { palette } = this.app;
		const { store, description } = told;
		const facts = element("dl", { class: "facts" });
		for (const [label, value, state] of description.facts)
			facts.append(element("div", { class: isLong(value) ? "fact long" : "fact" },
				element("dt", {}, state === undefined ? null : stateSwatch(state), label),
				element("dd", { class: doubtOfFact(value) ? "doubtful" : "" }, this.value(store, value))));
		return [
			element("div", { class: "details-head" },
				swatchOf(palette, description),
				element("h2", {}, description.title),
				element("span", { class: "subtitle" }, description.subtitle),
				this.buttons(told)),
			description.ns ? stateBar(description.ns) : null,
			facts,
			this.lengths(told),
		];
	}

	/**
	 * How long the spans of its task are, of those that are loaded, and where it stands among them.
	 * @param {Told} told
	 */
	lengths({ store, item, description: { name, title } }) {
		if (item.kind !== "span" || name === undefined)
			return null;
		const [start, end] = timeOf(store, item);
		const histogram = spanLengths(store, name, store.threads[item.thread].spans.kind[item.row]);
		return histogram && timeHistogram(histogram, {
			width: this.app.analyses.room(480), height: 170, noun: "span",
			title: `duration of ${store.string(name)}`, rules: end > start ? [[end - start, title]] : [],
		});
	}

	/** @param {Store} store @param {FactValue} value @returns {string | HTMLButtonElement} */
	value(store, value) {
		if (typeof value === "string")
			return value;
		if ("doubt" in value)
			return value.text;
		const text = itemToText(store, value.item);
		return element("button", {
			class: "link", type: "button", onclick: () => this.app.goTo(text, { reveal: true }),
		}, value.text);
	}

	/** @param {Told} told @returns {HTMLElement} */
	buttons(told) {
		const { app } = this;
		const { store, item, description } = told;
		const row = element("span", { class: "buttons" });
		/** @param {string} label @param {string} hint @param {number} step */
		const go = (label, hint, step) => row.append(element("button", {
			type: "button", title: hint, "aria-label": hint, onclick: () => app.goSameName(step),
		}, label));
		if (item.kind !== "thread" && item.kind !== "migration") {
			const what = item.kind === "message" ? "between these threads" :
				description.named || item.kind === "interrupt" ? "of the same name" : "of the same thread";
			go("‹ previous", `Previous ${what} ( [ )`, -1);
			go("next ›", `Next ${what} ( ] )`, 1);
		}
		if (description.named)
			row.append(element("span", { class: "place" }, this.place(told)));
		if (otherEndOf(store, item))
			row.append(element("button", {
				type: "button", title: item.kind === "message" ? "The call that received it (E)" :
					"The other end of its first message (E)", onclick: () => app.goOtherEnd(),
			}, "other end"));
		row.append(element("button", {
			type: "button", title: "Zoom to it (F)", onclick: () => app.zoomToSelection(),
		}, "zoom to it"));
		row.append(element("button", {
			type: "button", title: "Close (Escape)", "aria-label": "Close", onclick: () => app.clear(),
		}, "✕"));
		return row;
	}

	/**
	 * Which of its name it is, and for a span whether it is a long one.
	 * @param {Told} told
	 * @returns {string}
	 */
	place({ store, item, description: { name = -1 } }) {
		if (!store.isWhole)
			return `one of ${formatCount(nrOfNames(store.pages, onlyName(store, name)))}`;
		const hits = hitsOfName(store, name);
		const place = `${formatCount(hits.rank(item))} of ${formatCount(hits.total)}`;
		return item.kind === "span" && hits.total > 1 ?
			`${place}, median ${formatDuration(hits.medianSpan())}` : place;
	}

	/**
	 * @param {{start: number, end: number}} range
	 * @param {string} title
	 * @param {Statistics | HeadStatistics} sums
	 * @param {TurnFigures | null} told of the whole trace
	 * @returns {HTMLDivElement[]}
	 */
	ofRange(range, title, sums, told = null) {
		const { app } = this;
		const head = element("div", { class: "details-head" }, element("h2", {}, title),
			element("span", { class: "subtitle" }, formatDuration(range.end - range.start)));
		if (app.range)
			head.append(element("span", { class: "buttons" },
				element("button", { type: "button", title: "Zoom to it (F)",
					onclick: () => app.zoomToSelection() }, "zoom to it"),
				element("button", { type: "button", title: "Close (Escape)", "aria-label": "Close",
					onclick: () => app.clear() }, "✕")));
		else
			head.append(legend(app.store.counts().interrupts > 0));
		if (sums.isShort && !app.pages.leftOut.size)
			head.append(element("button", { type: "button", title: "Reads the whole trace",
				onclick: () => this.readWhole() }, "add up all"));
		return [head, element("div", { class: "tables" },
			this.taskTable(sums, told), this.threadTable(sums, told), this.cpuTable(sums.cpus), this.pmuTable(sums, told))];
	}

	/**
	 * Each table keeps its order while the range changes.
	 * @param {string} caption
	 * @template R
	 * @param {TableColumn<R>[]} columns
	 * @param {R[]} rows
	 * @returns {HTMLDivElement}
	 */
	table(caption, columns, rows) {
		return new FigureTable(caption, columns, rows, this.orders.get(caption) || null,
			(order) => this.orders.set(caption, order)).element();
	}

	/**
	 * What was measured, and what not and why.
	 * @param {Statistics | HeadStatistics} sums
	 * @param {TurnFigures | null} told
	 */
	pmuTable(sums, told) {
		if (!sums.events.length)
			return null;
		const rows = sums.isShort ? sums.events.map(({ event }) => this.pmuRow(event, ["", ""])) :
			sums.events.map((own) => {
				const figure = told?.ofAll(own.event);
				return this.pmuRow(own.event, eventFigures(figure ? { ...own, told: figure } : own, sums.onCpu));
			});
		return plainTable("Events", ["name", "how", "precise", "amount", "per µs on CPU", "samples lost"], rows);
	}

	/**
	 * @param {PmuEvent} event @param {(string | Doubtful)[]} figures
	 * @returns {[Child[], ...(string | Doubtful)[]]}
	 */
	pmuRow(event, figures) {
		const { store, palette } = this.app;
		const strip = store.pmu.shown.indexOf(event);
		const name = [strip < 0 ? null : swatch(palette.theme[STRIP_COLOURS[strip]]), event.name];
		if (event.error)
			return [name, `refused: ${refusal(event)}`, "", "", "", ""];
		return [name, howMeasured(event), event.counted ? "" : preciseText(event), ...figures,
			event.counted ? "" : formatCount(event.lost)];
	}

	/** @param {Statistics | HeadStatistics} sums @param {TurnFigures | null} told */
	taskTable(sums, told) {
		if (!sums.tasks.length)
			return element("p", { class: "nothing" }, "No spans here: the program did not annotate.");
		if (sums.isShort)
			return this.table("Spans", [this.taskColumn(() => null), countColumn("count", ({ count }) => count)],
				sums.tasks);
		/** @type {TableColumn<TaskSums>[]} */
		const columns = [
			this.taskColumn(({ longest }) => longest), countColumn("count", ({ count }) => count),
			timeColumn("wall", ({ wall }) => wall), timeColumn("longest", ({ longestNs }) => longestNs),
			...stateColumns((/** @type {TaskSums} */ { ns }) => ns),
			...this.amountColumns((/** @type {TaskSums} */ { name, waits }, event) =>
				told && told.ofTask(this.app.store.string(name), waits, event)),
		];
		return this.table("Spans", columns, sums.tasks);
	}

	/**
	 * @template {TaskCount} R
	 * @param {(row: R) => string | null} longestOf the item to go to, as text
	 * @returns {TableColumn<R>}
	 */
	taskColumn(longestOf) {
		const { app } = this;
		/** @param {TaskCount} task */
		const name = (task) => app.store.string(task.name);
		return { name: "name", value: name, nodes: (task) => {
			const longest = longestOf(task);
			return [
				task.waits ? element("span", { class: "swatch swatch-wait" }) :
					swatch(app.palette.ofName(task.name)),
				longest ? this.goButton(name(task), () => app.goTo(longest, { reveal: true }),
					"Show the longest") : name(task),
			];
		} };
	}

	/** @param {Statistics | HeadStatistics} sums @param {TurnFigures | null} told */
	threadTable({ threads, isShort }, told) {
		const { app } = this;
		if (!threads.length)
			return element("p", { class: "nothing" }, "No thread was seen here.");
		/** @param {ThreadSums} row */
		const name = ({ thread }) => threadName(app.store, thread);
		const [onCpu, ...states] = stateColumns((/** @type {ThreadSums} */ { account }) => account.ns);
		/** @type {TableColumn<ThreadSums>[]} */
		const columns = [
			{ name: "thread", value: name, nodes: (row) => [swatch(app.palette.ofThread(row.thread)),
				this.goButton(name(row), () => app.select({ kind: "thread", thread: row.thread },
					{ reveal: true }), "Show this thread")] },
			onCpu,
			shareColumn("share", ({ account, total }) => total ? account.ns[STATE.RUNNING] / total : 0),
			...app.store.counts().interrupts ? [timeColumn("stolen",
				(/** @type {ThreadSums} */ { account }) => account.stolen)] : [],
			...isShort ? [] : [timeColumn("spinning", (/** @type {ThreadSums} */ { spinning }) => spinning || 0)],
			...states, countColumn("switches", ({ account }) => account.switches),
			countColumn("migrations", ({ account }) => account.migrations),
			...isShort ? [] : this.amountColumns((/** @type {ThreadSums} */ { thread }, event) =>
				told && told.ofThread(thread, event)),
		];
		return this.table("Threads", columns, threads);
	}

	/** @param {CpuSums[]} cpus @returns {HTMLDivElement | null} */
	cpuTable(cpus) {
		if (!cpus.length)
			return null;
		/** @type {TableColumn<CpuSums>[]} */
		const columns = [
			{ name: "CPU", value: ({ cpu }) => cpu, nodes: ({ cpu }) => [`CPU ${cpu}`] },
			timeColumn("busy", ({ busy }) => busy),
			shareColumn("share", ({ busy, total }) => total ? busy / total : 0),
			timeColumn("idle", ({ idle }) => idle),
			...cpus.some(({ lost }) => lost) ? [timeColumn("events lost", ({ lost }) => lost)] : [],
			countColumn("switches", ({ switches }) => switches),
			countColumn("migrations in", ({ migrationsIn }) => migrationsIn), ...this.amountColumns(() => null),
		];
		return this.table("CPUs", columns, cpus);
	}

	/**
	 * @template {Partial<Caused>} R
	 * @param {(row: R, event: PmuEvent) => Estimate | null} toldOf what annot tells of a row
	 * @returns {TableColumn<R>[]}
	 */
	amountColumns(toldOf) {
		return this.app.store.pmu.measured.map((event, i) => {
			if (event.shared)
				return turnsColumn(event.name, (/** @type {R} */ row) => toldOf(row, event) ||
					estimateOfTurns(row.amounts?.[i] || 0, 0, row.turns?.[i] || { countedNs: 0, ns: 0 }));
			return event.ratio ?
				countColumn(`${event.name} samples`, ({ amounts }) => amounts ? Math.round(amounts[i] / event.period) : 0) :
				countColumn(event.name, ({ amounts }) => amounts ? amounts[i] : 0);
		});
	}

	/** @param {string} text @param {() => void} onclick @param {string} title @returns {HTMLButtonElement} */
	goButton(text, onclick, title) {
		return element("button", { class: "link", type: "button", title, onclick }, text);
	}
}

/**
 * Of what all CPUs caused: the amount, and that in a microsecond of @onCpu ns.
 * @param {Amount} own @param {number} onCpu
 * @returns {(string | Doubtful)[]}
 */
function eventFigures(own, onCpu) {
	const perUs = (/** @type {number} */ amount) => onCpu ? amount / onCpu * 1e3 : 0;
	if (!own.turns)
		return [formatAmount(own), own.event.ratio ? "" : formatFigure(perUs(own.amount))];
	const estimate = estimateOf(own);
	const { amount, error } = estimate;
	const doubt = doubtOf(estimate);
	return [{ text: `${estimateText(estimate)}, ${turnsText(estimate)}`, doubt },
		{ text: amount === null ? "" : formatRatio(perUs(amount), error === null ? null : perUs(error)), doubt }];
}

/** @param {PmuEvent} event */
function howMeasured({ counted: isCounted, shared: isShared, period, user, kernel }) {
	const where = user && kernel ? "" : user ? ", user only" : ", kernel only";
	return (isShared ? "counted per slice, for a part of the time: there were too few counters" :
		isCounted ? "counted per slice" : `a sample every ${formatCount(period)}`) + where;
}

/** @param {PmuEvent} event */
function preciseText({ asked, precise }) {
	return precise === asked ? String(precise) : `${precise} of ${asked}`;
}

/** @param {number} ns */
/**
 * @template R
 * @param {(row: R) => Float64Array} ns
 * @returns {TableColumn<R>[]}
 */
function stateColumns(ns) {
	return [
		timeColumn("on CPU", (row) => ns(row)[STATE.RUNNING]),
		timeColumn("preempted", (row) => ns(row)[STATE.PREEMPTED]),
		timeColumn("runnable", (row) => ns(row)[STATE.RUNNABLE]),
		timeColumn("blocked", (row) => ns(row)[STATE.SLEEPING] + ns(row)[STATE.UNINTERRUPTIBLE]),
	];
}

/** @param {string | Doubtful} cell */
function plainCell(cell) {
	if (typeof cell === "string")
		return element("td", {}, cell);
	return element("td", { class: cell.doubt ? "doubtful" : "", title: cell.doubt || null }, cell.text);
}

/**
 * The first column of a row is a list of nodes, the others are texts.
 * @param {string} caption @param {string[]} headings @param {[Child[], ...(string | Doubtful)[]][]} rows
 */
function plainTable(caption, headings, rows) {
	const table = element("table", { "aria-label": caption },
		element("thead", {}, element("tr", {},
			...headings.map((heading) => element("th", { scope: "col" }, heading)))),
		element("tbody", {}, ...rows.map(([first, ...rest]) =>
			element("tr", {}, element("th", { scope: "row" }, ...first),
				...rest.map(plainCell)))));
	return element("div", { class: "figures" },
		element("div", { class: "figures-head" }, `${caption} (${formatCount(rows.length)})`),
		element("div", { class: "figures-scroll" }, table));
}

/** @param {boolean} hasInterrupts @returns {HTMLElement} */
export function legend(hasInterrupts) {
	const list = element("span", { class: "legend" });
	for (const state of [STATE.RUNNING, STATE.PREEMPTED, STATE.RUNNABLE, STATE.SLEEPING, STATE.UNINTERRUPTIBLE,
		STATE.UNKNOWN])
		list.append(element("span", {}, stateSwatch(state), STATE_NAMES[state]));
	list.append(element("span", {}, element("span", { class: "swatch swatch-wait" }), "wait span"));
	for (const colour of hasInterrupts ? new Set(INTERRUPT_COLOURS) : [])
		list.append(element("span", {},
			element("span", { class: "swatch", style: { background: `var(--${colour})` } }), colour));
	return list;
}
