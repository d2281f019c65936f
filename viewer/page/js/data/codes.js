// SPDX-License-Identifier: GPL-2.0
/*
 * What the numbers in the tables' columns mean.
 */
export const STATE = {
	UNKNOWN: 0, RUNNING: 1, PREEMPTED: 2, RUNNABLE: 3, SLEEPING: 4, UNINTERRUPTIBLE: 5, STOPPED: 6, DEAD: 7,
};
export const STATE_NAMES = [
	"unknown", "running", "preempted", "runnable", "sleeping", "uninterruptible", "stopped", "exited",
];
export const NR_STATES = STATE_NAMES.length;

export const GAP_LOST = 0;		/* in gaps.kind */
export const GAP_MISSING = 1;
export const SPAN_WORK = 0;		/* in spans.kind */
export const SPAN_WAIT = 1;
export const SPAN_HAS_VALUE = 1;	/* in spans.flags */
export const SPAN_OPEN_END = 2;
export const KERNEL = {			/* in kernelSlices.kind */
	SYSCALL: 0, FUNCTION: 1, WORK: 2, LOCK: 3, FAULT: 4, LINE: 5, PRIORITY: 6, CGROUP: 7, HOTPLUG: 8,
};
export const KERNEL_NAMES = ["system call", "function of the kernel", "work of the kernel", "lock of the kernel",
	"page fault", "printed line", "priority inheritance", "cgroup", "step of CPU hotplug"];
export const KERNEL_HAS_VALUE = 1;	/* in kernelSlices.flags */
export const KERNEL_OPEN_END = 2;
export const KERNEL_OPEN_BEGIN = 4;
export const KERNEL_MARK = 8;
export const KERNEL_TEXTLESS = 16;
export const FRAME_KERNEL = 1;		/* in frames.flags */
export const FRAME_INLINED = 2;
export const INTERRUPT_KINDS = ["softirq", "tasklet", "hardirq", "vector", "IPI"];	/* by interrupts.kind */
export const INTERRUPT_OPEN_END = 1;	/* in interrupts.flags */
export const INTERRUPT_STEALS = 2;
export const IDLE_STATE_UNKNOWN = 255;	/* in idle.state */
export const IDLE_STATE_OFFLINE = 254;
export const IDLE_OPEN_BEGIN = 1;	/* in idle.flags */
export const IDLE_OPEN_END = 2;
export const MOST_DEVICES = 1024;	/* of a page: further ones are left out */
export const BLOCK_OPS = ["read", "write", "discard", "flush", "other request"];	/* by blockIo.op */
export const BLOCK_OPEN_BEGIN = 1;	/* in blockIo.flags */
export const BLOCK_OPEN_END = 2;
export const BLOCK_FAILED = 4;
export const MARK_IS_COUNTER = 1;	/* in marks.flags */
export const MARK_HAS_VALUE = 2;
export const MESSAGE_BACKWARD = 1;	/* in messages.flags */
export const MESSAGE_CONTRADICTORY = 2;
