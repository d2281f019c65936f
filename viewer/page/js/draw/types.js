// SPDX-License-Identifier: GPL-2.0
/*
 * Types only: what draw/ asks of the page, and what lanes and their kinds are.
 */

/** @typedef {import("../data/owners.js").Cpu} Cpu */
/** @typedef {import("../data/items.js").Item} Item */
/** @typedef {import("../data/overview.js").Overview} Overview */
/** @typedef {import("../data/pmu.js").PmuEvent} PmuEvent */
/** @typedef {import("../data/row_search.js").Numbers} Numbers */
/** @typedef {import("../data/store.js").Store} Store */
/** @typedef {import("../data/owners.js").Thread} Thread */
/** @typedef {import("./coarse.js").Grid} Grid */
/** @typedef {import("./labels.js").Labels} Labels */
/** @typedef {import("./lanes.js").Lanes} Lanes */
/** @typedef {import("./paint.js").Painter} Painter */
/** @typedef {import("./strips.js").Scale} Scale */

/** @typedef {{start: number, end: number}} Range a part of time */
/** @typedef {{top: number, height: number}} Place in a lane, from its top */
/** @typedef {Place & Range & {lane: string}} Box */
/** @typedef {{rows: number, start: Numbers, end: (row: number) => number}} Rows in order, without overlap */
/**
 * What was searched for: names[] and threads[] say of each whether it was found.
 * @typedef {{names: Uint8Array, threads: Uint8Array, anyName: boolean, threadList: Thread[]}} Found
 */

/**
 * What is drawn: the App of ui/, as far as draw/ knows it.
 * @typedef {object} Page
 * @property {import("../data/windows.js").Windows} pages
 * @property {Store} store
 * @property {import("./palette.js").Palette} palette
 * @property {Lanes} lanes
 * @property {Painter} painter
 * @property {import("./density.js").DensityScales} densities
 * @property {Evidence} evidence
 * @property {Range} view
 * @property {Range | null} range
 * @property {Item | null} selection
 * @property {Item | null} hover
 * @property {Found | null} matches
 * @property {number | null} crosshair
 * @property {number | null} anchor
 * @property {string | null} focusedLane
 * @property {number} width
 * @property {number} labelWidth
 * @property {number} ratio
 * @property {number} scrollTop
 * @property {boolean} byKeys
 * @property {HTMLElement} scroller
 * @property {() => Scale} scale
 * @property {() => number} laneWidth
 * @property {() => number} fullSpan
 * @property {() => boolean} seesAll
 * @property {() => boolean} showsDetail
 * @property {() => {base: number, ticks: {ns: number, label: string}[]}} axisTicks
 * @property {(start: number, end: number) => void} setView
 * @property {() => number} selectedThread
 * @property {() => ((thread: number) => boolean) | null} litThreads
 * @property {(name: number, kind?: number) => boolean} isDimmed
 * @property {(spans: import("../data/tables.js").Spans, row: number) => boolean} isSpanDimmed
 * @property {(row: number) => boolean} isEventDimmed of traceEvents
 */
/**
 * What the lanes show of a finding, below and above what is in them.
 * @typedef {object} Evidence
 * @property {Set<string>} lanes
 * @property {(painter: Painter, visible: Lane[]) => void} paintGround
 * @property {(painter: Painter, visible: Lane[]) => void} paintFrame
 */

/** @typedef {"normal" | "compact"} LaneSize */
/** @typedef {{group: number, cpu: number, events: number, idle: number, frequency: number, strip: number, span: number, kernel: number, marks: number, pad: number, counter: number, device: number, uncore: number, density: number, slots: number}} Heights */

/**
 * A lane, before it has its place. key, members and open are those of groups.
 * @typedef {object} PlainLane
 * @property {string} id
 * @property {LaneKind<any>} kind
 * @property {string} label
 * @property {string} note
 * @property {number} indent
 * @property {number} height
 * @property {number} [top] in the scrolled content
 * @property {Thread} [thread] whose it is, in the store that is in use
 * @property {Thread[] | null} [members]
 * @property {boolean} [open]
 */
/** @typedef {PlainLane & {top: number}} Lane */
/** @typedef {{densities: PmuEvent[], densityTop: number}} Strips */
/**
 * members: null stands for the CPUs; strangers are not of the session.
 * @typedef {{key: string, label: string, note: string, count: number, open: boolean, members: Thread[] | null, strangers: boolean}} GroupOf
 */
/** @typedef {Lane & GroupOf} GroupLane */
/** @typedef {Lane & Strips & {cpu: Cpu, eventsTop: number, idleTop: number, frequencyTop: number}} CpuLane */
/** @typedef {Lane & Strips & {thread: Thread, hasSlots: boolean, slotsTop: number, eventsTop: number, marksTop: number, spansTop: number, kernelTop: number}} ThreadLane */
/** @typedef {import("../data/owners.js").CounterSeries} CounterSeries */
/** @typedef {{thread: Thread, nr: number}} CounterOf one of a thread's counters, by its place among them */
/** @typedef {Lane & {name: number, min: number, max: number, most?: string}} SeriesLane of values over time, and their scale; most: max as text */
/** @typedef {SeriesLane & CounterOf & {series: CounterSeries}} CounterLane */
/** @typedef {SeriesLane & {place: number, most: string}} UncoreLane place: that in pages.uncore, and in uncore of a store */
/** @typedef {SeriesLane & {place: number}} DeviceLane place: that in pages.devices, and in the devices of a store */

/** @typedef {[label: string, value: string, state?: number]} Fact */
/** @typedef {{title: string, subtitle: string, colour: string, facts: Fact[]}} Told of a lane and a bucket of the overview */
/** @typedef {{toggles?: string, selects?: Item}} Click the key of a group, or an item */

/**
 * All that is particular to one kind of lane, apart from layout(). @y is where a lane is on the canvas.
 * @template {Lane} L
 * @typedef {object} LaneKind
 * @property {string} name
 * @property {Record<LaneSize, Partial<Heights>>} heights of what is in such lanes
 * @property {(painter: Painter, lane: L, y: number, width: number) => void} paintGround below what is in it
 * @property {(painter: Painter, lane: L, y: number) => void} paint from rows
 * @property {(painter: Painter, grid: Grid, lane: L, y: number) => void} paintCoarse from the overview
 * @property {(labels: Labels, lane: L, y: number) => void} paintLabel
 * @property {(app: Page, lane: L, item: Item) => Place | null} boxOf where an item is; null: not in it
 * @property {(app: Page, lane: L, x: number, y: number) => Item | null} pick what is at a point, y from its top
 * @property {(app: Page, lane: L, x: number) => Item | null} pickCoarse the same where the overview is painted
 * @property {((store: Store, lane: L, ns: number) => Item | null) | null} itemAt for keys: what is at a time, or next to it; null: there is never any
 * @property {(store: Store, item: Item) => number} litThread whose slices stay lit while an item of it is hovered, or -1
 * @property {(lane: L) => Click | null} click what a click on its label does
 * @property {(app: Page, overview: Overview, lane: L, bucket: number) => Told | null} describeBucket
 */
/**
 * With how a lane is made, of what @of is.
 * @template {Lane} L
 * @template O
 * @typedef {LaneKind<L> & {layout(lanes: Lanes, of: O): Omit<L, "top">}} LaneKindOf
 */

export {};
