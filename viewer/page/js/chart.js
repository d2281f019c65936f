// SPDX-License-Identifier: GPL-2.0
/*
 * Figures over time: counters as steps, CPU use as an area, the time axis.
 */

/* The least and most that a counter was during each pixel, joined by its steps. */
function paintCounter(painter, lane, y) {
	const { pen, scale, theme, app } = painter;
	const { series } = lane;
	const top = y + 4;
	const height = lane.height - 8;
	const span = series.max - series.min || 1;
	const level = (value) => top + height - (value - series.min) / span * height;
	const colour = app.palette.ofName(series.name);
	const thin = 1 / scale.ratio;
	const ground = level(0);
	const end = Math.min(scale.x(app.store.duration), painter.surface.width);
	let i = Math.max(lastAtMost(series.start, scale.start), 0);

	pen.globalAlpha = app.isDimmed(series.name) ? DIMMED : 1;
	while (i < series.rows && series.start[i] <= scale.end) {
		const x = scale.snapped(series.start[i]);
		const next = Math.max(i + 1, lowerBound(series.start, scale.ns(x + thin), i, series.rows));
		const until = next < series.rows ? scale.snapped(series.start[next]) : end;
		let low = series.value[i];
		let high = low;
		const step = Math.max(1, Math.floor((next - i) / MOST_LOOKED_AT));
		for (let row = i; row < next; row += step) {
			low = Math.min(low, series.value[row]);
			high = Math.max(high, series.value[row]);
		}
		const y0 = level(series.value[next - 1]);
		const alpha = pen.globalAlpha;
		pen.fillStyle = colour;
		pen.globalAlpha = alpha * 0.3;
		pen.fillRect(x, Math.min(y0, ground), until - x, Math.abs(ground - y0));
		pen.globalAlpha = alpha;
		pen.fillRect(x, y0 - 1, until - x, 1.5);
		const before = i ? series.value[i - 1] : 0;
		const upper = level(Math.max(high, before));
		pen.fillRect(x, upper - 1, 1, level(Math.min(low, before)) - upper + 1.5);
		i = next;
	}
	pen.globalAlpha = 1;
}

/* The share of @cpus that is busy, as an area; the session's part of it in its own colour. */
function paintUtilisation(painter, cpus, left, top, height) {
	const { pen, scale, theme, app } = painter;
	const columns = Math.ceil(scale.width);
	if (!cpus.length)
		return;
	for (let column = 0; column < columns; column++) {
		const from = Math.max(scale.ns(left + column), 0);
		const to = Math.min(scale.ns(left + column + 1), app.store.duration);
		if (to <= from)
			continue;
		let all = 0;
		let session = 0;
		for (const cpu of cpus) {
			all += app.store.busyTime(cpu.index, from, to, false);
			session += app.store.busyTime(cpu.index, from, to, true);
		}
		const most = (to - from) * cpus.length;
		const allHeight = Math.min(all / most, 1) * height;
		const sessionHeight = Math.min(session / most, 1) * height;
		pen.fillStyle = theme.other;
		pen.fillRect(left + column, top + height - allHeight, 1, allHeight);
		pen.fillStyle = theme.busy;
		pen.fillRect(left + column, top + height - sessionHeight, 1, sessionHeight);
	}
}

class Axis {
	constructor(app, canvas) {
		this.app = app;
		this.surface = new Surface(canvas);
	}

	paint(width, height) {
		const { app, surface } = this;
		const { pen } = surface;
		const { theme } = app.palette;
		const scale = app.scale();
		const { ticks, base } = app.axisTicks();
		surface.begin(width, height, app.ratio, theme.panel);
		surface.setFont(11);
		for (const tick of ticks) {
			const x = scale.x(tick.ns);
			surface.hairline(x, height - 6, 0, 6, theme["line-strong"]);
			surface.fill(theme["ink-dim"]);
			surface.text(tick.label, x + 4, height / 2 + 1);
		}
		this.paintRange(scale, height, theme);
		this.paintCrosshair(scale, width, height, theme);
		surface.fill(theme.panel);
		pen.fillRect(0, 0, LABEL_WIDTH - 1, height);
		surface.hairline(LABEL_WIDTH - 1, 0, 0, height, theme["line-strong"]);
		surface.hairline(0, height - 1, width, 0, theme["line-strong"]);
		this.paintCorner(base, height, theme);
	}

	/* What the labels count from, and how much time is in sight. */
	paintCorner(base, height, theme) {
		const { surface, app } = this;
		const span = formatDuration(app.view.end - app.view.start);
		surface.setFont(11);
		surface.fill(theme["ink-faint"]);
		surface.text(base ? formatTime(base) : "in sight", 12, height / 2 + 1);
		surface.fill(theme["ink-dim"]);
		surface.text(span, LABEL_WIDTH - 12 - surface.widthOf(span), height / 2 + 1);
	}

	paintRange(scale, height, theme) {
		const { app, surface } = this;
		if (!app.range)
			return;
		const from = scale.snapped(app.range.start);
		const to = scale.snapped(app.range.end);
		surface.fill(theme.accent);
		surface.pen.fillRect(from, height - 4, Math.max(to - from, 1), 4);
		const text = formatDuration(app.range.end - app.range.start);
		surface.setFont(11, "600");
		const width = surface.widthOf(text) + 10;
		const x = Math.min(Math.max((from + to - width) / 2, LABEL_WIDTH + 2), surface.width - width - 2);
		surface.pen.fillRect(x, 3, width, height - 9);
		surface.fill(theme.paper);
		surface.text(text, x + 5, height / 2 - 1);
	}

	paintCrosshair(scale, width, height, theme) {
		const { app, surface } = this;
		if (app.crosshair === null)
			return;
		const x = scale.x(app.crosshair);
		const text = formatTime(app.crosshair);
		surface.setFont(11);
		const textWidth = surface.widthOf(text) + 8;
		const left = Math.min(Math.max(x - textWidth / 2, LABEL_WIDTH), width - textWidth);
		surface.fill(theme.ink);
		surface.pen.fillRect(left, 3, textWidth, height - 7);
		surface.pen.fillRect(x - 0.5, height - 4, 1, 4);
		surface.fill(theme.paper);
		surface.text(text, left + 4, height / 2);
	}
}
