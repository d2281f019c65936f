// SPDX-License-Identifier: GPL-2.0
/*
 * Mouse, touch and keys -> the app.
 */
import { sameItem, timeOf } from "../data/items.js";
import { describeBucket } from "../draw/coarse.js";
import { pickItem } from "../draw/pick.js";
import { byId, element, stateSwatch } from "./dom.js";
import { describe, doubtOfFact, swatchOf } from "./facts.js";
import { FINDINGS_TAB } from "./view_parts.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("../draw/types.js").Lane} Lane */
/** @typedef {import("../draw/types.js").Range} Range */
/** @typedef {import("../data/items.js").Item} Item */
/** @typedef {{x: number, y: number}} Point on the canvas of the lanes */
/**
 * A press of the pointer, until it is released.
 * @typedef {Point & {
 *	moved: boolean, view: Range, scrollTop: number, what: "label" | "range" | "pan", ns: number,
 * }} Drag
 */
/**
 * What a tooltip shows: of an item, or, with a key, of a bucket of the overview.
 * @typedef {import("./facts.js").Description & {key?: string}} Shown
 */

const DRAG_THRESHOLD = 4;
const WHEEL_ZOOM = 1.0016;	/* per pixel of wheel movement */
const KEY_ZOOM = 0.7;
const KEY_PAN = 0.15;
const MINIMAP_CURSORS = { start: "ew-resize", end: "ew-resize", move: "grab", draw: "crosshair" };
const DOUBLE_CLICK_ZOOM = 0.1;	/* where there is no item to zoom to */

export class LaneInput {
	/** @param {App} app */
	constructor(app) {
		this.app = app;
		/** @type {Drag | null} */
		this.drag = null;
		this.coarseKey = "";
		this.tooltipSize = { width: 0, height: 0 };
		const { scroller } = app;
		const canvas = app.painter.surface.canvas;
		scroller.addEventListener("scroll", () => {
			app.scrollTop = scroller.scrollTop;
			app.follower?.scrolled();
			app.requestFrame();
		}, { passive: true });
		scroller.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
		for (const change of ["focus", "blur"])
			scroller.addEventListener(change, () => app.byKeys && app.requestFrame());
		canvas.addEventListener("pointerdown", (event) => this.down(event));
		canvas.addEventListener("pointermove", (event) => this.move(event));
		canvas.addEventListener("pointerup", (event) => this.up(event));
		canvas.addEventListener("pointercancel", () => this.drag = null);
		canvas.addEventListener("pointerleave", () => this.leave());
		canvas.addEventListener("dblclick", (event) => this.doubleClick(event));
	}

	/** @param {MouseEvent} event @returns {Point} */
	point(event) {
		const { bounds } = this.app;
		return { x: event.clientX - bounds.left, y: event.clientY - bounds.top };
	}

	/** @param {WheelEvent} event */
	wheel(event) {
		const { app } = this;
		const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 24 : 1;
		const scrolls = app.lanes.height > app.height;
		const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY);
		if (event.ctrlKey || event.metaKey || (!scrolls && !event.shiftKey && !sideways)) {
			const ns = app.scale().ns(this.point(event).x);
			app.zoom(WHEEL_ZOOM ** (event.deltaY * lines), ns, { animate: false });
		} else if (event.shiftKey || sideways) {
			const distance = (sideways ? event.deltaX : event.deltaY) * lines;
			app.pan(distance / app.laneWidth(), { animate: false });
		} else {
			return;
		}
		event.preventDefault();
		this.hover(this.point(event));
	}

	/** @param {PointerEvent} event */
	down(event) {
		const { app } = this;
		if (event.button !== 0)
			return;
		const { x, y } = this.point(event);
		app.byKeys = false;
		app.scroller.focus({ preventScroll: true });
		this.drag = {
			x, y, moved: false, view: { ...app.view }, scrollTop: app.scrollTop,
			what: x < app.labelWidth ? "label" : event.shiftKey ? "range" : "pan",
			ns: app.scale().ns(x),
		};
		app.painter.surface.canvas.setPointerCapture(event.pointerId);
	}

	/** @param {PointerEvent} event */
	move(event) {
		const { app, drag } = this;
		const { x, y } = this.point(event);
		if (!drag) {
			this.hover({ x, y });
			return;
		}
		if (!drag.moved && Math.hypot(x - drag.x, y - drag.y) < DRAG_THRESHOLD)
			return;
		drag.moved = true;
		this.hideTooltip();
		if (drag.what === "pan") {
			const ns = (drag.x - x) / app.laneWidth() * (drag.view.end - drag.view.start);
			app.setView(drag.view.start + ns, drag.view.end + ns);
			app.scroller.scrollTop = drag.scrollTop + drag.y - y;
		} else if (drag.what === "range") {
			app.range = { start: drag.ns, end: app.scale().ns(x) };
			if (app.range.start > app.range.end)
				[app.range.start, app.range.end] = [app.range.end, app.range.start];
			app.requestFrame();
		}
	}

	/** @param {PointerEvent} event */
	up(event) {
		const { app, drag } = this;
		this.drag = null;
		if (!drag)
			return;
		if (drag.moved) {
			/* Escape may have cleared it meanwhile. */
			if (drag.what === "range" && app.range)
				app.setRange(app.range.start, app.range.end);
			return;
		}
		if (drag.what === "label")
			this.clickLabel(drag.y);
		else
			app.select(pickItem(app, drag.x, drag.y));
		this.hover(this.point(event));
	}

	/** @param {number} y */
	clickLabel(y) {
		const { app } = this;
		const lane = app.lanes.at(y + app.scrollTop);
		if (!lane)
			return;
		const does = lane.kind.click(lane);
		app.focusedLane = lane.id;
		if (does?.toggles)
			app.toggleGroup(does.toggles);
		else if (does?.selects)
			app.select(does.selects);
		else
			app.requestFrame();
	}

	/** @param {MouseEvent} event */
	doubleClick(event) {
		const { app } = this;
		const { x, y } = this.point(event);
		if (x < app.labelWidth)
			return;
		if (!app.showsDetail())
			app.zoom(DOUBLE_CLICK_ZOOM, app.scale().ns(x));
		else if (pickItem(app, x, y))
			app.zoomToSelection();
	}

	/** @param {Point} point */
	hover({ x, y }) {
		const { app } = this;
		const lane = app.lanes.at(y + app.scrollTop);
		if (!app.showsDetail()) {
			this.hoverCoarse(lane, x, y);
			return;
		}
		const item = pickItem(app, x, y);
		app.point(x < app.labelWidth ? null : app.scale().ns(x));
		app.hoverKind = lane ? lane.kind : null;
		if (!sameItem(item, app.hover)) {
			app.hover = item;
			this.fillTooltip(item && describe(app.store, item));
		}
		app.painter.surface.canvas.style.cursor = this.cursor(x, lane, item);
		if (item)
			this.placeTooltip(x, y);
		app.requestFrame();
	}

	/**
	 * Over the overview: what it tells of the place.
	 * @param {Lane | undefined} lane @param {number} x @param {number} y
	 */
	hoverCoarse(lane, x, y) {
		const { app } = this;
		const { overview } = app.pages;
		const isTold = overview && lane && x >= app.labelWidth;
		const told = isTold ? describeBucket(app, overview, lane, app.scale().ns(x)) : null;
		const key = told ? told.key : "";
		app.hover = null;
		app.point(x < app.labelWidth ? null : app.scale().ns(x));
		if (key !== this.coarseKey || app.tooltip.hidden)
			this.fillTooltip(told);
		this.coarseKey = key;
		app.painter.surface.canvas.style.cursor = this.cursor(x, lane, null);
		if (told)
			this.placeTooltip(x, y);
		app.requestFrame();
	}

	/** @param {number} x @param {Lane | undefined} lane @param {Item | null} item */
	cursor(x, lane, item) {
		if (x < this.app.labelWidth)
			return lane?.kind.click(lane) ? "pointer" : "default";
		return item ? "pointer" : "default";
	}

	leave() {
		const { app } = this;
		this.hideTooltip();
		app.point(null);
	}

	hideTooltip() {
		this.app.hover = null;
		this.app.tooltip.hidden = true;
	}

	/** @param {Shown | null} description */
	fillTooltip(description) {
		const { tooltip, palette } = this.app;
		tooltip.hidden = !description;
		if (!description)
			return;
		const facts = element("dl");
		const shown = description.key ? description.facts : description.facts.slice(1, 9);
		for (const [label, value, state] of shown)
			facts.append(element("dt", {}, state === undefined ? null : stateSwatch(state), label),
				element("dd", { class: doubtOfFact(value) ? "doubtful" : "" }, typeof value === "string" ? value : value.text));
		tooltip.replaceChildren(
			element("div", { class: "tooltip-head" }, swatchOf(palette, description),
				element("strong", {}, description.title)),
			element("div", { class: "subtitle" }, description.subtitle), facts);
		this.tooltipSize = { width: tooltip.offsetWidth, height: tooltip.offsetHeight };
	}

	/** @param {number} x @param {number} y */
	placeTooltip(x, y) {
		const { app } = this;
		const { width, height } = this.tooltipSize;
		const left = app.bounds.left + x + 16;
		const top = app.bounds.top + y + 18;
		const flipX = left + width > window.innerWidth - 4;
		const flipY = top + height > window.innerHeight - 4;
		app.tooltip.style.transform = `translate(${
			Math.round(flipX ? Math.max(left - width - 30, 2) : left)}px, ${
			Math.round(flipY ? Math.max(top - height - 32, 2) : top)}px)`;
	}
}

/**
 * The strips above the lanes: the overview, and the axis, on which a drag selects a range.
 * @param {App} app
 */
export function attachStrips(app) {
	const minimap = byId("minimap");
	const axis = byId("axis");
	/** @param {MouseEvent} event */
	const x = (event) => event.clientX - app.bounds.left;
	/** @type {number | null} */
	let rangeFrom = null;

	for (const canvas of [minimap, axis])
		canvas.addEventListener("wheel", (event) => {
			event.preventDefault();
			const scale = canvas === minimap ? app.minimap.scale() : app.scale();
			app.zoom(WHEEL_ZOOM ** event.deltaY, scale.ns(x(event)), { animate: false });
		}, { passive: false });
	minimap.addEventListener("pointerdown", (event) => {
		if (x(event) < app.labelWidth)
			return;
		app.minimap.press(x(event));
		minimap.setPointerCapture(event.pointerId);
	});
	minimap.addEventListener("pointermove", (event) => {
		app.minimap.move(x(event));
		const grip = app.minimap.drag ? app.minimap.drag.grip : app.minimap.gripAt(x(event));
		minimap.style.cursor = MINIMAP_CURSORS[grip];
	});
	minimap.addEventListener("pointerup", (event) => app.minimap.release(x(event)));
	axis.addEventListener("pointerdown", (event) => {
		if (x(event) < app.labelWidth)
			return;
		rangeFrom = app.scale().ns(x(event));
		axis.setPointerCapture(event.pointerId);
	});
	axis.addEventListener("pointermove", (event) => {
		app.point(x(event) < app.labelWidth ? null : app.scale().ns(x(event)));
		if (rangeFrom !== null) {
			const to = app.scale().ns(x(event));
			app.range = { start: Math.min(rangeFrom, to), end: Math.max(rangeFrom, to) };
		}
		app.requestFrame();
	});
	axis.addEventListener("pointerup", (event) => {
		if (rangeFrom !== null && Math.abs(app.scale().x(rangeFrom) - x(event)) >= DRAG_THRESHOLD)
			app.setRange(rangeFrom, app.scale().ns(x(event)));
		else
			app.clear();
		rangeFrom = null;
	});
	axis.addEventListener("pointerleave", () => app.point(null));
}

export class Keys {
	/** @param {App} app @param {HTMLDialogElement} help */
	constructor(app, help) {
		this.app = app;
		this.help = help;
		document.addEventListener("keydown", (event) => this.key(event));
		app.search.input.addEventListener("keydown", (event) => this.searchKey(event));
		app.search.input.addEventListener("input", () => {
			app.search.run(app.search.input.value);
			app.address.note();
		});
	}

	/** @param {KeyboardEvent} event */
	searchKey(event) {
		event.stopPropagation();
		if (event.key === "Enter") {
			this.app.search.step(event.shiftKey ? -1 : 1);
		} else if (event.key === "Escape") {
			this.app.search.run("");
			this.app.scroller.focus();
		} else {
			return;
		}
		event.preventDefault();
	}

	/** @param {KeyboardEvent} event */
	key(event) {
		this.app.byKeys = true;
		if (event.ctrlKey || event.metaKey || event.altKey || this.help.open)
			return;
		const inControl = /** @type {Element} */ (event.target).closest("button, summary, [role=separator]") && /^(Enter| )$/.test(event.key);
		if (inControl)
			return;
		const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
		const actions = this.actions(event);
		if (!Object.hasOwn(actions, name))
			return;
		actions[name]();
		event.preventDefault();
	}

	/** @param {KeyboardEvent} event @returns {Record<string, () => void>} */
	actions(event) {
		const { app } = this;
		return {
			w: () => app.zoom(KEY_ZOOM, app.crosshair),
			s: () => app.zoom(1 / KEY_ZOOM, app.crosshair),
			a: () => app.pan(-KEY_PAN),
			d: () => app.pan(KEY_PAN),
			e: () => app.goOtherEnd(),
			f: () => this.find(event.shiftKey),
			0: () => app.fit(),
			m: () => app.toggleCompact(),
			g: () => app.toggleGrouping(),
			n: () => app.search.step(event.shiftKey ? -1 : 1),
			"/": () => app.search.input.select(),
			l: () => app.filter.input.select(),
			"?": () => this.help.showModal(),
			"[": () => app.goSameName(-1),
			"]": () => app.goSameName(1),
			ArrowLeft: () => this.goNeighbour(-1),
			ArrowRight: () => this.goNeighbour(1),
			ArrowUp: () => this.goLane(-1),
			ArrowDown: () => this.goLane(1),
			r: () => app.setRange(app.aim().start, app.aim().end),
			Home: () => this.goLane(-Infinity),
			End: () => this.goLane(Infinity),
			PageUp: () => app.scroller.scrollBy(0, -app.height * 0.9),
			PageDown: () => app.scroller.scrollBy(0, app.height * 0.9),
			Enter: () => this.openLane(),
			Escape: () => this.escape(),
		};
	}

	escape() {
		const { app } = this;
		if (app.selectionText || app.range || app.work.has("go") || app.work.has("tell"))
			app.clear();
		else if (app.evidence.isShown())
			app.analyses.hide();
		else if (app.lengths)
			app.analyses.showAllLengths();
		else
			app.search.run("");
	}

	/**
	 * To what is selected; with nothing selected, or shift, to the findings.
	 * @param {boolean} always
	 */
	find(always) {
		const { app } = this;
		if (!always && (app.selectionText || app.range))
			app.zoomToSelection();
		else if (app.analyses.analysis)
			app.analyses.open(FINDINGS_TAB);
	}

	/**
	 * Along the lane; from nothing, the first thing in sight there.
	 * @param {number} step
	 */
	goNeighbour(step) {
		const { app } = this;
		const place = app.selected();
		if (!place || place.item.kind === "thread")
			this.selectInLane(app.lanes.find(app.focusedLane), (app.view.start + app.view.end) / 2);
		else
			app.goNeighbour(step);
	}

	/** @param {number} step */
	goLane(step) {
		const { app } = this;
		const { lanes } = app.lanes;
		const at = app.lanes.place(app.focusedLane);
		const lane = lanes[Math.min(Math.max(at + step, 0), lanes.length - 1)];
		app.focusLane(lane);
		const place = app.selected();
		if (place && place.item.kind !== "thread")
			this.selectInLane(lane, timeOf(place.store, place.item)[0]);
		app.requestFrame();
	}

	/** @param {Lane | undefined} lane @param {number} ns */
	selectInLane(lane, ns) {
		if (lane)
			this.app.selectInLane(lane, ns);
	}

	openLane() {
		const { app } = this;
		const lane = app.lanes.find(app.focusedLane);
		const does = lane?.kind.click(lane);
		if (does?.toggles)
			app.toggleGroup(does.toggles);
	}
}

/**
 * The line between lanes and details moves, by mouse and by arrow keys.
 * @param {App} app
 */
export function attachSplitter(app) {
	const splitter = byId("splitter");
	const panel = byId("details");
	/** @param {number} height */
	const resize = (height) => {
		const most = window.innerHeight - 240;
		panel.style.height = `${Math.min(Math.max(height, 40), most)}px`;
	};
	splitter.addEventListener("pointerdown", (event) => {
		splitter.setPointerCapture(event.pointerId);
		const from = { y: event.clientY, height: panel.offsetHeight };
		splitter.onpointermove = (moved) => resize(from.height + from.y - moved.clientY);
	});
	splitter.addEventListener("pointerup", () => splitter.onpointermove = null);
	splitter.addEventListener("keydown", (event) => {
		const step = { ArrowUp: 24, ArrowDown: -24 }[event.key];
		if (!step)
			return;
		resize(panel.offsetHeight + step);
		event.preventDefault();
		event.stopPropagation();
	});
}
