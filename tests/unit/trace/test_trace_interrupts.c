// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/unit/trace/decoding.c */
/*
 * Records of interrupts -> events, by formats as kernels write them, of any byte order.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "decoding.h"
#include "trace/decode/decoder.h"

/* Of common_flags. */
#define IRQS_OFF 0x01
#define HARDIRQ 0x08
#define SOFTIRQ 0x10

static int set_up(void **state)
{
	(void)state;
	decoding_begin();
	decoder_add_format(decoder, "irq",
			   FORMAT("irq_handler_entry", 10,
				  FIELD("int irq", 8, 4) FIELD("__data_loc char[] name", 12, 4)));
	decoder_add_format(decoder, "irq",
			   FORMAT("irq_handler_exit", 11,
				  FIELD("int irq", 8, 4) FIELD("int ret", 12, 4)));
	decoder_add_format(decoder, "irq",
			   FORMAT("softirq_entry", 12, FIELD("unsigned int vec", 8, 4)));
	decoder_add_format(decoder, "irq",
			   FORMAT("softirq_exit", 13, FIELD("unsigned int vec", 8, 4)));
	decoder_add_format(decoder, "irq",
			   FORMAT("tasklet_entry", 14,
				  FIELD("void * tasklet", 8, 8) FIELD("void * func", 16, 8)));
	decoder_add_format(decoder, "irq",
			   FORMAT("tasklet_exit", 15,
				  FIELD("void * tasklet", 8, 8) FIELD("void * func", 16, 8)));
	decoder_add_format(decoder, "irq_vectors",
			   FORMAT("local_timer_entry", 16, FIELD("int vector", 8, 4)));
	decoder_add_format(decoder, "irq_vectors",
			   FORMAT("call_function_single_exit", 17, FIELD("int vector", 8, 4)));
	decoder_add_format(decoder, "ipi",
			   FORMAT("ipi_entry", 18, FIELD("const char * reason", 8, 8)));
	decoder_add_format(decoder, "ipi",
			   FORMAT("ipi_exit", 19, FIELD("const char * reason", 8, 8)));
	decoder_add_format(decoder, "ipi",
			   FORMAT("ipi_raise", 20,
				  FIELD("__data_loc unsigned long[] target_cpus", 8, 4)
					  FIELD("const char * reason", 16, 8)));
	decoder_add_format(decoder, "ipi",
			   FORMAT("ipi_send_cpu", 21,
				  FIELD("unsigned int cpu", 8, 4) FIELD("void * callsite", 16, 8)
					  FIELD("void * callback", 24, 8)));
	decoder_add_format(decoder, "ipi",
			   FORMAT("ipi_send_cpumask", 22,
				  FIELD("__data_loc cpumask_t cpumask", 8, 4)
					  FIELD("void * callsite", 16, 8)
						  FIELD("void * callback", 24, 8)));
	decoder_add_format(decoder, "irq_vectors",
			   FORMAT("reschedule_entry", 23, FIELD("int vector", 8, 4)));
	return 0;
}

struct record {
	uint16_t type;
	uint8_t flags;
	uint8_t preempt_count;
	int32_t pid;
	union {
		uint32_t words[4];
		uint64_t longs[2];
	};
	char text[8];
};

static struct trace_event decode(struct record record, size_t bytes)
{
	struct trace_event event = decoding_of(&record, bytes);

	assert_int_equal(event.tid, 7);
	return event;
}

static void expect(const struct trace_event *event, enum trace_event_kind kind,
		   enum trace_interrupt_kind interrupt, uint64_t id, const char *name)
{
	assert_int_equal(event->kind, kind);
	assert_int_equal(event->interrupt.kind, interrupt);
	assert_int_equal(event->interrupt.id, id);
	assert_string_equal(string_table_get(strings, event->interrupt.name), name);
}

static void test_handler(void **state)
{
	struct record record = { .type = 10,
				 .flags = HARDIRQ | IRQS_OFF,
				 .pid = 7,
				 .words = { 36, 5 << 16 | 24 },
				 .text = "eth0" };
	struct trace_event event = decode(record, sizeof(record));

	(void)state;
	expect(&event, TRACE_INTERRUPT_BEGIN, TRACE_HARDIRQ, 36, "eth0");
	assert_false(event.interrupt.may_be_in_switch);
	assert_false(event.interrupt.in_softirq);
	record.type = 11;
	record.flags |= SOFTIRQ;
	event = decode(record, 16);
	expect(&event, TRACE_INTERRUPT_END, TRACE_HARDIRQ, 36, "");
	assert_true(event.interrupt.in_softirq);
}

static void test_softirq(void **state)
{
	static const char *const names[] = {
		"HI",	    "TIMER",   "NET_TX", "NET_RX",  "BLOCK",
		"IRQ_POLL", "TASKLET", "SCHED",	 "HRTIMER", "RCU",
	};
	struct record record = { .type = 12, .flags = SOFTIRQ, .pid = 7 };
	struct trace_event event;

	(void)state;
	for (uint32_t vec = 0; vec < sizeof(names) / sizeof(names[0]); vec++) {
		record.words[0] = vec;
		event = decode(record, 12);
		expect(&event, TRACE_INTERRUPT_BEGIN, TRACE_SOFTIRQ, vec, names[vec]);
	}
	assert_false(event.interrupt.may_be_in_switch);
	record.words[0] = 10;
	record.flags |= IRQS_OFF;
	event = decode(record, 12);
	expect(&event, TRACE_INTERRUPT_BEGIN, TRACE_SOFTIRQ, 10, "softirq 10");
	assert_true(event.interrupt.may_be_in_switch);
	record.type = 13;
	event = decode(record, 12);
	expect(&event, TRACE_INTERRUPT_END, TRACE_SOFTIRQ, 10, "");
}

static char *read_symbols(void *context)
{
	(void)context;
	return strdup("ffffffff81234560 t tcp_tasklet_func\nffffffff81234700 t tcp_other\n");
}

/* Where the trace has the kernel's symbols. */
static void test_tasklet_by_name(void **state)
{
	struct record record = { .type = 14,
				 .pid = 7,
				 .longs = { 0xffff888004a00010, 0xffffffff81234560 } };
	struct trace_event event;

	(void)state;
	decoder_use_symbols(decoder, read_symbols, NULL);
	event = decode(record, 24);
	expect(&event, TRACE_INTERRUPT_BEGIN, TRACE_TASKLET, 0xffff888004a00010,
	       "tasklet tcp_tasklet_func");
}

static void test_tasklet(void **state)
{
	struct record record = { .type = 14,
				 .pid = 7,
				 .longs = { 0xffff888004a00010, 0xffffffff81234560 } };
	struct trace_event event = decode(record, 24);

	(void)state;
	expect(&event, TRACE_INTERRUPT_BEGIN, TRACE_TASKLET, 0xffff888004a00010,
	       "tasklet 0xffffffff81234560");
	record.type = 15;
	event = decode(record, 24);
	expect(&event, TRACE_INTERRUPT_END, TRACE_TASKLET, 0xffff888004a00010, "");
}

static void test_vectors(void **state)
{
	struct record record = { .type = 16, .flags = HARDIRQ, .pid = 7, .words = { 236 } };
	struct trace_event event = decode(record, 12), end;

	(void)state;
	assert_int_equal(event.kind, TRACE_INTERRUPT_BEGIN);
	assert_int_equal(event.interrupt.kind, TRACE_VECTOR);
	assert_string_equal(string_table_get(strings, event.interrupt.name), "local_timer");
	record.type = 17;
	end = decode(record, 12);
	assert_int_equal(end.kind, TRACE_INTERRUPT_END);
	assert_string_equal(string_table_get(strings, (uint32_t)end.interrupt.id),
			    "call_function_single");
	assert_int_not_equal(end.interrupt.id, event.interrupt.id);
	decoder_add_format(decoder, "irq_vectors",
			   FORMAT("local_timer_exit", 20, FIELD("int vector", 8, 4)));
	record.type = 20;
	end = decode(record, 12);
	assert_int_equal(end.interrupt.id, event.interrupt.id);
}

static void test_ipi(void **state)
{
	struct record record = { .type = 18, .pid = 7, .longs = { 0xffff800081234567 } };
	struct trace_event event = decode(record, 16);

	(void)state;
	expect(&event, TRACE_INTERRUPT_BEGIN, TRACE_IPI, 0xffff800081234567, "IPI");
	record.type = 19;
	event = decode(record, 16);
	expect(&event, TRACE_INTERRUPT_END, TRACE_IPI, 0xffff800081234567, "");
}

static void test_too_short(void **state)
{
	struct record record = { .type = 12, .pid = 7 };
	const struct raw_record raw = { .data = (const uint8_t *)&record, .size = 11 };
	struct trace_event event;

	(void)state;
	assert_false(decoder_decode(decoder, &raw, &event));
	assert_int_equal(nr_damaged[TRACE_DAMAGED_OTHER], 1);
}

/* Without a field that is needed it is one of the others. An event of two names has either. */
static void test_odd_formats(void **state)
{
	struct record record = { .type = 30, .pid = 7, .words = { 3 } };
	struct trace_event event;

	(void)state;
	decoder_add_format(decoder, "irq", FORMAT("irq_handler_entry", 30, FIELD("int irq", 8, 4)));
	event = decode(record, 12);
	assert_int_equal(event.kind, TRACE_OTHER);
	decoder_add_format(decoder, "x_y", FORMAT("z", 16, FIELD("int vector", 8, 4)));
	record.type = 16;
	event = decode(record, 12);
	assert_string_equal(string_table_get(strings, event.interrupt.name), "z");
}

static void test_swapped(void **state)
{
	struct record record = { .type = 12 << 8, .pid = 7 << 24, .words = { 3u << 24 } };
	struct trace_event event;

	(void)state;
	decoder_set_swap(decoder, true);
	event = decode(record, 12);
	expect(&event, TRACE_INTERRUPT_BEGIN, TRACE_SOFTIRQ, 3, "NET_RX");
}

#define RESCHEDULING 0xffff800081000000
#define CALLING 0xffff800081000020
#define CALLER 0xffffffff81234560
#define CALLEE 0xffffffff81234700

static char *read_texts(void *context)
{
	(void)context;
	return strdup("0xffff800081000000 : \"Rescheduling interrupts\"\n"
		      "0xffff800081000020 : \"Function call interrupts\"\n");
}

static void assert_ipi(const struct trace_event *event, bool is_reschedule, const char *reason)
{
	assert_int_equal(event->kind, TRACE_IPI_SEND);
	assert_int_equal(event->tid, 7);
	assert_int_equal(event->ipi.is_reschedule, is_reschedule);
	assert_string_equal(string_table_get(strings, event->ipi.reason), reason);
}

/* Why a CPU is interrupted, by its text: arm64. */
static void test_ipi_texts(void **state)
{
	struct record record = { .type = 18, .pid = 7, .longs = { RESCHEDULING } };
	struct {
		uint16_t type;
		uint8_t flags, preempt_count;
		int32_t pid;
		uint32_t mask, hole;
		uint64_t reason;
		uint64_t words[2];
	} raised = { 20, IRQS_OFF, 0, 7, 24 | 16 << 16, 0, CALLING, { 5, 1ull << 63 } };
	struct trace_event event;

	(void)state;
	decoder_use_printk_formats(decoder, read_texts, NULL);
	event = decode(record, 16);
	expect(&event, TRACE_INTERRUPT_BEGIN, TRACE_IPI, RESCHEDULING, "Rescheduling interrupts");
	assert_int_equal(event.interrupt.ipi, TRACE_IPI_RESCHEDULE);
	record.longs[0] = CALLING;
	event = decode(record, 16);
	expect(&event, TRACE_INTERRUPT_BEGIN, TRACE_IPI, CALLING, "Function call interrupts");
	assert_int_equal(event.interrupt.ipi, TRACE_IPI_CALL);
	record.longs[0] = 16;
	event = decode(record, 16);
	expect(&event, TRACE_INTERRUPT_BEGIN, TRACE_IPI, 16, "IPI");
	assert_int_equal(event.interrupt.ipi, TRACE_NO_IPI);
	event = decoding_of(&raised, sizeof(raised));
	assert_ipi(&event, false, "by CPU 1");
	assert_true(event.ipi.may_be_in_switch);
	assert_int_equal(event.ipi.type, 20);
	assert_int_equal(event.ipi.nr_words, 2);
	assert_int_equal(event.ipi.targets[0], 5);
	assert_int_equal(event.ipi.targets[1], 1ull << 63);
	raised.reason = RESCHEDULING;
	event = decoding_of(&raised, sizeof(raised));
	assert_ipi(&event, true, "by CPU 1");
	/* The mask is not in the record. */
	raised.mask = 24 | 80 << 16;
	assert_int_equal(decoding_of(&raised, sizeof(raised)).kind, TRACE_OTHER);
}

/* By who sends it, and what is called: Linux 6.4 and later. */
static void test_ipi_sends(void **state)
{
	struct {
		uint16_t type;
		uint8_t flags, preempt_count;
		int32_t pid;
		uint32_t cpu, hole;
		uint64_t callsite, callback;
		uint64_t words[1];
	} sent = { 21, 0, 0, 7, 98, 0, CALLER, 0, { 6 } };
	struct record record = { .type = 23, .pid = 7 };
	struct trace_event event;

	(void)state;
	decoder_use_symbols(decoder, read_symbols, NULL);
	event = decoding_of(&sent, sizeof(sent));
	assert_ipi(&event, true, "by CPU 1 in tcp_tasklet_func");
	assert_int_equal(event.ipi.nr_words, 2);
	assert_int_equal(event.ipi.targets[0], 0);
	assert_int_equal(event.ipi.targets[1], 1ull << 34);
	sent.callback = CALLEE;
	event = decoding_of(&sent, sizeof(sent));
	assert_ipi(&event, false, "tcp_other, by CPU 1 in tcp_tasklet_func");
	sent.type = 22;
	sent.cpu = 32 | 8 << 16;
	event = decoding_of(&sent, sizeof(sent));
	assert_ipi(&event, false, "tcp_other, by CPU 1 in tcp_tasklet_func");
	assert_int_equal(event.ipi.nr_words, 1);
	assert_int_equal(event.ipi.targets[0], 6);
	/* No kernel has so many. */
	sent.type = 21;
	sent.cpu = UINT32_MAX;
	assert_int_equal(decoding_of(&sent, sizeof(sent)).kind, TRACE_OTHER);
	/* What comes there: vectors of x86. */
	assert_int_equal(decode(record, 12).interrupt.ipi, TRACE_IPI_RESCHEDULE);
	record.type = 16;
	assert_int_equal(decode(record, 12).interrupt.ipi, TRACE_NO_IPI);
}

#define with_decoder(test) cmocka_unit_test_setup_teardown(test, set_up, decoding_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		with_decoder(test_handler),   with_decoder(test_softirq),
		with_decoder(test_tasklet),   with_decoder(test_tasklet_by_name),
		with_decoder(test_vectors),   with_decoder(test_ipi),
		with_decoder(test_too_short), with_decoder(test_odd_formats),
		with_decoder(test_swapped),   with_decoder(test_ipi_texts),
		with_decoder(test_ipi_sends),
	};

	return cmocka_run_group_tests_name("interrupts in traces", tests, NULL, NULL);
}
