// SPDX-License-Identifier: GPL-2.0
/*
 * The column of labels to the left of the lanes, and which lane has the keyboard's attention.
 */
import { formatDensity } from "../data/pmu.js";
import { formatCount, formatPercent } from "../data/units.js";
import { NARROW_LABELS, STRIP_COLOURS } from "./style.js";

const INDENT = 14;

export class Labels {
	constructor(painter) {
		this.painter = painter;
	}

	get width() {
		return this.painter.scale.left;
	}

	paint(visible, height) {
		const { app, surface, pen, theme } = this.painter;
		surface.fill(theme.panel);
		pen.fillRect(0, 0, this.width, height);
		for (const lane of visible)
			this.paintLabel(lane, lane.top - app.scrollTop);
		surface.hairline(this.width - 1, 0, 0, height, theme["line-strong"]);
	}

	paintLabel(lane, y) {
		const { app, surface, pen, theme } = this.painter;
		if (app.evidence.lanes.has(lane.id)) {
			surface.fill(theme.shade);
			pen.fillRect(0, y, this.width - 1, lane.height);
		}
		if (app.focusedLane === lane.id) {
			surface.fill(theme.shade);
			pen.fillRect(0, y, this.width - 1, lane.height);
			surface.fill(theme.accent);
			pen.fillRect(0, y, 3, lane.height);
		}
		surface.hairline(0, y + lane.height - 1, this.width, 0, theme.line);
		if (lane.kind.name === "group")
			this.paintGroup(lane, y);
		else if (lane.kind.name === "cpu")
			this.paintCpu(lane, y);
		else if (lane.kind.name === "thread")
			this.paintThread(lane, y);
		else
			this.paintCounter(lane, y);
	}

	paintGroup(lane, y) {
		const { surface, pen, theme } = this.painter;
		const middle = y + lane.height / 2;
		surface.fill(theme["ink-dim"]);
		pen.beginPath();
		if (lane.open) {
			pen.moveTo(9, middle - 2.5);
			pen.lineTo(18, middle - 2.5);
			pen.lineTo(13.5, middle + 3);
		} else {
			pen.moveTo(11, middle - 4.5);
			pen.lineTo(11, middle + 4.5);
			pen.lineTo(16.5, middle);
		}
		pen.fill();
		surface.setFont(12, "600");
		surface.fill(theme.ink);
		const count = formatCount(lane.count);
		const left = this.width - 12 - surface.widthOf(count);
		const width = surface.text(lane.label, 24, middle, left - 32);
		surface.setFont(10);
		surface.fill(theme["ink-dim"]);
		surface.text(count, left, middle);
		surface.text(lane.note, 24 + width + 8, middle, left - width - 40);
	}

	paintThread(lane, y) {
		const { app, surface, pen } = this.painter;
		const { thread } = lane;
		const middle = y + 2 + Math.max(app.lanes.heights.strip, 10) / 2;
		surface.fill(app.palette.ofThread(thread.index));
		pen.fillRect(INDENT - 2, middle - 4, 8, 8);
		const share = app.store.duration ? formatPercent(thread.onCpu / app.store.duration) : "";
		this.paintRow(lane, middle, app.matches && app.matches.threads[thread.index], share);
		this.paintDensities(lane, y);
	}

	paintCpu(lane, y) {
		this.paintRow(lane, y + this.painter.app.lanes.heights.cpu / 2, null, this.cpuShare(lane.cpu));
		this.paintDensities(lane, y);
	}

	/* What each strip shows, and how much a full one is. */
	paintDensities(lane, y) {
		const { app, surface, theme } = this.painter;
		const { density } = app.lanes.heights;
		if (density < 12 || this.width < NARROW_LABELS)
			return;
		surface.setFont(9);
		lane.densities.forEach((event, i) => {
			const middle = y + lane.densityTop + i * density + density / 2 - 1;
			const most = `≤ ${formatDensity(app.densities.of(event), 1)}`;
			const right = this.width - 12 - surface.widthOf(most);
			surface.fill(theme["ink-faint"]);
			surface.text(most, right, middle);
			surface.fill(theme[STRIP_COLOURS[app.store.pmu.shown.indexOf(event)]]);
			surface.text(event.name, INDENT * lane.indent + 12, middle, right - INDENT * 2 - 12);
		});
	}

	paintRow(lane, middle, strong, figure) {
		const { surface, theme } = this.painter;
		const x = INDENT * lane.indent + (lane.kind.name === "thread" ? 12 : 10);
		const isNarrow = this.width < NARROW_LABELS;
		let right = this.width - 4;
		if (!isNarrow) {
			surface.setFont(10);
			surface.fill(theme["ink-faint"]);
			right = this.width - 12 - surface.widthOf(figure);
			surface.text(figure, right, middle);
		}
		surface.setFont(11, strong ? "700" : "400");
		surface.fill(strong ? theme.accent : theme.ink);
		const width = surface.text(lane.label, x, middle, right - x - (lane.note && !isNarrow ? 46 : 4));
		if (!lane.note || isNarrow)
			return;
		surface.setFont(10);
		surface.fill(theme["ink-dim"]);
		surface.text(lane.note, x + width + 6, middle, right - x - width - 12);
	}

	paintCounter(lane, y) {
		const { surface, theme } = this.painter;
		surface.setFont(10);
		surface.fill(theme["ink-dim"]);
		const isNarrow = this.width < NARROW_LABELS;
		surface.text(lane.label, INDENT * 2, y + lane.height / 2,
			this.width - INDENT * 2 - (isNarrow ? 4 : 70));
		if (isNarrow)
			return;
		surface.fill(theme["ink-faint"]);
		const most = `≤ ${formatCount(lane.max)}`;
		surface.text(most, this.width - 12 - surface.widthOf(most), y + lane.height / 2);
	}

	cpuShare(cpu) {
		const { store, pages } = this.painter.app;
		const busy = pages.overview ? pages.overview.busyOfCpu(cpu.index) : cpu.busy.all[cpu.slices.rows];
		return store.duration ? formatPercent(busy / store.duration) : "";
	}
}
