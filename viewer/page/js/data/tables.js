// SPDX-License-Identifier: GPL-2.0
/*
 * Types only: the tables of a page, whose columns come from viewer/model/tables.def (data/format.js). A
 * row is its place in each of the columns; times are ns since the trace began.
 */

/** @typedef {import("./format.js").ValueColumn} ValueColumn */
/** @typedef {import("./format.js").Tables} BlockTables those that a block of the page may have */
/** @typedef {import("./format.js").OverviewTables} OverviewTables */

/** @typedef {BlockTables["slices"]} Slices */
/** @typedef {BlockTables["gaps"]} Gaps */
/** @typedef {BlockTables["interrupts"]} Interrupts */
/** @typedef {BlockTables["idle"]} Idle */
/** @typedef {BlockTables["frequencies"]} Frequencies */
/** @typedef {BlockTables["states"]} StateRows */
/**
 * A thread's states: each lasts until the next one starts, the last one until end.
 * @typedef {StateRows & {end: number}} States
 */
/** @typedef {BlockTables["spans"] & {after?: Float64Array}} Spans after: how much later they came into the trace */
/** @typedef {BlockTables["marks"] & {after?: Float64Array}} Marks */
/** @typedef {BlockTables["causes"]} Causes */
/** @typedef {BlockTables["stackPoints"]} StackPoints */
/** @typedef {BlockTables["wakerStacks"]} WakerStacks */
/** @typedef {BlockTables["kernelSlices"]} KernelSlices */
/** @typedef {BlockTables["migrations"]} Migrations */
/** @typedef {BlockTables["messages"]} Messages */
/** @typedef {BlockTables["cpuWakeups"]} CpuWakeups */
/**
 * waker is a thread + 1, or 0: idle or an interrupt; wakee is a thread.
 * @typedef {{rows: number, start: Float64Array, waker: Uint32Array, wakee: Uint32Array}} Wakeups
 */
/** @typedef {BlockTables["blockIo"]} BlockIo */
/** @typedef {BlockTables["uncoreReadings"]} UncoreReadings */
/** @typedef {BlockTables["samples"]} Samples */
/** @typedef {BlockTables["traceEvents"]} TraceEvents */
/** @typedef {BlockTables["sliceCounts"]} SliceCounts */
/** @typedef {BlockTables["pmuGaps"]} PmuGaps */
/** @typedef {BlockTables["stateEdits"]} StateEdits */
/** @typedef {BlockTables["looseStates"]} LooseStates */

/** @typedef {Pick<BlockTables, "slices" | "gaps" | "interrupts" | "idle" | "frequencies" | "cpuWakeups">} CpuTables */
/**
 * @typedef {Pick<BlockTables, "states" | "spanDrains" | "markDrains" | "stateEdits" | "looseStates" |
 *	"causes" | "stackPoints" | "wakerStacks" | "kernelSlices"> &
 *	{spans: Spans, marks: Marks}} ThreadTables
 */
/**
 * @typedef {CpuTables & ThreadTables & Pick<BlockTables, "migrations" | "messages" | "blockIo" | "uncoreReadings" | "samples" | "sliceCounts" |
 *	"pmuGaps" | "traceEvents" | "frames">} Tables
 */

/** @typedef {OverviewTables["stateOverview"]} StateOverview */
/** @typedef {OverviewTables["spanOverview"]} SpanOverview */
/** @typedef {OverviewTables["kernelOverview"]} KernelOverview */
/** @typedef {OverviewTables["cpuDensity"]} DensityOverview */
/** @typedef {OverviewTables["counterOverview"]} CounterOverview */

/**
 * A table of a block, its name, and whose it is: a CPU, a thread, ... by number.
 * @template T
 * @typedef {{[K in keyof T]: {name: K, kind: number, owner: number, table: T[K]}}[keyof T]} Block
 */

export {};
