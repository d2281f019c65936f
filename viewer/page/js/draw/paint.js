// SPDX-License-Identifier: GPL-2.0
/*
 * Draws the lanes in sight. Nothing here knows of mouse or keys; what is selected, hovered or
 * searched for comes from the app.
 */
import { NR_STATES, SPAN_OPEN_END, SPAN_WAIT, STATE, STATE_NAMES } from "../data/codes.js";
import { firstRowFrom } from "../data/row_search.js";
import { gapText, markText, spanText, threadName } from "../data/texts.js";
import { Arrows } from "./arrows.js";
import { paintCounter, paintCpuUse } from "./chart.js";
import { CoarsePainter } from "./coarse.js";
import { paintDensities, paintPmuGaps } from "./density.js";
import { GroupUse } from "./groups.js";
import { Labels } from "./labels.js";
import { boxesOf } from "./pick.js";
import { Columns, eachStrip, MOST_LOOKED_AT, Scale, summarise } from "./strips.js";
import { DIMMED, LEAST_TEXT_ROOM, LEAST_TICK_DISTANCE, TEXT_ON_FILL } from "./style.js";
import { Surface } from "./surface.js";

const LEAST_TASK_ROOM = 5;
const STACKED_STATES = [STATE.RUNNING, STATE.PREEMPTED, STATE.RUNNABLE, STATE.UNINTERRUPTIBLE, STATE.STOPPED];
const stateShares = new Float64Array(NR_STATES);

export class Painter {
	constructor(app, canvas) {
		this.app = app;
		this.surface = new Surface(canvas);
		this.columns = new Columns();
		this.arrows = new Arrows(this);
		this.labels = new Labels(this);
		this.coarse = new CoarsePainter(this);
	}

	paint(width, height) {
		const { app, surface } = this;
		const { theme } = app.palette;
		this.scale = app.scale();
		this.pen = surface.pen;
		this.theme = theme;
		this.statePixels = STATE_NAMES.map((_, state) => app.palette.pixel(app.palette.ofState(state)));
		surface.begin(width, height, app.ratio, theme.paper);
		const visible = app.lanes.between(app.scrollTop, app.scrollTop + height);
		this.detailed = app.showsDetail();
		this.groupUse = new GroupUse(this, visible);
		if (!this.detailed)
			this.coarse.begin();
		this.paintGrid(height);
		surface.clipped(this.scale.left, 0, width - this.scale.left, height, () => {
			app.evidence.paintGround(this, visible);
			for (const lane of visible)
				this.paintLane(lane, lane.top - app.scrollTop, width);
			this.arrows.paint(height);
			app.evidence.paintFrame(this, visible);
			this.paintSelection(visible);
			this.paintOverlay(height);
		});
		this.labels.paint(visible, height);
		this.paintFocus(width, height);
	}

	/* Whoever goes by keys sees that they speak to the lanes. */
	paintFocus(width, height) {
		if (!this.app.byKeys || document.activeElement !== this.app.scroller)
			return;
		this.pen.strokeStyle = this.theme.accent;
		this.pen.lineWidth = 2;
		this.pen.strokeRect(1, 1, width - 2, height - 2);
	}

	paintGrid(height) {
		const { start, end } = this.app.view;
		for (const tick of this.app.axisTicks().ticks)
			if (tick.ns >= start && tick.ns <= end)
				this.surface.hairline(this.scale.x(tick.ns), 0, 0, height, this.theme.line);
	}

	paintLane(lane, y, width) {
		if (lane.kind.name === "group") {
			this.surface.fill(this.theme.panel);
			this.pen.fillRect(0, y, width, lane.height);
			this.surface.hairline(0, y, width, 0, this.theme.line);
			if (!lane.open)
				this.paintClosedGroup(lane, y);
			return;
		}
		this.surface.hairline(this.scale.left, y + lane.height - 1, width, 0, this.theme.line);
		if (!this.detailed)
			this.coarse.paintLane(lane, y);
		else if (lane.kind.name === "cpu")
			this.paintCpu(lane, y);
		else if (lane.kind.name === "thread")
			this.paintThread(lane, y);
		else
			paintCounter(this, lane, y);
		this.pen.globalAlpha = 1;
	}

	/* How busy the CPUs were, in place of their lanes; or how busy threads kept them. */
	paintClosedGroup(lane, y) {
		if (lane.members)
			this.groupUse.paint(lane, y + 3, lane.height - 6);
		else
			paintCpuUse(this, !this.detailed, this.scale.left, y + 3, lane.height - 6);
	}

	/* Who ran, and in the lower third what of the program: the innermost span of the thread. */
	paintCpu(lane, y) {
		const { app, pen, scale, columns } = this;
		const { palette } = app;
		const { slices } = lane.cpu;
		const top = y + 1;
		const height = app.lanes.heights.cpu - 3;
		const upper = Math.round(height * 2 / 3);
		const lit = app.litThreads();
		const strength = (thread) => lit && !lit(thread) ? DIMMED : 1;
		const rows = { start: slices.start, rows: slices.rows, end: (row) => slices.end[row] };
		this.surface.setFont(11);
		columns.begin(scale, 3);
		eachStrip(rows, scale, (x, width, row) => {
			const thread = slices.thread[row];
			const annotated = app.store.threads[thread].levels.length > 0;
			pen.globalAlpha = strength(thread);
			this.surface.fill(palette.ofThread(thread));
			pen.fillRect(x, top, width, height);
			if (annotated && width >= LEAST_TASK_ROOM) {
				this.paintTasks(app.store.threads[thread], slices.start[row], slices.end[row], top + upper,
					height - upper);
			} else if (annotated) {
				this.surface.fill(this.taskColour(lane.cpu.index, row));
				pen.fillRect(x, top + upper, width, height - upper);
			}
			if (width > 3)
				this.rightEdge(x, width, top, height);
			if (width > LEAST_TEXT_ROOM && height >= 13)
				this.textInside(this.sliceText(thread, width), x, width,
					top + (annotated ? upper : height) / 2 + 0.5,
					palette.threadColours.has(thread) ? TEXT_ON_FILL : this.theme.ink);
		}, (column, from, to) => {
			const { row, ns } = summarise(rows, from, to);
			const thread = slices.thread[row];
			const alpha = strength(thread) * this.coverage(ns);
			columns.set(column, palette.pixel(palette.ofThread(thread), alpha), 0, 2);
			columns.set(column, palette.pixel(this.taskColour(lane.cpu.index, row), alpha), 2, 3);
		});
		pen.globalAlpha = 1;
		columns.flush(pen, scale, top, height);
		this.paintGaps(lane.cpu, top, height);
		paintDensities(this, lane, "cpus", lane.cpu.index, y + lane.densityTop);
		paintPmuGaps(this, lane.cpu.index, lane.densities, y + lane.densityTop);
	}

	/* With its number, where there is room for all of it. */
	sliceText(thread, width) {
		const text = threadName(this.app.store, thread);
		return this.surface.widthOf(text) + 8 < width ? text : this.app.store.threads[thread].comm;
	}

	/* The spans of a thread while it ran from @start to @end, the inner ones over the outer ones. */
	paintTasks(thread, start, end, top, height) {
		const { scale, pen, surface } = this;
		const from = Math.max(start, scale.start);
		const left = scale.snapped(from);
		const part = new Scale(from, Math.min(end, scale.end), left,
			Math.max(scale.snapped(Math.min(end, scale.end)) - left, 1 / scale.ratio), scale.ratio);
		for (const level of thread.levels) {
			const rows = { start: level.start, rows: level.rows, end: (row) => level.end[row] };
			const paint = (x, width, i) => {
				const x0 = Math.max(x, left);
				const x1 = Math.min(x + width, left + part.width);
				if (this.app.isDimmed(thread.spans.name[level.row[i]]) || x1 <= x0)
					return;
				if (thread.spans.kind[level.row[i]] === SPAN_WAIT && x1 - x0 > 2)
					pen.fillStyle = this.waitPattern();
				else
					surface.fill(this.spanColour(thread.spans, level.row[i]));
				pen.fillRect(x0, top, x1 - x0, height);
			};
			eachStrip(rows, part, paint, (column, i, to) =>
				paint(part.left + column / part.ratio, 1 / part.ratio, summarise(rows, i, to).row));
		}
	}

	/* Of the innermost span when a slice began; the thread's own where there is none. */
	taskColour(cpu, row) {
		const { store, palette } = this.app;
		const thread = store.cpus[cpu].slices.thread[row];
		const span = store.taskOfSlice(cpu, row);
		return span < 0 ? palette.ofThread(thread) : this.spanColour(store.threads[thread].spans, span);
	}

	waitPattern() {
		const { theme, pen } = this;
		return this.app.palette.hatch(pen, theme.wait, theme["wait-line"], this.scale.ratio);
	}

	/* Where one slice ends and the next begins, the CPU switched. */
	rightEdge(x, width, top, height) {
		const thin = 1 / this.scale.ratio;
		const alpha = this.pen.globalAlpha;
		this.pen.globalAlpha = alpha * 0.4;
		this.surface.fill(TEXT_ON_FILL);
		this.pen.fillRect(x + width - thin, top, thin, height);
		this.pen.globalAlpha = alpha;
	}

	/* How much of a pixel's time @ns is, as an opacity that never vanishes. */
	coverage(ns) {
		return 0.3 + 0.7 * Math.min(ns / this.scale.perPixel, 1);
	}

	textInside(text, x, width, y, colour) {
		const left = Math.max(x, this.scale.left) + 4;
		const right = Math.min(x + width, this.surface.width) - 3;
		if (right - left < LEAST_TEXT_ROOM - 7)
			return 0;
		this.surface.fill(colour);
		return this.surface.text(text, left, y, right - left);
	}

	paintGaps(cpu, top, height) {
		const { gaps } = cpu;
		const { pen, theme, scale } = this;
		const rows = { start: gaps.start, rows: gaps.rows, end: (row) => gaps.end[row] };
		const paint = (x, width) => {
			pen.fillStyle = this.app.palette.hatch(pen, theme["alarm-paper"], theme.alarm, scale.ratio);
			pen.fillRect(x, top, Math.max(width, 3), height);
		};
		eachStrip(rows, scale, (x, width, row) => {
			paint(x, width);
			this.paintGapText(gapText(gaps, row), x, width, top, height);
		}, (column) => paint(scale.left + column / scale.ratio, 0));
	}

	paintGapText(text, x, width, top, height) {
		const { surface, theme } = this;
		const left = Math.max(x, this.scale.left) + 4;
		const room = Math.min(x + width, surface.width) - left - 8;
		surface.setFont(11, "600");
		const fitted = room > LEAST_TEXT_ROOM ? surface.fitted(text, room) : "";
		if (!fitted)
			return;
		surface.fill(theme["alarm-paper"]);
		this.pen.fillRect(left - 2, top, surface.widthOf(fitted) + 8, height);
		surface.fill(theme.alarm);
		surface.text(fitted, left + 2, top + height / 2 + 0.5);
	}

	paintThread(lane, y) {
		this.dimLane(lane);
		this.paintStates(lane, y + 2);
		paintDensities(this, lane, "threads", lane.thread.index, y + lane.densityTop);
		this.paintMarks(lane, y + lane.marksTop);
		this.paintSpans(lane, y + lane.spansTop);
		this.paintMoves(lane, y);
	}

	/* The lanes of threads that were not searched for fade. */
	dimLane(lane) {
		const lit = this.app.litThreads();
		this.laneAlpha = this.app.matches && lit && !lit(lane.thread.index) &&
			!this.app.matches.anyName ? DIMMED * 2 : 1;
	}

	paintStates(lane, top) {
		const { pen, app, scale, columns } = this;
		const { states } = lane.thread;
		const height = app.lanes.heights.strip;
		const { start, rows: nr, end: lastEnd } = states;
		const rows = { start, rows: nr, end: (row) => row + 1 < nr ? start[row + 1] : lastEnd };
		this.surface.setFont(9);
		pen.globalAlpha = this.laneAlpha;
		columns.begin(scale, Math.round(height * scale.ratio));
		eachStrip(rows, scale, (x, width, row) => {
			this.paintState(states.state[row], x, width, top, height);
			if (height >= 12 && width >= 18)
				this.paintStateText(states, row, x, width, top + height / 2 + 0.5);
		}, (column, from, to) => this.stackStates(column, rows, states.state, from, to));
		columns.flush(pen, scale, top, height);
		pen.globalAlpha = 1;
	}

	paintState(state, x, width, top, height) {
		const { pen, surface, theme } = this;
		if (state === STATE.DEAD)
			return;
		if (state === STATE.SLEEPING) {
			surface.fill(theme.sleeping);
			pen.fillRect(x, top + height / 2 - 1, width, 2);
			return;
		}
		if (state === STATE.UNKNOWN && width > 2)
			pen.fillStyle = this.app.palette.hatch(pen, theme.paper, theme.unknown, this.scale.ratio);
		else
			surface.fill(this.app.palette.ofState(state));
		const lower = state === STATE.RUNNABLE ? Math.round(height / 3) : 0;
		pen.fillRect(x, top + lower, width, height - lower);
	}

	paintStateText(states, row, x, width, y) {
		const state = states.state[row];
		if (state === STATE.RUNNING)
			this.textInside(width > 52 ? `CPU ${states.cpu[row]}` : String(states.cpu[row]),
				x, width, y, this.theme.paper);
		else if (state === STATE.PREEMPTED && width > 64)
			this.textInside("preempted", x, width, y, this.theme.paper);
	}

	/* Of the time of the rows that share a pixel. */
	stackStates(column, rows, state, from, to) {
		const step = Math.ceil((to - from) / MOST_LOOKED_AT);
		const shares = stateShares.fill(0);
		let total = 0;
		for (let row = from; row < to; row += step) {
			const ns = rows.end(row) - rows.start[row];
			shares[state[row]] += ns;
			total += ns;
		}
		this.stackShares(column, column + 1, shares, total);
	}

	/* Each state's share of the height: running at the foot, then what it waited for. */
	stackShares(column, past, shares, total) {
		const { columns, statePixels } = this;
		let foot = columns.rows;
		const middle = Math.floor(columns.rows / 2);
		if (shares[STATE.SLEEPING])
			columns.fill(column, past, statePixels[STATE.SLEEPING], middle - 1, middle + 1);
		for (const kind of STACKED_STATES) {
			if (!shares[kind])
				continue;
			const head = Math.max(foot - Math.max(Math.round(shares[kind] / total * columns.rows), 1), 0);
			columns.fill(column, past, statePixels[kind], head, foot);
			foot = head;
		}
	}

	/* Where the thread came onto another CPU: a tick below its states, while there is room for each. */
	paintMoves(lane, y) {
		const { start } = this.app.store.migrations;
		const rows = this.arrows.inSight(this.app.store.migrationsOf.of(lane.thread.index));
		if (rows.length * LEAST_TICK_DISTANCE > this.scale.width)
			return;
		const top = y + this.app.lanes.heights.strip + 2;
		this.pen.fillStyle = this.theme.ink;
		this.pen.beginPath();
		for (const row of rows) {
			const x = this.scale.x(start[row]);
			this.pen.moveTo(x, top - 4);
			this.pen.lineTo(x + 3, top + 1);
			this.pen.lineTo(x - 3, top + 1);
		}
		this.pen.fill();
	}

	paintMarks(lane, top) {
		const { thread } = lane;
		const { pen, surface, theme } = this;
		const { marks, points } = thread;
		const height = this.app.lanes.heights.marks;
		if (!points.length)
			return;
		surface.setFont(9);
		for (let i = firstRowFrom(points, marks.start, this.scale.ns(this.scale.left - 100));
		     i < points.length;) {
			const ns = marks.start[points[i]];
			if (ns > this.scale.end)
				break;
			const x = this.scale.snapped(ns);
			const next = Math.max(i + 1, firstRowFrom(points, marks.start,
				this.scale.ns(x + 1 / this.scale.ratio)));
			const following = next < points.length ? this.scale.x(marks.start[points[next]]) : Infinity;
			pen.globalAlpha = this.app.isDimmed(marks.name[points[i]]) ? DIMMED : 1;
			if (following - x >= LEAST_TICK_DISTANCE)
				this.diamond(x, top + height / 2 - 0.5, Math.min(4, height / 2 - 0.5),
					this.app.palette.ofName(marks.name[points[i]]));
			else
				surface.hairline(x, top, 0, height - 1, this.app.palette.ofName(marks.name[points[i]]));
			const room = Math.min(following - 6, surface.width) - x - 8;
			if (height >= 12 && room > LEAST_TEXT_ROOM) {
				surface.fill(theme["ink-dim"]);
				surface.text(markText(this.app.store, thread, points[i]), x + 6, top + height / 2, room);
			}
			i = next;
		}
		pen.globalAlpha = 1;
	}

	diamond(x, y, size, colour) {
		const { pen } = this;
		pen.beginPath();
		pen.moveTo(x, y - size);
		pen.lineTo(x + size, y);
		pen.lineTo(x, y + size);
		pen.lineTo(x - size, y);
		pen.closePath();
		pen.fillStyle = colour;
		pen.fill();
		pen.strokeStyle = this.theme.ink;
		pen.lineWidth = 1;
		pen.stroke();
	}

	paintSpans(lane, top) {
		const height = this.app.lanes.heights.span;
		lane.thread.levels.forEach((level, depth) =>
			this.paintLevel(lane.thread, level, top + depth * height, height - 1));
	}

	paintLevel(thread, level, top, height) {
		const { pen, app, scale, columns } = this;
		const { spans } = thread;
		const rows = { start: level.start, rows: level.rows, end: (row) => level.end[row] };
		this.surface.setFont(height >= 15 ? 11 : 10);
		columns.begin(scale, 1);
		eachStrip(rows, scale, (x, width, i) => {
			const row = level.row[i];
			pen.globalAlpha = this.strength(spans.name[row]);
			this.paintSpan(spans, row, x, width, top, height);
			if (width > LEAST_TEXT_ROOM)
				this.paintSpanText(thread, row, x, width, top, height);
		}, (column, from, to) => {
			const { row, ns } = summarise(rows, from, to);
			columns.set(column, app.palette.pixel(this.spanColour(spans, level.row[row]),
				this.strength(spans.name[level.row[row]]) * this.coverage(ns)));
		});
		pen.globalAlpha = 1;
		columns.flush(pen, scale, top, height);
	}

	/* The opacity of spans of a name. */
	strength(name) {
		return (this.app.isDimmed(name) ? DIMMED : 1) * this.laneAlpha;
	}

	spanColour(spans, row) {
		return this.nameColour(spans.name[row], spans.kind[row]);
	}

	nameColour(name, kind) {
		return kind === SPAN_WAIT ? this.theme["wait-line"] : this.app.palette.ofName(name);
	}

	paintSpan(spans, row, x, width, top, height) {
		const { pen, theme, surface } = this;
		const waits = spans.kind[row] === SPAN_WAIT;
		const thin = 1 / this.scale.ratio;
		if (waits && width > 2)
			pen.fillStyle = this.waitPattern();
		else
			surface.fill(this.spanColour(spans, row));
		pen.fillRect(x, top, width, height);
		if (width <= 4)
			return;
		const alpha = pen.globalAlpha;
		pen.globalAlpha = alpha * 0.45;
		surface.fill(waits ? theme.ink : TEXT_ON_FILL);
		pen.fillRect(x, top, thin, height);
		if (!(spans.flags[row] & SPAN_OPEN_END))
			pen.fillRect(x + width - thin, top, thin, height);
		pen.globalAlpha = alpha;
	}

	paintSpanText(thread, row, x, width, top, height) {
		this.paintNameText(spanText(this.app.store, thread, row), thread.spans.kind[row] === SPAN_WAIT,
			x, width, top, height);
	}

	paintNameText(text, waits, x, width, top, height) {
		const y = top + height / 2 + 0.5;
		if (!waits) {
			this.textInside(text, x, width, y, TEXT_ON_FILL);
			return;
		}
		/* Text on hatching needs a quiet ground. */
		const left = Math.max(x, this.scale.left) + 4;
		const fitted = this.surface.fitted(text, Math.min(x + width, this.surface.width) - left - 4);
		if (!fitted)
			return;
		this.surface.fill(this.theme.wait);
		this.pen.fillRect(left - 2, top, this.surface.widthOf(fitted) + 5, height);
		this.surface.fill(this.theme.ink);
		this.surface.text(fitted, left, y);
	}

	paintSelection(visible) {
		const { app } = this;
		if (app.hover)
			this.outline(app.hover, visible, 1);
		if (app.selection)
			this.outline(app.selection, visible, 2);
	}

	outline(item, visible, thickness) {
		for (const box of boxesOf(this.app, item)) {
			const lane = visible.find((candidate) => candidate.id === box.lane);
			if (!lane)
				continue;
			const x = this.scale.snapped(box.start);
			const width = Math.max(this.scale.snapped(box.end) - x, 3);
			const y = lane.top - this.app.scrollTop + box.top;
			this.pen.strokeStyle = this.theme.ink;
			this.pen.lineWidth = thickness;
			this.pen.strokeRect(x - thickness / 2 + 0.5, y - thickness / 2 + 0.5,
				width + thickness - 1, box.height + thickness - 1);
		}
	}

	paintOverlay(height) {
		const { app, pen, theme } = this;
		if (app.range) {
			const from = this.scale.snapped(app.range.start);
			const to = this.scale.snapped(app.range.end);
			pen.fillStyle = theme.shade;
			pen.fillRect(from, 0, to - from, height);
			this.surface.hairline(from, 0, 0, height, theme.accent);
			this.surface.hairline(to, 0, 0, height, theme.accent);
		}
		if (app.crosshair !== null)
			this.surface.hairline(this.scale.x(app.crosshair), 0, 0, height, theme["ink-faint"]);
	}
}
