// SPDX-License-Identifier: GPL-2.0
/*
 * Records and texts of what was measured -> events; each field that cannot be is counted.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <uapi/annot.h>

#include "trace/decode/decoder.h"
#include "trace/file/pages.h"
#include "trace/lines/group_line.h"
#include "trace/lines/machine_line.h"
#include "trace/lines/mapping_line.h"

#define COMMON                                                                         \
	"format:\n"                                                                    \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"         \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"         \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"                     \
	"\n"

static const char sample_format[] =
	"name: annot_sample\nID: 500\n" COMMON "\tfield:u64 ip;\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:u64 addr;\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:u64 weight;\toffset:24;\tsize:8;\tsigned:0;\n"
	"\tfield:u64 data_src;\toffset:32;\tsize:8;\tsigned:0;\n"
	"\tfield:u64 period;\toffset:40;\tsize:8;\tsigned:0;\n"
	"\tfield:__data_loc u64[] regs;\toffset:48;\tsize:4;\tsigned:0;\n"
	"\tfield:u8 event;\toffset:52;\tsize:1;\tsigned:0;\n"
	"\tfield:u8 precise;\toffset:53;\tsize:1;\tsigned:0;\n"
	"\tfield:u8 has;\toffset:54;\tsize:1;\tsigned:0;\n";

#define COUNTS_FORMAT(id, ended_by)                                  \
	"name: annot_slice_counts\nID: " id "\n" COMMON              \
	"\tfield:u32 nr;\toffset:8;\tsize:4;\tsigned:0;\n"           \
	"\tfield:u32 invalid;\toffset:12;\tsize:4;\tsigned:0;\n"     \
	"\tfield:u8 " ended_by ";\toffset:16;\tsize:1;\tsigned:0;\n" \
	"\tfield:__data_loc u64[] counts;\toffset:20;\tsize:4;\tsigned:0;\n"

static const char counts_format[] = COUNTS_FORMAT("501", "ended_by");
static const char former_counts_format[] = COUNTS_FORMAT("504", "until");

static const char state_format[] = "name: annot_pmu_state\nID: 502\n" COMMON
				   "\tfield:u64 value;\toffset:8;\tsize:8;\tsigned:0;\n"
				   "\tfield:u8 event;\toffset:16;\tsize:1;\tsigned:0;\n"
				   "\tfield:u8 state;\toffset:17;\tsize:1;\tsigned:0;\n";

static const char config_format[] =
	"name: annot_config\nID: 503\n" COMMON
	"\tfield:__data_loc char[] text;\toffset:8;\tsize:4;\tsigned:0;\n";

static const char print_format[] = "name: print\nID: 5\n" COMMON
				   "\tfield:unsigned long ip;\toffset:8;\tsize:8;\tsigned:0;\n"
				   "\tfield:char buf[];\toffset:16;\tsize:0;\tsigned:0;\n";

struct common {
	uint16_t type;
	uint8_t flags;
	uint8_t preempt_count;
	int32_t pid;
};

struct sample_record {
	struct common common;
	uint64_t ip;
	uint64_t addr;
	uint64_t weight;
	uint64_t data_src;
	uint64_t period;
	uint32_t regs; /* where: bytes << 16 | offset */
	uint8_t event;
	uint8_t precise;
	uint8_t has;
	uint8_t pad;
	uint64_t words[3];
};

struct counts_record {
	struct common common;
	uint32_t nr;
	uint32_t invalid;
	uint8_t ended_by;
	uint8_t pad[3];
	uint32_t counts;
	uint64_t words[2];
};

struct state_record {
	struct common common;
	uint64_t value;
	uint8_t event;
	uint8_t state;
	uint8_t pad[2];
};

#define PLACE(type, field, bytes) ((uint32_t)(bytes) << 16 | (uint32_t)offsetof(type, field))

struct fixture {
	struct string_table *strings;
	struct decoder *decoder;
	struct trace_annotation_counts counts;
	uint64_t nr_damaged[NR_TRACE_DAMAGES];
	uint8_t *copy; /* of the record, as long as it is: a tool sees what is read beyond */
	struct trace_event event;
};

static int set_up(void **state)
{
	static struct fixture fixture;

	fixture = (struct fixture){ .strings = string_table_new() };
	fixture.decoder = decoder_new(fixture.strings, &fixture.counts, fixture.nr_damaged);
	decoder_add_format(fixture.decoder, "annot", sample_format);
	decoder_add_format(fixture.decoder, "annot", counts_format);
	decoder_add_format(fixture.decoder, "annot", state_format);
	decoder_add_format(fixture.decoder, "annot", config_format);
	decoder_add_format(fixture.decoder, "ftrace", print_format);
	*state = &fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	decoder_free(fixture->decoder);
	string_table_free(fixture->strings);
	free(fixture->copy);
	return 0;
}

static bool decode(struct fixture *fixture, const void *data, size_t size)
{
	struct raw_record record = { .time_ns = 5000, .size = (uint32_t)size };

	free(fixture->copy);
	fixture->copy = malloc(size);
	memcpy(fixture->copy, data, size);
	record.data = fixture->copy;
	memset(&fixture->event, 0x5a, sizeof(fixture->event));
	return decoder_decode(fixture->decoder, &record, &fixture->event);
}

static const char *string(const struct fixture *fixture, uint32_t id)
{
	return string_table_get(fixture->strings, id);
}

/* The record is refused, and nothing but @damage counts it. */
static void assert_damaged(struct fixture *fixture, enum trace_damage damage, const void *data,
			   size_t size)
{
	uint64_t before[NR_TRACE_DAMAGES];

	memcpy(before, fixture->nr_damaged, sizeof(before));
	assert_false(decode(fixture, data, size));
	before[damage]++;
	assert_memory_equal(before, fixture->nr_damaged, sizeof(before));
}

static void assert_undamaged(const struct fixture *fixture)
{
	for (int i = 0; i < NR_TRACE_DAMAGES; i++)
		assert_int_equal(fixture->nr_damaged[i], 0);
}

static struct sample_record sample_record(void)
{
	return (struct sample_record){
		.common = { .type = 500, .pid = 17 },
		.ip = 0x401234,
		.addr = 0x7fff0010,
		.weight = 230,
		.data_src = 0x68100142,
		.period = 10000,
		.regs = PLACE(struct sample_record, words, 24),
		.event = 3,
		.precise = 2,
		.has = ANNOT_SAMPLE_HAS_ADDR | ANNOT_SAMPLE_HAS_WEIGHT | ANNOT_SAMPLE_HAS_DATA_SRC |
		       ANNOT_SAMPLE_HAS_REGISTERS | ANNOT_SAMPLE_USER,
		.words = { 11, UINT64_MAX, 33 },
	};
}

static void test_sample(void **state)
{
	struct fixture *fixture = *state;
	const struct trace_event *event = &fixture->event;
	struct sample_record data = sample_record();

	assert_true(decode(fixture, &data, sizeof(data)));
	assert_int_equal(event->kind, TRACE_SAMPLE);
	assert_int_equal(event->tid, 17);
	assert_int_equal(event->sample.ip, 0x401234);
	assert_int_equal(event->sample.addr, 0x7fff0010);
	assert_int_equal(event->sample.weight, 230);
	assert_int_equal(event->sample.data_src, 0x68100142);
	assert_int_equal(event->sample.period, 10000);
	assert_int_equal(event->sample.event, 3);
	assert_int_equal(event->sample.precise, 2);
	assert_int_equal(event->sample.has, data.has);
	assert_int_equal(event->sample.nr_regs, 3);
	assert_memory_equal(event->sample.regs, data.words, sizeof(data.words));
	assert_undamaged(fixture);
}

/* Whatever stands in a field that is not named, it is nothing. */
static void test_absent_is_zero(void **state)
{
	struct fixture *fixture = *state;
	const struct trace_event *event = &fixture->event;
	struct sample_record data = sample_record();

	data.has = 0;
	data.regs = PLACE(struct sample_record, words, 0);
	assert_true(decode(fixture, &data, sizeof(data)));
	assert_int_equal(event->sample.ip, 0x401234);
	assert_int_equal(event->sample.addr, 0);
	assert_int_equal(event->sample.weight, 0);
	assert_int_equal(event->sample.data_src, 0);
	assert_int_equal(event->sample.nr_regs, 0);
	/* Bits of a module to come. */
	data.has = 0xc0 | ANNOT_SAMPLE_HAS_ADDR;
	assert_true(decode(fixture, &data, sizeof(data)));
	assert_int_equal(event->sample.has, ANNOT_SAMPLE_HAS_ADDR);
	assert_undamaged(fixture);
}

static void test_sample_of_other_byte_order(void **state)
{
	struct fixture *fixture = *state;
	struct sample_record data = sample_record();

	decoder_set_swap(fixture->decoder, true);
	data.common.type = __builtin_bswap16(500);
	data.common.pid = (int32_t)__builtin_bswap32(17);
	data.ip = __builtin_bswap64(data.ip);
	data.period = __builtin_bswap64(data.period);
	data.regs = __builtin_bswap32(data.regs);
	data.words[2] = __builtin_bswap64(data.words[2]);
	assert_true(decode(fixture, &data, sizeof(data)));
	assert_int_equal(fixture->event.sample.ip, 0x401234);
	assert_int_equal(fixture->event.sample.nr_regs, 3);
	assert_int_equal(fixture->event.sample.regs[2], 33);
}

#define assert_bad_sample(fixture, field, value)                                      \
	do {                                                                          \
		struct sample_record data_ = sample_record();                         \
		data_.field = (value);                                                \
		assert_damaged(fixture, TRACE_DAMAGED_SAMPLE, &data_, sizeof(data_)); \
	} while (0)

static void test_damaged_samples(void **state)
{
	struct fixture *fixture = *state;
	struct sample_record data = sample_record();

	assert_bad_sample(fixture, event, ANNOT_EVENTS_MAX);
	assert_bad_sample(fixture, precise, 4);
	assert_bad_sample(fixture, period, 0);
	/* Registers behind the record, of half a word, of none, and where there should be none. */
	assert_bad_sample(fixture, regs, PLACE(struct sample_record, words, 32));
	assert_bad_sample(fixture, regs, 0xffffffff);
	assert_bad_sample(fixture, regs, PLACE(struct sample_record, words, 20));
	assert_bad_sample(fixture, regs, PLACE(struct sample_record, words, 0));
	assert_bad_sample(fixture, has, ANNOT_SAMPLE_USER);
	for (size_t size = 8; size < offsetof(struct sample_record, pad); size++)
		assert_damaged(fixture, TRACE_DAMAGED_SAMPLE, &data, size);
}

/* More registers than any machine has are damage, and overflow nothing. */
static void test_too_many_registers(void **state)
{
	struct fixture *fixture = *state;
	struct {
		struct sample_record sample;
		uint64_t more[62];
	} data = { .sample = sample_record() };

	data.sample.regs = PLACE(struct sample_record, words, 64 * 8);
	assert_true(decode(fixture, &data, sizeof(data)));
	assert_int_equal(fixture->event.sample.nr_regs, 64);
	data.sample.regs = PLACE(struct sample_record, words, 65 * 8);
	assert_damaged(fixture, TRACE_DAMAGED_SAMPLE, &data, sizeof(data));
}

static void test_slice_counts(void **state)
{
	struct fixture *fixture = *state;
	struct counts_record good = { .common = { .type = 501, .pid = 17 },
				      .nr = 2,
				      .invalid = 2,
				      .ended_by = ANNOT_ENDED_BY_END,
				      .counts = PLACE(struct counts_record, words, 16),
				      .words = { 1000, UINT64_MAX } };
	struct counts_record bad = good;

	assert_true(decode(fixture, &good, sizeof(good)));
	assert_int_equal(fixture->event.kind, TRACE_SLICE_COUNTS);
	assert_int_equal(fixture->event.tid, 17);
	assert_int_equal(fixture->event.counts.nr, 2);
	assert_int_equal(fixture->event.counts.invalid, 2);
	assert_int_equal(fixture->event.counts.ended_by, ANNOT_ENDED_BY_END);
	assert_memory_equal(fixture->event.counts.counts, good.words, sizeof(good.words));
	bad.ended_by = ANNOT_ENDED_BY_END + 1;
	assert_true(decode(fixture, &bad, sizeof(bad)));
	assert_int_equal(fixture->event.counts.ended_by, ANNOT_ENDED_BY_SWITCH);
	assert_undamaged(fixture);
	bad.nr = 1;
	assert_damaged(fixture, TRACE_DAMAGED_SLICE_COUNTS, &bad, sizeof(bad));
	bad.nr = UINT32_MAX;
	assert_damaged(fixture, TRACE_DAMAGED_SLICE_COUNTS, &bad, sizeof(bad));
	bad.nr = 0;
	bad.counts = PLACE(struct counts_record, words, 0);
	assert_damaged(fixture, TRACE_DAMAGED_SLICE_COUNTS, &bad, sizeof(bad));
	bad = good;
	bad.invalid = 4;
	assert_damaged(fixture, TRACE_DAMAGED_SLICE_COUNTS, &bad, sizeof(bad));
	bad = good;
	bad.counts = PLACE(struct counts_record, words, 24);
	assert_damaged(fixture, TRACE_DAMAGED_SLICE_COUNTS, &bad, sizeof(bad));
	assert_damaged(fixture, TRACE_DAMAGED_SLICE_COUNTS, &good, 23);
}

static void test_slice_counts_of_version_0_1(void **state)
{
	struct fixture *fixture = *state;
	struct counts_record record = { .common = { .type = 504, .pid = 17 },
					.nr = 2,
					.ended_by = ANNOT_ENDED_BY_BEGIN,
					.counts = PLACE(struct counts_record, words, 16),
					.words = { 1000, 2000 } };

	decoder_add_format(fixture->decoder, "annot", former_counts_format);
	assert_true(decode(fixture, &record, sizeof(record)));
	assert_int_equal(fixture->event.kind, TRACE_SLICE_COUNTS);
	assert_int_equal(fixture->event.counts.ended_by, ANNOT_ENDED_BY_BEGIN);
	assert_undamaged(fixture);
}

static void test_pmu_state(void **state)
{
	struct fixture *fixture = *state;
	struct state_record data = { .common = { .type = 502, .pid = 17 },
				     .value = 77,
				     .event = ANNOT_EVENTS_MAX - 1,
				     .state = ANNOT_PMU_LIMIT_REACHED };

	assert_true(decode(fixture, &data, sizeof(data)));
	assert_int_equal(fixture->event.kind, TRACE_PMU_STATE);
	assert_int_equal(fixture->event.pmu.value, 77);
	assert_int_equal(fixture->event.pmu.event, ANNOT_EVENTS_MAX - 1);
	assert_int_equal(fixture->event.pmu.state, ANNOT_PMU_LIMIT_REACHED);
	/* A state of a module to come is passed over; it is no damage. */
	data.state = ANNOT_PMU_LIMIT_REACHED + 1;
	assert_false(decode(fixture, &data, sizeof(data)));
	assert_undamaged(fixture);
	data.event = ANNOT_EVENTS_MAX;
	assert_damaged(fixture, TRACE_DAMAGED_PMU_STATE, &data, sizeof(data));
	assert_damaged(fixture, TRACE_DAMAGED_PMU_STATE, &data, 17);
}

/* As it stands in a record, @text without a NUL being possible there, too. */
static size_t config_record(void *data, const char *text)
{
	struct {
		struct common common;
		uint32_t text;
	} head = { .common = { .type = 503, .pid = 17 } };
	size_t bytes = strlen(text) + 1;

	head.text = (uint32_t)bytes << 16 | sizeof(head);
	memcpy(data, &head, sizeof(head));
	memcpy((char *)data + sizeof(head), text, bytes);
	return sizeof(head) + bytes;
}

static bool decode_config(struct fixture *fixture, const char *text)
{
	uint8_t data[1024];

	return decode(fixture, data, config_record(data, text));
}

static void assert_bad_config(struct fixture *fixture, const char *text)
{
	uint8_t data[1024];

	assert_damaged(fixture, TRACE_DAMAGED_PMU_EVENT, data, config_record(data, text));
}

static void assert_filtered(struct fixture *fixture, const char *keys, bool is_filtered)
{
	char text[160];

	snprintf(text, sizeof(text), "event=0 name=a mode=sample %s", keys);
	assert_true(decode_config(fixture, text));
	assert_int_equal(fixture->event.pmu_event.is_filtered, is_filtered);
}

static void assert_threshold(struct fixture *fixture, const char *keys, uint64_t cycles)
{
	char text[160];

	snprintf(text, sizeof(text), "event=0 name=a mode=sample %s", keys);
	assert_true(decode_config(fixture, text));
	assert_int_equal(fixture->event.pmu_event.threshold_cycles, cycles);
}

/* Of events of load latency only, config1 is that. */
static void test_threshold(void **state)
{
	assert_threshold(*state, "type=0x4 config=0x1cd config1=0x1e", 30);
	assert_threshold(*state, "type=0xa config=0x5301cd config1=0x3 pmu=cpu_core", 3);
	assert_threshold(*state, "type=0x4 config=0x5d0 config1=0x40", 64);
	assert_threshold(*state, "type=0x4 config=0x100b config1=0x40", 64);
	assert_threshold(*state, "type=0x4 config=0x8d1 config1=0x1e", 0);
	assert_threshold(*state, "type=0x1 config=0x1cd config1=0x1e", 0);
	assert_threshold(*state, "type=0x4 config=0x1cd", 0);
	assert_threshold(*state, "type=0x4 config=0x1cd config1=30", 0);
}

static void test_config(void **state)
{
	static const char text[] =
		"event=3 name=l1_cache_miss:u mode=sample type=0x4 config=0x8d1 config1=0x0 "
		"config2=0x0 period=10000 user=1 kernel=0 asked=3 precise=2 error=0 new=\xff";
	struct fixture *fixture = *state;
	const struct trace_event *event = &fixture->event;

	assert_true(decode_config(fixture, text));
	assert_int_equal(event->kind, TRACE_PMU_EVENT);
	assert_string_equal(string(fixture, event->pmu_event.text), text);
	assert_string_equal(string(fixture, event->pmu_event.name), "l1_cache_miss:u");
	assert_int_equal(event->pmu_event.event, 3);
	assert_false(event->pmu_event.is_counted);
	assert_false(event->pmu_event.is_clock);
	assert_int_equal(event->pmu_event.period, 10000);
	assert_true(event->pmu_event.user);
	assert_false(event->pmu_event.kernel);
	assert_int_equal(event->pmu_event.precise_asked, 3);
	assert_int_equal(event->pmu_event.precise, 2);
	assert_int_equal(event->pmu_event.error, 0);
	/* In any order, and without what need not be. */
	assert_true(decode_config(fixture, "mode=count error=19 name=r01a2 event=0"));
	assert_true(event->pmu_event.is_counted);
	assert_int_equal(event->pmu_event.error, 19);
	assert_int_equal(event->pmu_event.period, 0);
	assert_false(event->pmu_event.user);
	/* The clock of a CPU is the kernel's first event. */
	assert_true(decode_config(fixture, "event=0 name=a mode=sample type=0x1 config=0x0"));
	assert_true(event->pmu_event.is_clock);
	assert_true(decode_config(fixture, "event=0 name=a mode=sample type=0x1 config=0x2"));
	assert_false(event->pmu_event.is_clock);
	assert_true(decode_config(fixture, "event=0 name=a mode=sample type=0x4 config=0x0"));
	assert_false(event->pmu_event.is_clock);
	/* Samples of AMD's IBS are no counts. */
	assert_false(event->pmu_event.by_ratio);
	assert_true(decode_config(fixture, "event=0 name=a mode=sample pmu=ibs_op"));
	assert_true(event->pmu_event.by_ratio);
	assert_true(decode_config(fixture, "event=0 name=a mode=sample pmu=ib"));
	assert_false(event->pmu_event.by_ratio);
	/* Counters that it takes turns on. */
	assert_false(event->pmu_event.is_shared);
	assert_true(decode_config(fixture, "event=0 name=a mode=count shared=1"));
	assert_true(event->pmu_event.is_shared);
	assert_true(decode_config(fixture, "event=0 name=a mode=count shared=0"));
	assert_false(event->pmu_event.is_shared);
	/* Of misses of the last level alone, each of its PMUs has a bit of its own; other PMUs have none. */
	assert_filtered(fixture, "config=0x90000 config1=0x0 pmu=ibs_op", true);
	assert_filtered(fixture, "config=0x80000 config1=0x10000 pmu=ibs_op", false);
	assert_filtered(fixture, "config=0x800000000000000 pmu=ibs_op", false);
	assert_filtered(fixture, "config=0x800000000000000 pmu=ibs_fetch", true);
	assert_filtered(fixture, "config=0x10000 pmu=ibs_fetch", false);
	assert_filtered(fixture, "config=0x10000 pmu=cpu", false);
	assert_filtered(fixture, "config=10000 pmu=ibs_op", false);
	/* That of the recording is another thing. */
	assert_true(decode_config(fixture, "abi=1 module=0.1.0 cpus=4"));
	assert_int_equal(event->kind, TRACE_CONFIG);
	assert_string_equal(string(fixture, event->config.text), "abi=1 module=0.1.0 cpus=4");
	assert_undamaged(fixture);
}

static void test_damaged_configs(void **state)
{
	static const char *const texts[] = {
		"event=16 name=a mode=sample",
		"event=-1 name=a mode=sample",
		"event= name=a mode=sample",
		"event=1 mode=sample",
		"event=1 name= mode=sample",
		"event=1 name=a",
		"event=1 name=a mode=guess",
		"event=1 name=a mode=",
		"event=1 name=a mode=sample user=2",
		"event=1 name=a mode=sample kernel=x",
		"event=1 name=a mode=sample asked=4",
		"event=1 name=a mode=sample precise=9",
		"event=1 name=a mode=sample error=4096",
		"event=1 name=a mode=sample period=18446744073709551616",
		"event=1 name=a\033[31m mode=sample",
	};
	struct fixture *fixture = *state;
	char name[128];

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_bad_config(fixture, texts[i]);
	snprintf(name, sizeof(name), "event=1 mode=count name=%064d", 0);
	assert_bad_config(fixture, name);
	name[strlen(name) - 1] = '\0';
	assert_true(decode_config(fixture, name));
}

struct print_record {
	struct common common;
	uint64_t ip;
	char text[1024];
};

static size_t print_record(struct print_record *data, const char *text)
{
	*data = (struct print_record){ .common = { .type = 5, .pid = 17 } };
	assert_true(strlen(text) < sizeof(data->text));
	memcpy(data->text, text, strlen(text));
	return offsetof(struct print_record, text) + strlen(text);
}

static void test_mapping(void **state)
{
	struct fixture *fixture = *state;
	const struct trace_event *event = &fixture->event;
	struct print_record data;
	size_t size = print_record(&data,
				   "annot|map|100|7f0000401000|2000|1000|00FFab|3000|/a b|c\n");

	assert_true(decode(fixture, &data, size));
	assert_int_equal(event->kind, TRACE_MAPPING);
	assert_int_equal(event->mapping.tgid, 100);
	assert_int_equal(event->mapping.start, 0x7f0000401000);
	assert_int_equal(event->mapping.length, 0x2000);
	assert_int_equal(event->mapping.offset_bytes, 0x1000);
	assert_string_equal(string(fixture, event->mapping.build_id), "00ffab");
	assert_int_equal(event->mapping.true_ns, 2000);
	assert_string_equal(string(fixture, event->mapping.path), "/a b|c");
	/* No build-id, now, and up to the end of all addresses. */
	size = print_record(&data, "annot|map|1|fffffffffffff000|1000|0||0|[vsyscall]");
	assert_true(decode(fixture, &data, size));
	assert_int_equal(event->mapping.build_id, TRACE_NO_STRING);
	assert_int_equal(event->mapping.true_ns, 5000);
	assert_int_equal(event->mapping.kind, TRACE_MAPPING_OF_FILE);
	size = print_record(&data, "annot|map|1|1000|1000|0||0|//anon");
	assert_true(decode(fixture, &data, size));
	assert_int_equal(event->mapping.kind, TRACE_MAPPING_OF_MEMORY);
	size = print_record(&data, "annot|map|1|1000|1000|0||0|[jit] add(int)");
	assert_true(decode(fixture, &data, size));
	assert_int_equal(event->mapping.kind, TRACE_MAPPING_OF_FUNCTION);
	assert_undamaged(fixture);
}

static void expect_mapped_at(struct fixture *fixture, const char *age, uint64_t true_ns)
{
	struct print_record data;
	char line[128];

	snprintf(line, sizeof(line), "annot|map|1|1000|1000|0||%s|/a", age);
	assert_true(decode(fixture, &data, print_record(&data, line)));
	assert_int_equal(fixture->event.mapping.true_ns, true_ns);
	assert_undamaged(fixture);
}

/* The line is stamped with 5000. Its writer may have been kept from running before that. */
static void test_late_mapping(void **state)
{
	struct fixture *fixture = *state;

	decoder_set_clock(fixture->decoder, "mono");
	expect_mapped_at(fixture, "300", 4700);
	expect_mapped_at(fixture, "300@4000", 3700);
	expect_mapped_at(fixture, "300@5000", 4700);
	/* No moment before the line is written. */
	expect_mapped_at(fixture, "300@5001", 4700);
	decoder_set_clock(fixture->decoder, "boot");
	expect_mapped_at(fixture, "300@4000", 4700);
}

/* Of ten seconds at most: a moment further back is of another clock, as in a recording whose times were shifted. */
static void test_mapping_of_another_clock(void **state)
{
	static const char line[] = "annot|map|1|1000|1000|0||300@1000|/a";
	const struct scan_text text = { line, line + strlen(line) };
	struct mapping_line_time written = { .time_ns = 1000 + 10000000000u, .is_mono = true };
	struct fixture *fixture = *state;

	assert_true(mapping_line_parse(text, written, fixture->strings, &fixture->event));
	assert_int_equal(fixture->event.mapping.true_ns, 700);
	written.time_ns++;
	assert_true(mapping_line_parse(text, written, fixture->strings, &fixture->event));
	assert_int_equal(fixture->event.mapping.true_ns, written.time_ns - 300);
}

static void test_damaged_mappings(void **state)
{
	static const char *const lines[] = {
		"annot|map|",
		"annot|map|100|1000|2000|0||0",
		"annot|map|100|1000|2000|0||0|",
		"annot|map|100|1000|2000|0||0|\n",
		"annot|map|0|1000|2000|0||0|/a",
		"annot|map|-1|1000|2000|0||0|/a",
		"annot|map|2147483648|1000|2000|0||0|/a",
		"annot|map|100||2000|0||0|/a",
		"annot|map|100|0x1000|2000|0||0|/a",
		"annot|map|100|1000|0|0||0|/a",
		"annot|map|100|1000|-1|0||0|/a",
		"annot|map|100|fffffffffffff000|1001|0||0|/a",
		"annot|map|100|1000|2|ffffffffffffffff||0|/a",
		"annot|map|100|10000000000000000|1000|0||0|/a",
		"annot|map|100|1000|2000|0|abc|0|/a",
		"annot|map|100|1000|2000|0|gg|0|/a",
		"annot|map|100|1000|2000|0||5001|/a",
		"annot|map|100|1000|2000|0||x|/a",
		"annot|map|100|1000|2000|0||5001@5000|/a",
		"annot|map|100|1000|2000|0||0@|/a",
		"annot|map|100|1000|2000|0||@5000|/a",
		"annot|map|100|1000|2000|0||0@x|/a",
		"annot|map|100|1000|2000|0||0@4000@|/a",
		"annot|map|100|1000|2000|0||0|/a\033[31m",
		"annot|map|100|1000|2000|0||0|/a\nb",
	};
	struct fixture *fixture = *state;
	struct print_record data;
	char line[256];

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		size_t size = print_record(&data, lines[i]);

		assert_damaged(fixture, TRACE_DAMAGED_MAPPING, &data, size);
	}
	snprintf(line, sizeof(line), "annot|map|100|1000|2000|0|%0130d|0|/a", 0);
	assert_damaged(fixture, TRACE_DAMAGED_MAPPING, &data, print_record(&data, line));
	/* What does not begin so is somebody else's. */
	assert_true(decode(fixture, &data, print_record(&data, "annot|mop|100")));
	assert_int_equal(fixture->event.kind, TRACE_KERNEL_MARK);
}

static void test_place(void **state)
{
	struct fixture *fixture = *state;
	struct print_record data;
	size_t size = print_record(&data, "annot|cpu|1|0|0|0|1d:32768:64:8:64:0,2u:1:64:1:1:0\n");

	assert_true(decode(fixture, &data, size));
	assert_int_equal(fixture->event.kind, TRACE_CPU_TOPOLOGY);
	assert_int_equal(fixture->event.cpu_topology.number, 1);
	assert_int_equal(fixture->event.cpu_topology.nr_caches, 2);
	assert_int_equal(fixture->event.cpu_topology.caches[1].level, 2);
	assert_undamaged(fixture);
	assert_damaged(fixture, TRACE_DAMAGED_CPU_TOPOLOGY, &data, size - 6);
}

static void test_uncore(void **state)
{
	struct fixture *fixture = *state;
	struct print_record data;
	const struct trace_event *event = &fixture->event;

	assert_true(decode(fixture, &data,
			   print_record(&data, "annot|uncore|event|3|18|6.103515625e-05|MiB|"
					       "uncore_imc_0/cas_count_read/\n")));
	assert_int_equal(event->kind, TRACE_UNCORE_EVENT);
	assert_int_equal(event->uncore_event.counter, 3);
	assert_int_equal(event->uncore_event.cpu, 18);
	assert_true(event->uncore_event.scale == 6.103515625e-05);
	assert_string_equal(string(fixture, event->uncore_event.unit), "MiB");
	assert_string_equal(string(fixture, event->uncore_event.name),
			    "uncore_imc_0/cas_count_read/");
	assert_true(decode(fixture, &data, print_record(&data, "annot|uncore|event|0|0|1||a/b/")));
	assert_int_equal(event->uncore_event.unit, TRACE_NO_STRING);
	assert_true(decode(fixture, &data,
			   print_record(&data, "annot|uncore|counts|2|7,100,50|"
					       "18446744073709551615,100,100\n")));
	assert_int_equal(event->kind, TRACE_UNCORE_COUNTS);
	assert_int_equal(event->uncore.first, 2);
	assert_int_equal(event->uncore.nr, 2);
	assert_int_equal(event->uncore.counts[0].count, 7);
	assert_int_equal(event->uncore.counts[0].running_ns, 50);
	assert_true(event->uncore.counts[1].count == UINT64_MAX);
	assert_undamaged(fixture);
}

static void test_damaged_uncore(void **state)
{
	static const char *const lines[] = {
		"annot|uncore|",
		"annot|uncore|events|0|0|1||a",
		"annot|uncore|event|0|0|1||",
		"annot|uncore|event|-1|0|1||a",
		"annot|uncore|event|4294967296|0|1||a",
		"annot|uncore|event|0|8192|1||a",
		"annot|uncore|event|0|0|||a",
		"annot|uncore|event|0|0|0||a",
		"annot|uncore|event|0|0|-1||a",
		"annot|uncore|event|0|0|nan||a",
		"annot|uncore|event|0|0|1e999||a",
		"annot|uncore|event|0|0|1x||a",
		"annot|uncore|event|0|0|1||a\033[31m",
		"annot|uncore|counts|0|",
		"annot|uncore|counts|x|1,2,2",
		"annot|uncore|counts|0|1,2",
		"annot|uncore|counts|0|1,2,3",
		"annot|uncore|counts|0|1,2,2,2",
		"annot|uncore|counts|0|1,2,2|-1,2,2",
	};
	struct fixture *fixture = *state;
	struct print_record data;
	char line[256], many[8 * (UNCORE_COUNTS_MAX + 2)] = "annot|uncore|counts|0";
	size_t bytes = strlen(many);

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		size_t size = print_record(&data, lines[i]);

		assert_damaged(fixture, TRACE_DAMAGED_UNCORE, &data, size);
	}
	snprintf(line, sizeof(line), "annot|uncore|event|0|0|1%080d||a", 0);
	assert_damaged(fixture, TRACE_DAMAGED_UNCORE, &data, print_record(&data, line));
	for (size_t i = 0; i <= UNCORE_COUNTS_MAX; i++)
		bytes += (size_t)snprintf(many + bytes, sizeof(many) - bytes, "|1,2,2");
	assert_damaged(fixture, TRACE_DAMAGED_UNCORE, &data, print_record(&data, many));
}

/* The record is of time 1000 (its fixture): rows tell of what was before. */
static void test_group(void **state)
{
	struct fixture *fixture = *state;
	struct print_record data;
	const struct trace_event *event = &fixture->event;
	struct trace_group_row row;
	struct scan_text rows;

	decoder_set_clock(fixture->decoder, "mono");
	assert_true(
		decode(fixture, &data,
		       print_record(&data, "annot|group|event|2|event=0 name=cycles:u mode=count "
					   "type=0x0 config=0x0 user=1 kernel=0 shared=1\n")));
	assert_int_equal(event->kind, TRACE_PMU_EVENT);
	assert_int_equal(event->pmu_event.group, 3);
	assert_true(event->pmu_event.is_shared);
	assert_string_equal(string(fixture, event->pmu_event.name), "cycles:u");
	assert_true(decode(fixture, &data,
			   print_record(&data,
					"annot|group|counts|2|5|100|40,17,6,18446744073709551615|"
					"10,0,0,1|t7,17|3,,5\n")));
	assert_int_equal(event->kind, TRACE_GROUP_COUNTS);
	assert_int_equal(event->group.group, 2);
	assert_int_equal(event->group.cpu, 5);
	assert_int_equal(event->group.start_ns, 100);
	rows = event->group.rows;
	assert_true(group_line_next(&rows, &row));
	assert_int_equal(row.length_ns, 40);
	assert_int_equal(row.tid, 17);
	assert_false(row.is_tick);
	assert_int_equal(row.nr, 2);
	assert_int_equal(row.counts[0], 6);
	assert_true(row.counts[1] == UINT64_MAX);
	assert_true(group_line_next(&rows, &row));
	assert_int_equal(row.tid, 0);
	assert_true(group_line_next(&rows, &row));
	assert_int_equal(row.length_ns, 7);
	assert_true(row.is_tick);
	assert_int_equal(row.nr, 0);
	assert_true(group_line_next(&rows, &row));
	assert_int_equal(row.tid, -1);
	assert_int_equal(row.counts[0], 5);
	assert_false(group_line_next(&rows, &row));
	assert_true(decode(fixture, &data, print_record(&data, "annot|group|gap|0|8191|7|900\n")));
	assert_int_equal(event->kind, TRACE_GROUP_GAP);
	assert_int_equal(event->group.end_ns, 900);
	assert_undamaged(fixture);
}

static void test_damaged_group(void **state)
{
	static const char *const lines[] = {
		"annot|group|",
		"annot|group|events|0|event=0 name=a mode=count user=1 kernel=1",
		"annot|group|event|32|event=0 name=a mode=count user=1 kernel=1",
		"annot|group|event|0|event=0 name=a mode=sample period=1 user=1 kernel=1",
		"annot|group|event|0|name=a mode=count user=1 kernel=1",
		"annot|group|event|0|event=0 name=\033[31m mode=count user=1 kernel=1",
		"annot|group|counts|0|0|0|",
		"annot|group|counts|32|0|0|1,1,1",
		"annot|group|counts|0|8192|0|1,1,1",
		"annot|group|counts|0|0|-1|1,1,1",
		"annot|group|counts|0|0|0|1,1,1||1,1,1",
		"annot|group|counts|0|0|0|1,-1,1",
		"annot|group|counts|0|0|0|1,2147483648,1",
		"annot|group|counts|0|0|0|1,1,x",
		"annot|group|counts|0|0|0|1,1,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16",
		/* Later than they were told. */
		"annot|group|counts|0|0|9223372036854775807|1,1,1",
		"annot|group|counts|0|0|0|1,1,1|18446744073709551615,1,1",
		"annot|group|gap|0|0|5|4",
		"annot|group|gap|0|0|0|9223372036854775807",
		"annot|group|gap|0|0|1",
		"annot|group|gap|0|0|1|2|3",
	};
	struct fixture *fixture = *state;
	struct print_record data;

	decoder_set_clock(fixture->decoder, "mono");
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		size_t size = print_record(&data, lines[i]);

		assert_damaged(fixture, TRACE_DAMAGED_SLICE_COUNTS, &data, size);
	}
	/* Another clock says nothing of when that was. */
	decoder_set_clock(fixture->decoder, "local");
	assert_damaged(fixture, TRACE_DAMAGED_SLICE_COUNTS, &data,
		       print_record(&data, "annot|group|gap|0|0|1|2"));
}

/* Whether the machine is virtual. */
static void test_machine(void **state)
{
	struct fixture *fixture = *state;
	struct print_record data;
	char line[128 + MACHINE_MAX_NAME_BYTES];

	assert_true(decode(fixture, &data, print_record(&data, "annot|machine|virtual|kvm\n")));
	assert_int_equal(fixture->event.kind, TRACE_MACHINE);
	assert_string_equal(string(fixture, fixture->event.machine.hypervisor), "kvm");
	assert_true(decode(fixture, &data, print_record(&data, "annot|machine|virtual|")));
	assert_int_equal(fixture->event.kind, TRACE_MACHINE);
	assert_int_equal(fixture->event.machine.hypervisor, TRACE_NO_STRING);
	snprintf(line, sizeof(line), "annot|machine|virtual|%0*d", MACHINE_MAX_NAME_BYTES + 1, 0);
	assert_true(decode(fixture, &data, print_record(&data, line)));
	assert_int_equal(strlen(string(fixture, fixture->event.machine.hypervisor)),
			 MACHINE_MAX_NAME_BYTES);
	assert_undamaged(fixture);
	/* What does not begin so is somebody else's. */
	assert_true(decode(fixture, &data, print_record(&data, "annot|machine|big")));
	assert_int_equal(fixture->event.kind, TRACE_KERNEL_MARK);
}

/* A switch that ends early is damage of another kind. */
static void test_other_damage(void **state)
{
	struct fixture *fixture = *state;
	struct print_record data;

	print_record(&data, "");
	assert_damaged(fixture, TRACE_DAMAGED_OTHER, &data, 12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_sample, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_absent_is_zero, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_sample_of_other_byte_order, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_damaged_samples, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_too_many_registers, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_slice_counts, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_slice_counts_of_version_0_1, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(test_pmu_state, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_config, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_threshold, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_damaged_configs, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_mapping, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_late_mapping, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_mapping_of_another_clock, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_damaged_mappings, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_place, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_uncore, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_damaged_uncore, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_group, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_damaged_group, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_machine, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_other_damage, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
