// SPDX-License-Identifier: GPL-2.0
/*
 * A canvas as sharp as the display, and text that fits.
 */
const FONT_FAMILY = 'system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif';
const MOST_CACHED_WIDTHS = 20000;

/**
 * What draws on a canvas.
 * @param {HTMLCanvasElement} canvas @param {CanvasRenderingContext2DSettings} options
 */
export function penOf(canvas, options = {}) {
	const pen = canvas.getContext("2d", options);
	if (!pen)
		throw new Error("this browser does not draw");
	return pen;
}

export class Surface {
	/** @param {HTMLCanvasElement} canvas */
	constructor(canvas) {
		this.canvas = canvas;
		this.pen = penOf(canvas, { alpha: false });
		/** @type {Map<string, number>} */
		this.widths = new Map();
		this.width = this.height = this.ratio = 0;
		this.font = "";
	}

	/**
	 * To be called before each drawing; the size is in CSS pixels.
	 * @param {number} width @param {number} height @param {number} ratio @param {string} background
	 */
	begin(width, height, ratio, background) {
		if (width !== this.width || height !== this.height || ratio !== this.ratio) {
			this.canvas.width = Math.round(width * ratio);
			this.canvas.height = Math.round(height * ratio);
			Object.assign(this, { width, height, ratio });
			this.canvas.style.width = `${width}px`;
			this.canvas.style.height = `${height}px`;
		}
		this.pen.setTransform(ratio, 0, 0, ratio, 0, 0);
		this.pen.globalAlpha = 1;
		this.pen.fillStyle = background;
		this.pen.fillRect(0, 0, width, height);
		this.pen.textBaseline = "middle";
		this.font = "";
		this.setFont(11);
	}

	/** @param {number} size @param {string} weight */
	setFont(size, weight = "400") {
		const font = `${weight} ${size}px ${FONT_FAMILY}`;
		if (font === this.font)
			return;
		this.font = font;
		this.pen.font = font;
	}

	/** @param {string} text */
	widthOf(text) {
		const key = this.font + text;
		let width = this.widths.get(key);
		if (width === undefined) {
			if (this.widths.size > MOST_CACHED_WIDTHS)
				this.widths.clear();
			width = this.pen.measureText(text).width;
			this.widths.set(key, width);
		}
		return width;
	}

	/**
	 * As much of @text as fits into @room pixels, or "" when that would say nothing.
	 * @param {string} text @param {number} room
	 */
	fitted(text, room) {
		const width = this.widthOf(text);
		if (width <= room)
			return text;
		const letters = Array.from(text);
		const kept = Math.floor(letters.length * (room - this.widthOf("…")) / width);
		return kept >= 3 ? `${letters.slice(0, kept).join("")}…` : "";
	}

	/**
	 * Returns the width that was written.
	 * @param {string} text @param {number} x @param {number} y @param {number} room
	 */
	text(text, x, y, room = Infinity) {
		const fitted = room === Infinity ? text : this.fitted(text, room);
		if (!fitted)
			return 0;
		this.pen.fillText(fitted, x, y);
		return this.widthOf(fitted);
	}

	/**
	 * Draws inside of a rectangle only.
	 * @param {number} x @param {number} y @param {number} width @param {number} height
	 * @param {() => void} draw
	 */
	clipped(x, y, width, height, draw) {
		this.pen.save();
		this.pen.beginPath();
		this.pen.rect(x, y, width, height);
		this.pen.clip();
		draw();
		this.pen.restore();
		this.font = "";	/* restore() brought back another one */
	}

	/** @param {string} style */
	fill(style) {
		this.pen.fillStyle = style;
	}

	/**
	 * A line one display pixel thick.
	 * @param {number} x @param {number} y @param {number} width @param {number} height
	 * @param {string} style
	 */
	hairline(x, y, width, height, style) {
		const thin = 1 / this.ratio;
		this.pen.fillStyle = style;
		this.pen.fillRect(Math.round(x * this.ratio) / this.ratio,
			Math.round(y * this.ratio) / this.ratio, width || thin, height || thin);
	}
}
