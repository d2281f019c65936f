// SPDX-License-Identifier: GPL-2.0
/* Speaks NVTX in two threads, and writes down what it says. Exits with 7. */
#include "mini_nvtx.h"
#include "truth.h"

void torch_speaks(void); /* nvtx_torch.c */

static void *domain, *registered, *lock;
static int nr_wrong_levels;

static void level_is(int wanted, int have)
{
	/* Without a library there are no levels. */
	if (have != wanted && have != -2)
		nr_wrong_levels++;
}

static mini_nvtx_event event_of(int32_t type, const void *message)
{
	mini_nvtx_event event = { .version = 3, .size = sizeof(event) };

	event.message_type = type;
	event.message.ascii = message;
	return event;
}

static void ranges(void)
{
	mini_nvtx_event event = event_of(3, registered);
	int level;

	TRUTH_CALL(level = nvtxRangePushA("outer"));
	truth('B', "outer");
	level_is(0, level);
	TRUTH_CALL(level = nvtxRangePushW(L"w\u00e4it \u20ac \U0001f600"));
	truth('B', "wäit € 😀");
	level_is(1, level);
	truth_work_ns(100000);
	/* A domain has levels of its own. */
	event.payload_type = 2;
	event.payload.i64 = -7;
	TRUTH_CALL(level = nvtxDomainRangePushEx(domain, &event));
	truth_value('B', "registered", -7);
	level_is(0, level);
	TRUTH_CALL(level = nvtxDomainRangePop(domain));
	truth('E', "");
	level_is(0, level);
	TRUTH_CALL(level = nvtxRangePop());
	truth('E', "");
	level_is(1, level);
	event = event_of(1, "with a real number");
	event.payload_type = 3;
	event.payload.real = 12.75;
	TRUTH_CALL(level = nvtxRangePushEx(&event));
	truth_value('B', "with a real number", 12);
	TRUTH_CALL(level = nvtxRangePop());
	truth('E', "");
	TRUTH_CALL(level = nvtxRangePop());
	truth('E', "");
	level_is(0, level);
	/* Of nothing. */
	level_is(-1, nvtxRangePop());
	level_is(-1, nvtxDomainRangePop(domain));
}

/* The range of the domain ends in the midst of another: at its end. */
static void crossed(void)
{
	mini_nvtx_event event = event_of(1, "of the domain");

	TRUTH_CALL(nvtxDomainRangePushEx(domain, &event));
	truth('B', "of the domain");
	TRUTH_CALL(nvtxRangePushA("of none"));
	truth('B', "of none");
	nvtxDomainRangePop(domain);
	truth_work_ns(50000);
	TRUTH_CALL(nvtxRangePop());
	truth('E', "");
	truth('E', "");
}

static void marks(void)
{
	mini_nvtx_event event = event_of(2, L"wide");

	TRUTH_CALL(nvtxMarkA("mark"));
	truth('I', "mark");
	TRUTH_CALL(nvtxMarkW(L"wide mark"));
	truth('I', "wide mark");
	TRUTH_CALL(nvtxDomainMarkEx(domain, &event));
	truth('I', "wide");
	event.payload_type = 1;
	event.payload.u64 = 99;
	TRUTH_CALL(nvtxMarkEx(&event));
	truth_value('I', "wide", 99);
	TRUTH_CALL(nvtxNameOsThreadA(5, "the worker"));
	truth_value('I', "thread the worker", 5);
}

static void waits(void)
{
	TRUTH_CALL(nvtxDomainSyncUserAcquireStart(lock));
	truth_text('W', TRUTH_ANY_VALUE, "wait the lock");
	truth_work_ns(50000);
	TRUTH_CALL(nvtxDomainSyncUserAcquireSuccess(lock));
	truth('E', "");
}

/* What one thread starts, another ends. */
static uint64_t started;

static void *speak(void *is_first)
{
	for (int i = 0; i < 50; i++) {
		ranges();
		crossed();
		marks();
		waits();
	}
	if (!is_first) {
		TRUTH_CALL(nvtxRangeEnd(started));
		truth_value('I', "transfer end", (long long)started);
	}
	return NULL;
}

static void start_ranges(void)
{
	TRUTH_CALL(started = nvtxRangeStartA("transfer"));
	truth_value('I', "transfer begin", (long long)started);
	/* More than there is room for, if ended ones took room. */
	for (int i = 0; i < 20000; i++) {
		uint64_t id;

		TRUTH_CALL(id = nvtxRangeStartA("short"));
		truth_value('I', "short begin", (long long)id);
		TRUTH_CALL(nvtxRangeEnd(id));
		truth_value('I', "short end", (long long)id);
	}
}

int main(void)
{
	struct {
		uint16_t version, size;
		int32_t message_type;
		const char *message;
	} attributes = { 3, sizeof(attributes), 1, "the lock" };
	pthread_t thread;

	mini_nvtx_init();
	domain = nvtxDomainCreateA("the domain");
	registered = nvtxDomainRegisterStringA(domain, "registered");
	lock = nvtxDomainSyncUserCreate(domain, &attributes);
	if (getenv("NVTX_INJECTION64_PATH") && (!domain || !registered || !lock))
		return 1;
	start_ranges();
	if (pthread_create(&thread, NULL, speak, NULL))
		return 1;
	speak(&thread);
	pthread_join(thread, NULL);
	torch_speaks();
	printf("said all; %d wrong levels\n", nr_wrong_levels);
	return 7;
}
