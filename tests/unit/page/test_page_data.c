// SPDX-License-Identifier: GPL-2.0
/*
 * The data of a page: what a hand-made model becomes, byte for byte, as viewer/page/data.h says.
 */
/* LINK: tests/unit/page/page_reader.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "model/table_rows.h"
#include "page/data.h"
#include "page/page.h"
#include "page/tables.h"
#include "page_reader.h"

#define STRING(text) #text
#define STRING_OF(macro) STRING(macro)
#define FORMAT STRING_OF(PAGE_FORMAT_VERSION)

/* Stands in for the reader of traces. */
struct trace {
	struct trace_info info;
};

static const char *const strings[] = { "", "worker", "loop</script>", "bad \xff byte" };
static struct trace trace = {
	{ .path = "made.dat", .clock = "mono", .nr_cpus = 2, .nr_events = 9 }
};

const struct trace_info *trace_info(const struct trace *t)
{
	return &t->info;
}

const char *trace_string(const struct trace *t, uint32_t id)
{
	(void)t;
	return strings[id];
}

uint64_t trace_nr_textless(const struct trace *trace)
{
	(void)trace;
	return 7;
}

uint32_t trace_nr_strings(const struct trace *t)
{
	(void)t;
	return sizeof(strings) / sizeof(strings[0]);
}

static uint64_t slice_start[] = { 100, 250 }, slice_end[] = { 200, 1000 };
static uint32_t slice_thread[] = { 0, 0 };
static uint8_t slice_end_state[] = { STATE_PREEMPTED, STATE_RUNNING };
static uint8_t slice_priority[] = { TRACE_PRIORITY_UNKNOWN, 120 + TRACE_PRIORITY_OFFSET };
static uint64_t gap_start[] = { 300 }, gap_end[] = { 400 }, gap_events[] = { 7 };
static uint8_t gap_kind[] = { GAP_MISSING };
static uint64_t state_start[] = { 100, 200, 250, 1000 };
static uint8_t state_state[] = { STATE_RUNNING, STATE_PREEMPTED, STATE_RUNNING };
static int16_t state_cpu[] = { 0, -1, 0 };
static uint64_t span_start[] = { 110, 120 }, span_end[] = { 900, 130 };
static uint32_t span_name[] = { 2, 3 };
static uint8_t span_kind[] = { 0, 1 }, span_depth[] = { 0, 1 }, span_flags[] = { 1, 2 };
static int64_t span_value[] = { INT64_MIN, 0 };
static uint64_t span_drained[] = { 110, 320 };
static uint64_t mark_time[] = { 500, 600 };
static uint32_t mark_name[] = { 2, 3 };
static uint8_t mark_is_counter[] = { 0, 1 }, mark_has_value[] = { 0, 1 };
static int64_t mark_value[] = { 0, -5 };
static uint64_t mark_drained[] = { 500, 600 };
static uint64_t move_time[] = { 250 }, move_left[] = { 200 };
static uint32_t move_thread[] = { 0 };
static int16_t move_from[] = { 1 }, move_to[] = { 0 };
static uint64_t wake_time[] = { 240, 245, 260 };
static uint32_t wake_waker[] = { MODEL_NO_THREAD, 0, 0 }, wake_wakee[] = { 0, 0, 0 };
static int16_t wake_cpu[] = { 0, 1, 0 };

static struct thread threads[] = { {
	.tid = 42,
	.tgid = 41,
	.comm = 1,
	.parent = MODEL_NO_THREAD,
	.in_session = true,
	.states = { 3, state_start, state_state, state_cpu, NULL, NULL },
	.spans = { 2, span_start, span_end, span_name, span_kind, span_depth, span_flags,
		   span_value, span_drained },
	.marks = { 2, mark_time, mark_name, mark_is_counter, mark_has_value, mark_value,
		   mark_drained },
	.nr_unmatched_ends = 3,
	.totals = { { 100, 850, 50 }, 1, 1, 1 },
} };

static struct cpu cpus[] = {
	{ .seen = true,
	  .slices = { 2, slice_start, slice_end, slice_thread, slice_end_state, slice_priority } },
	{ .seen = false },
};

static struct pmu_event pmu_events[] = {
	{ .name = 1, .user = true, .precise_asked = 3, .precise = 2, .period = 1000, .nr_lost = 4 },
	{ .name = 2, .is_counted = true, .kernel = true, .error = 2, .counter = 1 },
};
static uint64_t sample_time[] = { 700, 710 }, sample_period[] = { 1000, 1000 };
static uint64_t sample_ip[] = { UINT64_MAX, 5 }, sample_addr[] = { 0, 6 };
static uint64_t sample_weight[] = { 0, 230 };
static uint32_t sample_thread[] = { MODEL_NO_THREAD, 0 }, sample_stack[] = { 0, 0 };
static int16_t sample_cpu[] = { 1, 0 };
static uint8_t sample_event[] = { 0, 0 }, sample_has[] = { 0x10, 0x3 };
static uint64_t count_start[] = { 100, 80 }, count_end[] = { 200, 300 };
static uint32_t count_thread[] = { 0, MODEL_NO_THREAD }, count_invalid[] = { 0, 2 };
static int16_t count_cpu[] = { 0, 1 };
static uint64_t counts[] = { 11, 12, 21, 22 };
static uint64_t pmu_gap_start[] = { 30 }, pmu_gap_end[] = { 40 };
static int16_t pmu_gap_cpu[] = { 1 };
static uint8_t pmu_gap_event[] = { 1 }, pmu_gap_state[] = { 4 };

static const struct model model = {
	.trace = &trace,
	.nr_pmu_events = 2,
	.pmu_events = pmu_events,
	.samples = { .nr = 2,
		     .time_ns = sample_time,
		     .thread = sample_thread,
		     .cpu = sample_cpu,
		     .event = sample_event,
		     .has = sample_has,
		     .period = sample_period,
		     .ip = sample_ip,
		     .addr = sample_addr,
		     .weight = sample_weight,
		     .stack = sample_stack },
	.slice_counts = { .nr = 2,
			  .nr_counters = 2,
			  .start_ns = count_start,
			  .end_ns = count_end,
			  .thread = count_thread,
			  .cpu = count_cpu,
			  .invalid = count_invalid,
			  .counts = counts },
	.start_ns = 18446744073709551615u,
	.duration_ns = 1000,
	.nr_threads = 1,
	.threads = threads,
	.nr_cpus = 2,
	.cpus = cpus,
	.migrations = { 1, move_time, move_left, move_thread, move_from, move_to },
	.wakeups = { 3, wake_time, wake_waker, wake_wakee, wake_cpu },
};

/* What crosses cuts, or is never in a window. */
static uint64_t loose_start[] = { 100, 7000 }, loose_end[] = { 5000, 8000 };
static uint8_t loose_state[] = { STATE_SLEEPING, STATE_RUNNING };
static int16_t loose_cpu[] = { -1, 1 };
static struct thread rest_threads[1];
static struct cpu rest_cpus[] = {
	{ .seen = true, .gaps = { 1, gap_start, gap_end, gap_events, gap_kind } },
	{ .seen = false },
};

/* The page of two windows, of @window each, and a rest. */
/* What @data comes to, which is freed; NULL: it is too large. */
static char *written(struct page_data *data, const struct model *rest, const char *title)
{
	char *page;
	size_t nr_bytes;
	FILE *out = open_memstream(&page, &nr_bytes);
	int status = page_data_write_head(data, rest, title, out);

	if (!status)
		page_data_write_windows(data, out);
	fclose(out);
	page_data_free(data);
	if (!status)
		return page;
	free(page);
	return NULL;
}

/* Limited to so many bytes, if they are not 0. */
static char *data_within(const struct model *window, const struct model *rest, int nr_windows,
			 uint64_t most_bytes)
{
	struct page_data *data = page_data_new(0, 0);

	for (uint64_t i = 0; i < (uint64_t)nr_windows; i++)
		page_data_take(data, window, i * 500, (i + 1) * 500);
	page_data_limit(data, most_bytes);
	return written(data, rest, "a \"title\" <b>");
}

static char *data_of(const struct model *window, const struct model *rest, int nr_windows)
{
	return data_within(window, rest, nr_windows, 0);
}

static struct model make_rest(void)
{
	struct model rest = {
		.trace = &trace,
		.nr_pmu_events = 2,
		.pmu_events = pmu_events,
		.pmu_gaps = { 1, pmu_gap_start, pmu_gap_end, pmu_gap_cpu, pmu_gap_event,
			      pmu_gap_state },
		.start_ns = 18446744073709551615u,
		.duration_ns = 1000,
		.nr_threads = 1,
		.threads = rest_threads,
		.nr_cpus = 2,
		.cpus = rest_cpus,
	};

	rest_threads[0] = threads[0];
	rest_threads[0].states = (struct state_table){ .nr = 2,
						       .start_ns = loose_start,
						       .end_ns = loose_end,
						       .state = loose_state,
						       .cpu = loose_cpu };
	rest_threads[0].spans = (struct span_table){ 0 };
	rest_threads[0].marks = (struct mark_table){ 0 };
	return rest;
}

static void test_head(void **state)
{
	static const char wanted[] =
		"<script type=\"application/json\" id=\"annot-head\">"
		"{\"format\":" FORMAT ",\"version\":\"" ANNOT_VERSION "\","
		"\"title\":\"a \\\"title\\\" \\u003cb>\","
		"\"trace\":{\"file\":\"made.dat\",\"clock\":\"mono\","
		"\"start_ns\":\"18446744073709551615\",\"duration_ns\":1000,\"cpus\":2,"
		"\"events\":9,\"lost_events\":0,\"lost_gaps\":0,\"missing_switches\":7,\"lost_annotations\":0,"
		"\"altered_annotations\":0,\"truncated\":false,\"config\":\"\"},"
		"\"strings\":[\"\",\"worker\",\"loop\\u003c/script>\",\"bad \xef\xbf\xbd byte\"],"
		"\"threads\":{\"tid\":[42],\"tgid\":[41],\"comm\":[1],\"parent\":[-1],"
		"\"session\":[1],\"unmatched\":[3],\"depth\":[2],\"spans\":[4],\"marks\":[2],\"main_cpu\":[0],"
		"\"switches\":[1],\"preemptions\":[1],\"migrations\":[1],\"stolen\":[0],"
		"\"ns\":[100,850,50,0,0,0,0,0]},\"cpus\":[1,0],"
		"\"pmu\":[{\"name\":\"worker\",\"counted\":false,\"clock\":false,\"ratio\":false,\"shared\":false,\"user\":true,"
		"\"kernel\":false,\"asked\":3,\"precise\":2,\"period\":1000,\"error\":0,"
		"\"lost\":4,\"counter\":0,\"merged\":false},{\"name\":\"loop\\u003c/script>\",\"counted\":true,\"clock\":false,"
		"\"ratio\":false,\"shared\":false,"
		"\"user\":false,\"kernel\":true,\"asked\":0,\"precise\":0,\"period\":0,"
		"\"error\":2,\"lost\":0,\"counter\":1,\"merged\":false}],"
		"\"windows\":{\"start\":[0,500],\"rows\":[17,17],\"left_out\":[]},"
		"\"overview\":{\"buckets\":1001,\"bucket_ns\":8},\"fine_overview\":null,"
		"\"counts\":{\"slices\":4,\"gaps\":1,\"states\":8,\"spans\":4,\"marks\":2,"
		"\"migrations\":2,\"wakeups\":6,\"samples\":4,\"slice_counts\":4,\"interrupts\":0},"
		"\"span_names\":[[2,0,2],[3,1,2]],\"mark_names\":[[2,2],[3,2]],\"series\":[[0,3,2,-5,0]]}</script>\n";
	struct model rest = make_rest();
	char *page = data_of(&model, &rest, 2);

	(void)state;
	page[strlen(wanted)] = '\0';
	assert_string_equal(page, wanted);
	free(page);
}

/* Kind, owner, number of rows. */
static void expect_table(const uint8_t **at, int kind, uint64_t owner, uint64_t nr)
{
	assert_int_equal(*(*at)++, kind);
	assert_int_equal(page_reader_varint(at), owner);
	assert_int_equal(page_reader_varint(at), nr);
}

#define ZIGZAGS(at, ...)                                    \
	expect_column(at, true, (int64_t[]){ __VA_ARGS__ }, \
		      sizeof((int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t))
#define VARINTS(at, ...)                                     \
	expect_column(at, false, (int64_t[]){ __VA_ARGS__ }, \
		      sizeof((int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t))

static void expect_column(const uint8_t **at, bool zigzag, const int64_t *values, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		int64_t got = zigzag ? page_reader_zigzag(at) : (int64_t)page_reader_varint(at);

		assert_int_equal(got, values[i]);
	}
}

static void test_tables(void **state)
{
	struct model rest = make_rest();
	char *page = data_of(&model, &rest, 2);
	struct page_bytes block = page_reader_block(page, "annot-block-1");
	const uint8_t *at = block.bytes;

	(void)state;
	expect_table(&at, 1, 0, 2); /* slices */
	ZIGZAGS(&at, 100, 50);
	assert_memory_equal(at, ((uint8_t[]){ 100, 750 % 256 }), 2);
	at += 2;
	VARINTS(&at, 0, 750 / 256, 0, 0, STATE_PREEMPTED, STATE_RUNNING);
	assert_memory_equal(at, ((uint8_t[]){ TRACE_PRIORITY_UNKNOWN, 122 }), 2);
	at += 2;
	expect_table(&at, 7, 0, 2); /* wakeups: behind the first slice, in the second */
	VARINTS(&at, 2, 1, 40, 10, 0, 0, 0, 0, 1, 1);
	expect_table(&at, 7, 1, 1); /* where nothing ran; whom the thread woke before */
	VARINTS(&at, 0);
	assert_int_equal(*at++, 245);
	VARINTS(&at, 0, 2, 0);
	expect_table(&at, 3, 0, 1); /* states: the one that is not implied, for its CPU */
	ZIGZAGS(&at, 200);
	VARINTS(&at, STATE_PREEMPTED);
	ZIGZAGS(&at, -1);
	expect_table(&at, 13, 0, 2); /* state edits */
	VARINTS(&at, 0, 1, 0, 1, 1, 1);
	expect_table(&at, 4, 0, 2); /* spans */
	ZIGZAGS(&at, 110, 10);
	VARINTS(&at, 790, 10, 2, 3, 0, 1, 0, 1, 1, 2);
	ZIGZAGS(&at, INT64_MIN, 0);
	expect_table(&at, 5, 0, 2); /* marks */
	ZIGZAGS(&at, 500, 100);
	VARINTS(&at, 2, 3, 0, 3);
	ZIGZAGS(&at, 0, -5);
	expect_table(&at, 8, 0, 2); /* span drains; all marks came at once */
	VARINTS(&at, 0, 200);
	expect_table(&at, 10, 0, 2); /* samples */
	ZIGZAGS(&at, 700, 10);
	VARINTS(&at, 0, 1);
	ZIGZAGS(&at, 1, 0);
	assert_memory_equal(at, ((uint8_t[]){ 0, 0, 0x10, 0x3 }), 4);
	at += 4;
	VARINTS(&at, 1000, 1000, -1, 5, 0, 6, 0, 230, 0, 0);
	expect_table(&at, 11, 2, 2); /* slice counts, of two counters */
	ZIGZAGS(&at, 100, -20);
	VARINTS(&at, 100, 220, 1, 0);
	ZIGZAGS(&at, 0, 1);
	VARINTS(&at, 0, 2, 11, 21, 12, 22);
	expect_table(&at, 6, 0, 1); /* migrations */
	ZIGZAGS(&at, 250);
	VARINTS(&at, 50, 0);
	ZIGZAGS(&at, 1, 0);
	assert_ptr_equal(at, block.bytes + block.nr);
	assert_int_equal(page_reader_nr_blocks(page), 4);
	free(block.bytes);
	free(page);
}

/* Enough threads for some to take two bytes, among others that take one. */
static void test_many_threads(void **state)
{
	enum {
		NR = 100
	};
	uint64_t start_ns[NR], end_ns[NR];
	uint32_t thread[NR];
	uint8_t end_state[NR] = { 0 }, priority[NR] = { 0 };
	struct thread window_threads[2 * NR] = { 0 };
	struct cpu cpu = { .slices = { NR, start_ns, end_ns, thread, end_state, priority } };
	struct model window = {
		.nr_threads = 2 * NR, .threads = window_threads, .nr_cpus = 1, .cpus = &cpu
	};
	struct block block = { 0 };
	const uint8_t *at;

	(void)state;
	for (uint32_t i = 0; i < NR; i++) {
		start_ns[i] = i * 10;
		end_ns[i] = start_ns[i] + 5;
		thread[i] = 2 * i;
	}
	tables_put_window(&block, &window);
	at = block.bytes;
	expect_table(&at, 1, 0, NR);
	at += 3 * NR; /* starts, lengths: a byte each */
	for (uint32_t i = 0; i < NR; i++)
		assert_int_equal(page_reader_varint(&at), 2 * i);
	block_free(&block);
}

static void test_rest(void **state)
{
	struct model rest = make_rest();
	char *page = data_of(&model, &rest, 1);
	struct page_bytes block = page_reader_block(page, "annot-rest");
	const uint8_t *at = block.bytes;

	(void)state;
	expect_table(&at, 2, 0, 1); /* gaps */
	ZIGZAGS(&at, 300);
	VARINTS(&at, 100, 7, GAP_MISSING);
	expect_table(&at, 14, 0, 2); /* loose states */
	ZIGZAGS(&at, 100, 6900);
	VARINTS(&at, 4900, 1000, STATE_SLEEPING, STATE_RUNNING);
	ZIGZAGS(&at, -1, 1);
	expect_table(&at, 12, 0, 1); /* pmu gaps */
	ZIGZAGS(&at, 30);
	VARINTS(&at, 10);
	ZIGZAGS(&at, 1);
	VARINTS(&at, 1, 4);
	assert_ptr_equal(at, block.bytes + block.nr);
	assert_int_equal(page_reader_nr_blocks(page), 2);
	free(block.bytes);
	free(page);
}

/* The data of two windows, without anything but messages. */
static char *data_with_messages(const struct message_table *messages)
{
	struct model window = { .trace = &trace }, rest = { .trace = &trace };
	struct page_data *data = page_data_new(0, 0);
	char *page;
	size_t page_bytes;
	FILE *out = open_memstream(&page, &page_bytes);

	if (messages)
		page_data_set_messages(data, messages);
	page_data_take(data, &window, 0, 500);
	page_data_take(data, &window, 500, 1000);
	assert_int_equal(page_data_write_head(data, &rest, "", out), 0);
	page_data_write_windows(data, out);
	fclose(out);
	page_data_free(data);
	return page;
}

static void expect_message(const char *page, const char *id, uint64_t start_ns, uint64_t length_ns,
			   uint32_t i)
{
	struct page_bytes block = page_reader_block(page, id);
	const uint8_t *at = block.bytes;

	expect_table(&at, 15, 0, 1);
	ZIGZAGS(&at, (int64_t)start_ns);
	VARINTS(&at, (int64_t)length_ns, 2, 3 + i, 0, 1, 300 + i, 7000000000, 40, 5,
		MESSAGE_CONTRADICTORY);
	assert_ptr_equal(at, block.bytes + block.nr);
	free(block.bytes);
}

/* One in each window, sent and received at its edges, and one that crosses the cut. */
static void test_messages(void **state)
{
	static const uint64_t times_ns[][2] = { { 0, 500 }, { 100, 501 }, { 500, 1000 } };
	struct message_table messages = { 0 }, none = { 0 };
	char *page, *without, *with_none;

	(void)state;
	for (uint32_t i = 0; i < 3; i++)
		message_table_add(&messages,
				  &(struct message_row){ .start_ns = times_ns[i][0],
							 .end_ns = times_ns[i][1],
							 .sender = 2,
							 .receiver = 3 + i,
							 .receiver_rank = 1,
							 .tag = 300 + i,
							 .bytes = 7000000000,
							 .call_ns = 40,
							 .late_ns = 5,
							 .flags = MESSAGE_CONTRADICTORY });
	page = data_with_messages(&messages);
	expect_message(page, "annot-block-0", 0, 500, 0);
	expect_message(page, "annot-rest", 100, 401, 1);
	expect_message(page, "annot-block-1", 500, 500, 2);
	assert_non_null(strstr(page, "\"rows\":[1,1]"));
	/* A page without messages has not a byte of them. */
	without = data_with_messages(NULL);
	with_none = data_with_messages(&none);
	assert_string_equal(with_none, without);
	assert_null(strstr(without, "annot-rest"));
	free(page);
	free(without);
	free(with_none);
	message_table_free(&messages);
}

/* What was sent at the end of the trace is in no window. */
static void test_late_message(void **state)
{
	struct message_table messages = { 0 };
	char *page;

	(void)state;
	message_table_add(&messages, &(struct message_row){ .start_ns = 1000,
							    .end_ns = 1000,
							    .sender = 2,
							    .receiver = 3,
							    .receiver_rank = 1,
							    .tag = 300,
							    .bytes = 7000000000,
							    .call_ns = 40,
							    .late_ns = 5,
							    .flags = MESSAGE_CONTRADICTORY });
	page = data_with_messages(&messages);
	expect_message(page, "annot-rest", 1000, 0, 0);
	free(page);
	message_table_free(&messages);
}

/* Of both windows and the rest; test_page_overview has what is in it. */
static void test_overview(void **state)
{
	struct model rest = make_rest();
	char *page = data_of(&model, &rest, 2);
	struct page_bytes block = page_reader_block(page, "annot-overview");
	const uint8_t *at = block.bytes;

	(void)state;
	expect_table(&at, 20, 0, 1001); /* CPUs: of each bucket the thread, then the shares */
	for (int i = 0; i < 1001; i++)
		VARINTS(&at, (i >= 12 && i < 25) || (i >= 31 && i < 125));
	for (int i = 0; i < 12; i++)
		assert_int_equal(*at++, 0);
	assert_int_equal(*at++, 255); /* both windows have it */
	at += 1001 - 13;
	assert_int_equal(*at, 21);
	free(block.bytes);
	free(page);
}

/*
 * The data when so many threads are busy in 4095 buckets of 8 ns, in two windows; NULL: they cannot be so
 * few bytes.
 */
static char *busy_data(size_t nr_threads, uint64_t most_bytes)
{
	enum {
		ROWS = 4095 * 4,
		MAX_THREADS = 100
	};
	static uint64_t start_ns[MAX_THREADS][ROWS + 1];
	static uint8_t states[MAX_THREADS][ROWS];
	static int16_t any_cpu[ROWS];
	struct thread busy[MAX_THREADS] = { 0 }, rest_of_busy[MAX_THREADS] = { 0 };
	struct model window = { .trace = &trace, .nr_threads = nr_threads, .threads = busy };
	struct model rest = { .trace = &trace, .nr_threads = nr_threads, .threads = rest_of_busy };

	srand(1);
	for (size_t i = 0; i < nr_threads; i++) {
		for (size_t j = 0; j < ROWS; j++) {
			start_ns[i][j] = j * 2 + (uint64_t)rand() % 2;
			states[i][j] = (uint8_t)(rand() % NR_THREAD_STATES);
		}
		start_ns[i][ROWS] = 4095 * 8;
		busy[i].states = (struct state_table){
			.nr = ROWS, .start_ns = start_ns[i], .state = states[i], .cpu = any_cpu
		};
	}
	return data_within(&window, &rest, 2, most_bytes);
}

static uint64_t bucket_ns_of(const char *page, const char *overview)
{
	const char *found = strstr(page, overview);

	assert_non_null(found);
	found = strstr(found, "\"bucket_ns\":");
	assert_non_null(found);
	return strtoull(found + strlen("\"bucket_ns\":"), NULL, 10);
}

/* There is no place in a page of few events for the overview of many threads in all detail. */
static void test_large_overview(void **state)
{
	char *few = busy_data(5, 0), *more = busy_data(20, 0), *many = busy_data(100, 0);

	(void)state;
	assert_int_equal(bucket_ns_of(few, "\"overview\":"), 8);
	assert_non_null(strstr(few, "\"fine_overview\":null"));
	assert_int_equal(bucket_ns_of(more, "\"fine_overview\":"), 8);
	assert_int_equal(bucket_ns_of(many, "\"fine_overview\":"), 16);
	free(few);
	free(more);
	free(many);
}

/* The element of a block, and what is before it. */
static uint64_t bytes_up_to(const char *page, const char *id)
{
	const char *element = strstr(page, id);

	assert_non_null(element);
	return (uint64_t)(strstr(element, "</script>\n") - page) + strlen("</script>\n");
}

/* The fine overview stands behind what is drawn at once, before the windows; it is given up after these. */
static void test_fine_overview(void **state)
{
	const uint64_t left_out_bytes = strlen("0,1");
	char *page = busy_data(100, 0), *with, *without;
	uint64_t first = bytes_up_to(page, "\"annot-overview\"");
	uint64_t fine = bytes_up_to(page, "\"annot-overview-fine\"");

	(void)state;
	assert_true(first < fine && fine < bytes_up_to(page, "\"annot-block-0\""));
	with = busy_data(100, fine + left_out_bytes);
	assert_non_null(strstr(with, "\"annot-overview-fine\""));
	assert_null(strstr(with, "\"annot-block-"));
	without = busy_data(100, fine + left_out_bytes - 1);
	assert_null(strstr(without, "\"annot-overview-fine\""));
	assert_non_null(strstr(without, "\"fine_overview\":null"));
	assert_true(strlen(without) <= fine);
	assert_null(busy_data(100, first - 100));
	free(page);
	free(with);
	free(without);
}

static void test_no_overview(void **state)
{
	struct model rest = make_rest();
	char *page = data_of(&model, &rest, 1);

	(void)state;
	assert_non_null(strstr(page, "\"overview\":null,"));
	assert_null(strstr(page, "annot-overview"));
	free(page);
}

/* The data of four windows, of which 1 and 3 have more spans; NULL: they cannot be so few bytes. */
static char *limited_data(uint64_t most_bytes, size_t *nr_bytes)
{
	struct thread plain_threads[] = { threads[0] };
	struct model rest = make_rest(), plain = model;
	struct page_data *data = page_data_new(0, 0);
	char *page;

	plain_threads[0].spans.nr = 1;
	plain.threads = plain_threads;
	for (uint64_t i = 0; i < 4; i++)
		page_data_take(data, i % 2 ? &model : &plain, i * 250, (i + 1) * 250);
	page_data_limit(data, most_bytes);
	page = written(data, &rest, "");
	*nr_bytes = page ? strlen(page) : 0;
	return page;
}

static void expect_left_out(uint64_t most_bytes, const char *list, bool block_2)
{
	char wanted[64];
	size_t nr_bytes;
	char *page = limited_data(most_bytes, &nr_bytes);

	assert_non_null(page);
	assert_true(nr_bytes <= most_bytes);
	snprintf(wanted, sizeof(wanted), "\"left_out\":[%s]", list);
	assert_non_null(strstr(page, wanted));
	assert_int_equal(strstr(page, "annot-block-2") != NULL, block_2);
	assert_non_null(strstr(page, "annot-block-3"));
	free(page);
}

/* Those with the fewest spans are left out first, the last of them before the others. */
static void test_limit(void **state)
{
	const size_t list_bytes = strlen("0,1,2,3");
	size_t nr_bytes, one;

	(void)state;
	assert_null(limited_data(100, &nr_bytes));
	free(limited_data(0, &nr_bytes));
	expect_left_out(nr_bytes + list_bytes, "", true);
	expect_left_out(nr_bytes - 1, "2", false);
	free(limited_data(nr_bytes - 1, &one));
	expect_left_out(one + list_bytes - 2, "0,2", false);
}

static void test_nothing_at_all(void **state)
{
	static const struct model empty = { .trace = &trace };
	char *page = data_of(&empty, &empty, 0);

	(void)state;
	assert_int_equal(page_reader_nr_blocks(page), 0);
	assert_non_null(strstr(page, "\"tid\":[]"));
	free(page);
}

static void test_title_is_text(void **state)
{
	struct page_options options = { .title = "</title><script>x & y\xfe" };
	struct page_data *data = page_data_new(0, 0);
	struct model rest = make_rest();
	char *page;
	size_t page_bytes;
	FILE *out = open_memstream(&page, &page_bytes);

	(void)state;
	page_data_take(data, &model, 0, 1000);
	assert_int_equal(page_write_data(data, &rest, &options, out), 0);
	page_data_free(data);
	fclose(out);
	assert_non_null(strstr(page, "<title>&lt;/title>&lt;script>x &amp; y\xef\xbf\xbd</title>"));
	assert_null(strstr(page, "@title@"));
	assert_null(strstr(page, "@data@"));
	assert_null(strstr(page, "@windows@"));
	assert_null(strstr(page, "@csp@"));
	assert_string_equal(page + page_bytes - 8, "</html>\n");
	free(page);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_head),	      cmocka_unit_test(test_tables),
		cmocka_unit_test(test_many_threads),  cmocka_unit_test(test_nothing_at_all),
		cmocka_unit_test(test_rest),	      cmocka_unit_test(test_messages),
		cmocka_unit_test(test_late_message),  cmocka_unit_test(test_overview),
		cmocka_unit_test(test_no_overview),   cmocka_unit_test(test_large_overview),
		cmocka_unit_test(test_fine_overview), cmocka_unit_test(test_title_is_text),
		cmocka_unit_test(test_limit),
	};

	return cmocka_run_group_tests_name("page data", tests, NULL, NULL);
}
