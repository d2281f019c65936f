/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Decodes what a thread does in the kernel: system calls, traced functions, work of workqueues, waits for
 * the kernel's locks, page faults, lines of trace_printk().
 */
#ifndef ANNOT_TRACE_DECODE_DECODE_KERNEL_H
#define ANNOT_TRACE_DECODE_DECODE_KERNEL_H

#include "trace/decode/decode_state.h"

bool decode_raw_syscall_enter(struct decoder *decoder, const struct event_layout *layout,
			      const struct raw_record *record, struct trace_event *event);
bool decode_raw_syscall_exit(struct decoder *decoder, const struct event_layout *layout,
			     const struct raw_record *record, struct trace_event *event);
bool decode_syscall_enter(struct decoder *decoder, const struct event_layout *layout,
			  const struct raw_record *record, struct trace_event *event);
bool decode_syscall_exit(struct decoder *decoder, const struct event_layout *layout,
			 const struct raw_record *record, struct trace_event *event);
bool decode_function_enter(struct decoder *decoder, const struct event_layout *layout,
			   const struct raw_record *record, struct trace_event *event);
bool decode_function_exit(struct decoder *decoder, const struct event_layout *layout,
			  const struct raw_record *record, struct trace_event *event);
bool decode_function(struct decoder *decoder, const struct event_layout *layout,
		     const struct raw_record *record, struct trace_event *event);
bool decode_work_start(struct decoder *decoder, const struct event_layout *layout,
		       const struct raw_record *record, struct trace_event *event);
bool decode_work_end(struct decoder *decoder, const struct event_layout *layout,
		     const struct raw_record *record, struct trace_event *event);
bool decode_lock_begin(struct decoder *decoder, const struct event_layout *layout,
		       const struct raw_record *record, struct trace_event *event);
bool decode_lock_end(struct decoder *decoder, const struct event_layout *layout,
		     const struct raw_record *record, struct trace_event *event);
bool decode_fault_user(struct decoder *decoder, const struct event_layout *layout,
		       const struct raw_record *record, struct trace_event *event);
bool decode_fault_kernel(struct decoder *decoder, const struct event_layout *layout,
			 const struct raw_record *record, struct trace_event *event);

struct kernel_decoder *kernel_decoder_new(struct string_table *strings);
void kernel_decoder_free(struct kernel_decoder *kernel);

/* @machine is what uname(2) says there; @read is asked for symbols. */
void kernel_decoder_set_machine(struct kernel_decoder *kernel, const char *machine);
struct kernel_names *kernel_decoder_names(struct kernel_decoder *kernel);

/* The name of a system call, a string. @is_compat: of 32-bit programs on a 64-bit machine. */
uint32_t kernel_decoder_syscall(struct kernel_decoder *kernel, int64_t number, bool is_compat);

/* The calls so far whose arguments have no text, as too many differ. */
uint64_t kernel_decoder_nr_textless(const struct kernel_decoder *kernel);

/* What the event of a system call's own is about, as @format says: to be free()d with the decoder. */
struct named_syscall *named_syscall_new(struct decoder *decoder, const struct event_format *format);

/* Where the last of its arguments ends in a record. */
uint32_t named_syscall_end(const struct named_syscall *syscall);

/* What all of them have; all else is none. */
void decode_kernel_fill(const struct decoder *decoder, const struct raw_record *record,
			struct trace_event *event, enum trace_event_kind kind,
			enum trace_kernel_kind kernel_kind);

/* A mark of any kind. */
void decode_kernel_mark(struct decoder *decoder, const struct raw_record *record,
			struct trace_event *event, enum trace_kernel_kind kind, const char *name,
			const char *text);

/* A line that is not of annot: a mark. */
bool decode_kernel_line(struct decoder *decoder, const char *text, size_t bytes,
			const struct raw_record *record, struct trace_event *event);

#endif /* ANNOT_TRACE_DECODE_DECODE_KERNEL_H */
