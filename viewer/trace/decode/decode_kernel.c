// SPDX-License-Identifier: GPL-2.0
#include "trace/decode/decode_kernel.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/names/argument_texts.h"
#include "trace/decode/decode_other.h"
#include "trace/decode/fields.h"
#include "trace/names/kernel_names.h"
#include "trace/names/syscalls.h"
#include "trace/names/text_memo.h"
#include "util/xalloc.h"

#define NR_QUICK_SYSCALLS 512 /* numbers of all machines are below it */
#define MAX_ODD_SYSCALLS 1024 /* that a damaged file may have names of */
#define NO_NUMBER (-1) /* the kernel's own for "none": at the exit from sigreturn(), too */
#define KEY_OF_NUMBER(number) ((uint64_t)(int64_t)(number))

/* A system call that came by its number. */
struct quick_syscall {
	uint32_t name; /* 0: not asked for yet */
	uint8_t nr_arguments;
};

/* A system call that has events of its own. */
struct named_syscall {
	uint32_t name;
	struct argument_names arguments;
	struct field_position fields[SYSCALL_MAX_ARGUMENTS];
};

struct kernel_decoder {
	struct string_table *strings;
	struct kernel_names *names;
	struct argument_texts *texts;
	enum syscall_machine machine;
	struct quick_syscall quick[NR_QUICK_SYSCALLS];
	uint32_t nr_odd;
	uint64_t nr_textless;
	/* Names that all events of a kind have; 0: not asked for yet. */
	uint32_t fault_name;
	uint32_t kernel_fault_name;
	uint32_t lock_name;
	struct text_memo fault_texts; /* by the error code */
	struct text_memo lock_texts; /* by the flags */
};

struct kernel_decoder *kernel_decoder_new(struct string_table *strings)
{
	struct kernel_decoder *kernel = xcalloc(1, sizeof(*kernel));

	kernel->strings = strings;
	kernel->names = kernel_names_new(strings);
	kernel->texts = argument_texts_new(strings);
	kernel->machine = SYSCALLS_UNKNOWN;
	return kernel;
}

void kernel_decoder_free(struct kernel_decoder *kernel)
{
	kernel_names_free(kernel->names);
	argument_texts_free(kernel->texts);
	free(kernel);
}

void kernel_decoder_set_machine(struct kernel_decoder *kernel, const char *machine)
{
	kernel->machine = syscall_machine_of(machine);
}

struct kernel_names *kernel_decoder_names(struct kernel_decoder *kernel)
{
	return kernel->names;
}

uint64_t kernel_decoder_nr_textless(const struct kernel_decoder *kernel)
{
	return kernel->nr_textless;
}

static uint32_t intern(const struct decoder *decoder, const char *text)
{
	return string_table_intern(decoder->strings, text, strlen(text));
}

static uint32_t intern_once(const struct decoder *decoder, uint32_t *id, const char *text)
{
	if (!*id)
		*id = intern(decoder, text);
	return *id;
}

void decode_kernel_fill(const struct decoder *decoder, const struct raw_record *record,
			struct trace_event *event, enum trace_event_kind kind,
			enum trace_kernel_kind kernel_kind)
{
	event->kind = kind;
	event->kernel.kind = kernel_kind;
	event->kernel.may_be_in_switch = decode_other_may_be_in_switch(decoder, record);
	event->kernel.name = TRACE_NO_STRING;
	event->kernel.text = TRACE_NO_STRING;
	event->kernel.level = 0;
	event->kernel.of_tid = 0;
	event->kernel.key = 0;
	event->kernel.value = 0;
	event->kernel.has_value = false;
	event->kernel.is_textless = false;
}

/* "system call 512" */
static uint32_t odd_syscall(struct kernel_decoder *kernel, int64_t number)
{
	char text[40];

	if (kernel->nr_odd == MAX_ODD_SYSCALLS)
		return string_table_intern(kernel->strings, "system call", 11);
	kernel->nr_odd++;
	snprintf(text, sizeof(text), "system call %" PRId64, number);
	return string_table_intern(kernel->strings, text, strlen(text));
}

static struct quick_syscall new_quick_syscall(struct kernel_decoder *kernel, int64_t number)
{
	const struct syscall *syscall = syscall_find(kernel->machine, number);
	struct quick_syscall quick = { .nr_arguments = SYSCALL_MAX_ARGUMENTS };

	if (!syscall) {
		quick.name = odd_syscall(kernel, number);
		return quick;
	}
	quick.name = string_table_intern(kernel->strings, syscall->name, strlen(syscall->name));
	quick.nr_arguments = syscall->nr_arguments;
	return quick;
}

static struct quick_syscall quick_syscall_of(struct kernel_decoder *kernel, int64_t number)
{
	struct quick_syscall *quick;

	if (number < 0 || number >= NR_QUICK_SYSCALLS)
		return new_quick_syscall(kernel, number);
	quick = &kernel->quick[number];
	if (!quick->name)
		*quick = new_quick_syscall(kernel, number);
	return *quick;
}

static uint32_t compat_syscall(struct kernel_decoder *kernel, int64_t number)
{
	const struct syscall *syscall = NULL;

	if (kernel->machine == SYSCALLS_X86_64)
		syscall = syscall_find(SYSCALLS_I386, number);
	return syscall ?
		       string_table_intern(kernel->strings, syscall->name, strlen(syscall->name)) :
		       odd_syscall(kernel, number);
}

uint32_t kernel_decoder_syscall(struct kernel_decoder *kernel, int64_t number, bool is_compat)
{
	return is_compat ? compat_syscall(kernel, number) : quick_syscall_of(kernel, number).name;
}

static uint64_t word_at(const struct decoder *decoder, const uint8_t *at, size_t bytes)
{
	return bytes == 8 ? load_u64(at, decoder->swap) : load_u32(at, decoder->swap);
}

/* A long of the machine, which the field may be shorter than. */
static int64_t get_long(const struct decoder *decoder, const struct field_position *field,
			const struct raw_record *record)
{
	uint64_t value = field_get_unsigned(decoder, field, record);

	return field->size == 4 ? (int32_t)value : (int64_t)value;
}

static void put_arguments(struct decoder *decoder, struct trace_event *event, uint64_t key,
			  const struct argument_names *names, const uint64_t *values)
{
	struct kernel_decoder *kernel = decoder->kernel;

	if (!names->nr)
		return;
	event->kernel.is_textless = !argument_texts_get(kernel->texts, key, names, values,
							&event->kernel.text);
	kernel->nr_textless += event->kernel.is_textless;
}

bool decode_raw_syscall_enter(struct decoder *decoder, const struct event_layout *layout,
			      const struct raw_record *record, struct trace_event *event)
{
	const struct field_position *args = &layout->fields[1];
	int64_t number = get_long(decoder, &layout->fields[0], record);
	size_t word_bytes = args->size / SYSCALL_MAX_ARGUMENTS;
	uint64_t values[SYSCALL_MAX_ARGUMENTS] = { 0 };
	struct argument_names names = { 0 };
	struct quick_syscall quick;

	if (number == NO_NUMBER || (word_bytes != 4 && word_bytes != 8))
		return decode_other(decoder, record, event);
	decode_kernel_fill(decoder, record, event, TRACE_KERNEL_BEGIN, TRACE_KERNEL_SYSCALL);
	quick = quick_syscall_of(decoder->kernel, number);
	for (size_t i = 0; i < quick.nr_arguments; i++)
		values[i] = word_at(decoder, record->data + args->offset + i * word_bytes,
				    word_bytes);
	names.nr = quick.nr_arguments;
	event->kernel.name = quick.name;
	event->kernel.key = KEY_OF_NUMBER(number);
	put_arguments(decoder, event, 0, &names, values);
	return true;
}

bool decode_raw_syscall_exit(struct decoder *decoder, const struct event_layout *layout,
			     const struct raw_record *record, struct trace_event *event)
{
	int64_t number = get_long(decoder, &layout->fields[0], record);

	decode_kernel_fill(decoder, record, event, TRACE_KERNEL_END, TRACE_KERNEL_SYSCALL);
	if (number != NO_NUMBER)
		event->kernel.name = quick_syscall_of(decoder->kernel, number).name;
	event->kernel.key = KEY_OF_NUMBER(number);
	event->kernel.value = get_long(decoder, &layout->fields[1], record);
	event->kernel.has_value = true;
	return true;
}

/* The kernel names the calls of stat(2) and the like after what they do inside. */
static const char *syscall_name_of(const char *event)
{
	const char *name = strchr(event + strlen("sys_"), '_') + 1;

	return !strncmp(name, "new", 3) && strcmp(name, "newfstatat") ? name + 3 : name;
}

static void take_argument(struct named_syscall *syscall, struct string_table *strings,
			  const struct event_field *field)
{
	struct argument_names *arguments = &syscall->arguments;
	uint8_t at = arguments->nr;

	if (at == SYSCALL_MAX_ARGUMENTS || field->location != FIELD_IN_PLACE ||
	    (field->size != 4 && field->size != 8))
		return;
	arguments->is_pointer[at] = field->is_pointer;
	arguments->names[at] = string_table_intern(strings, field->name, strlen(field->name));
	syscall->fields[at] = (struct field_position){ .offset = field->offset,
						       .size = field->size };
	arguments->nr++;
}

struct named_syscall *named_syscall_new(struct decoder *decoder, const struct event_format *format)
{
	struct named_syscall *syscall = xcalloc(1, sizeof(*syscall));
	bool in_arguments = false;

	syscall->name = intern(decoder, syscall_name_of(format->name));
	for (int i = 0; i < format->nr_fields; i++) {
		const struct event_field *field = &format->fields[i];

		if (in_arguments)
			take_argument(syscall, decoder->strings, field);
		else
			in_arguments = !strcmp(field->name, "__syscall_nr") ||
				       !strcmp(field->name, "nr");
	}
	return syscall;
}

uint32_t named_syscall_end(const struct named_syscall *syscall)
{
	uint32_t end = 0;

	for (int i = 0; i < syscall->arguments.nr; i++) {
		uint32_t own = (uint32_t)syscall->fields[i].offset + syscall->fields[i].size;

		end = own > end ? own : end;
	}
	return end;
}

bool decode_syscall_enter(struct decoder *decoder, const struct event_layout *layout,
			  const struct raw_record *record, struct trace_event *event)
{
	const struct named_syscall *syscall = layout->syscall;
	uint64_t values[SYSCALL_MAX_ARGUMENTS] = { 0 };

	decode_kernel_fill(decoder, record, event, TRACE_KERNEL_BEGIN, TRACE_KERNEL_SYSCALL);
	for (int i = 0; i < syscall->arguments.nr; i++)
		values[i] = field_get_unsigned(decoder, &syscall->fields[i], record);
	event->kernel.name = syscall->name;
	event->kernel.level = TRACE_SYSCALL_NAMED;
	event->kernel.key = KEY_OF_NUMBER(get_long(decoder, &layout->fields[0], record));
	put_arguments(decoder, event, syscall->name, &syscall->arguments, values);
	return true;
}

bool decode_syscall_exit(struct decoder *decoder, const struct event_layout *layout,
			 const struct raw_record *record, struct trace_event *event)
{
	decode_raw_syscall_exit(decoder, layout, record, event);
	event->kernel.level = TRACE_SYSCALL_NAMED;
	event->kernel.name = layout->syscall->name;
	return true;
}

static void take_function(struct decoder *decoder, struct trace_event *event, uint64_t address)
{
	event->kernel.name = kernel_names_get(decoder->kernel->names, address);
	event->kernel.key = address;
}

bool decode_function_enter(struct decoder *decoder, const struct event_layout *layout,
			   const struct raw_record *record, struct trace_event *event)
{
	decode_kernel_fill(decoder, record, event, TRACE_KERNEL_BEGIN, TRACE_KERNEL_FUNCTION);
	take_function(decoder, event, field_get_unsigned(decoder, &layout->fields[0], record));
	event->kernel.level = field_get_i32(decoder, &layout->fields[1], record);
	return true;
}

/* What it returned is recorded since Linux 6.5, if that is asked for. */
bool decode_function_exit(struct decoder *decoder, const struct event_layout *layout,
			  const struct raw_record *record, struct trace_event *event)
{
	decode_kernel_fill(decoder, record, event, TRACE_KERNEL_END, TRACE_KERNEL_FUNCTION);
	event->kernel.key = field_get_unsigned(decoder, &layout->fields[0], record);
	event->kernel.level = field_get_i32(decoder, &layout->fields[1], record);
	event->kernel.has_value = layout->has_optionals;
	if (layout->has_optionals)
		event->kernel.value = get_long(decoder, &layout->optionals[0], record);
	return true;
}

bool decode_function(struct decoder *decoder, const struct event_layout *layout,
		     const struct raw_record *record, struct trace_event *event)
{
	uint64_t caller = field_get_unsigned(decoder, &layout->fields[1], record);

	decode_kernel_fill(decoder, record, event, TRACE_KERNEL_MARK, TRACE_KERNEL_FUNCTION);
	take_function(decoder, event, field_get_unsigned(decoder, &layout->fields[0], record));
	event->kernel.text = kernel_names_get(decoder->kernel->names, caller);
	return true;
}

bool decode_work_start(struct decoder *decoder, const struct event_layout *layout,
		       const struct raw_record *record, struct trace_event *event)
{
	decode_kernel_fill(decoder, record, event, TRACE_KERNEL_BEGIN, TRACE_KERNEL_WORK);
	take_function(decoder, event, field_get_unsigned(decoder, &layout->fields[1], record));
	event->kernel.key = field_get_unsigned(decoder, &layout->fields[0], record);
	return true;
}

bool decode_work_end(struct decoder *decoder, const struct event_layout *layout,
		     const struct raw_record *record, struct trace_event *event)
{
	decode_kernel_fill(decoder, record, event, TRACE_KERNEL_END, TRACE_KERNEL_WORK);
	event->kernel.key = field_get_unsigned(decoder, &layout->fields[0], record);
	return true;
}

/* LCB_F_* of the kernel's trace/events/lock.h, bit by bit. */
static const char *const lock_words[] = { "spin", "read", "write", "rt", "percpu", "mutex" };
#define NR_LOCK_WORDS (sizeof(lock_words) / sizeof(lock_words[0]))

/* There are at most 64 such texts. */
static uint32_t lock_text(struct decoder *decoder, uint64_t flags)
{
	uint32_t *id = text_memo_find(&decoder->kernel->lock_texts, flags, 0, 0);
	char text[64] = "";

	if (*id)
		return *id;

	for (size_t i = 0; i < NR_LOCK_WORDS; i++) {
		if (!(flags >> i & 1))
			continue;
		if (*text)
			strcat(text, ", ");
		strcat(text, lock_words[i]);
	}
	*id = intern(decoder, text);
	return *id;
}

bool decode_lock_begin(struct decoder *decoder, const struct event_layout *layout,
		       const struct raw_record *record, struct trace_event *event)
{
	decode_kernel_fill(decoder, record, event, TRACE_KERNEL_BEGIN, TRACE_KERNEL_LOCK);
	event->kernel.name = intern_once(decoder, &decoder->kernel->lock_name, "kernel lock");
	event->kernel.key = field_get_unsigned(decoder, &layout->fields[0], record);
	event->kernel.text = lock_text(decoder,
				       field_get_unsigned(decoder, &layout->fields[1], record));
	event->kernel.value = (int64_t)event->kernel.key;
	event->kernel.has_value = true;
	return true;
}

bool decode_lock_end(struct decoder *decoder, const struct event_layout *layout,
		     const struct raw_record *record, struct trace_event *event)
{
	decode_kernel_fill(decoder, record, event, TRACE_KERNEL_END, TRACE_KERNEL_LOCK);
	event->kernel.key = field_get_unsigned(decoder, &layout->fields[0], record);
	return true;
}

/* X86_PF_* of the kernel's asm/trap_pf.h. Other machines have codes of their own. */
static const char *fault_words(const struct kernel_decoder *kernel, uint64_t error)
{
	if (kernel->machine != SYSCALLS_X86_64 && kernel->machine != SYSCALLS_I386)
		return "";
	if (error & 0x10)
		return "execute";
	return error & 0x02 ? "write" : "read";
}

static uint32_t fault_text(struct decoder *decoder, uint64_t error)
{
	uint32_t *id = text_memo_find(&decoder->kernel->fault_texts, error, 0, 0);
	const char *words;
	char text[48];

	if (*id)
		return *id;
	words = fault_words(decoder->kernel, error);
	snprintf(text, sizeof(text), "%s%serror code 0x%" PRIx64, words, *words ? ", " : "", error);
	*id = intern(decoder, text);
	return *id;
}

static void decode_fault(struct decoder *decoder, const struct event_layout *layout,
			 const struct raw_record *record, struct trace_event *event, uint32_t name)
{
	uint64_t error = field_get_unsigned(decoder, &layout->fields[1], record);

	decode_kernel_fill(decoder, record, event, TRACE_KERNEL_MARK, TRACE_KERNEL_FAULT);
	event->kernel.name = name;
	event->kernel.text = fault_text(decoder, error & 0xffff);
	event->kernel.value = (int64_t)field_get_unsigned(decoder, &layout->fields[0], record);
	event->kernel.has_value = true;
}

bool decode_fault_user(struct decoder *decoder, const struct event_layout *layout,
		       const struct raw_record *record, struct trace_event *event)
{
	decode_fault(decoder, layout, record, event,
		     intern_once(decoder, &decoder->kernel->fault_name, "page fault"));
	event->kernel.level = TRACE_FAULT_USER;
	return true;
}

bool decode_fault_kernel(struct decoder *decoder, const struct event_layout *layout,
			 const struct raw_record *record, struct trace_event *event)
{
	decode_fault(decoder, layout, record, event,
		     intern_once(decoder, &decoder->kernel->kernel_fault_name,
				 "page fault in the kernel"));
	return true;
}

static void mark(struct decoder *decoder, const struct raw_record *record,
		 struct trace_event *event, enum trace_kernel_kind kind, const char *name,
		 const char *text, size_t bytes)
{
	struct kernel_decoder *kernel = decoder->kernel;

	decode_kernel_fill(decoder, record, event, TRACE_KERNEL_MARK, kind);
	event->kernel.name = intern(decoder, name);
	event->kernel.is_textless = !argument_texts_intern(kernel->texts, text, bytes,
							   &event->kernel.text);
	kernel->nr_textless += event->kernel.is_textless;
}

void decode_kernel_mark(struct decoder *decoder, const struct raw_record *record,
			struct trace_event *event, enum trace_kernel_kind kind, const char *name,
			const char *text)
{
	mark(decoder, record, event, kind, name, text, strlen(text));
}

bool decode_kernel_line(struct decoder *decoder, const char *text, size_t bytes,
			const struct raw_record *record, struct trace_event *event)
{
	while (bytes && text[bytes - 1] == '\n')
		bytes--;
	mark(decoder, record, event, TRACE_KERNEL_LINE, "print", text, bytes);
	return true;
}
