# SPDX-License-Identifier: GPL-2.0
# Programs that know what they did. The library is linked in, so that each is one file.

WORKLOADS := spin busy imbalance imbalance-omp contend migrate wide quiet wakeup hop queue chase conflict sharing polluter pages pieces journal decide serve idlers
WORKLOAD_BIN := $(WORKLOADS:%=$(BUILD)/workloads/%)
WORKLOAD_COMMON := $(addprefix $(BUILD)/workloads/,load.o truth.o truth_json.o count.o walk.o)
WORKLOAD_CPPFLAGS := -Itests/workloads

# Page faults, in a program and in a library that it finds beside itself. Neither needs ours.
FAULTS := $(BUILD)/workloads/faults $(BUILD)/workloads/faults-later.so

# Of a program that nobody annotated.
SKEWED := $(BUILD)/workloads/skewed

# That waits for everything there is to wait for.
WAITS := $(BUILD)/workloads/waits

# That knows who called whom.
CALLERS := $(BUILD)/workloads/callers

# That waits at the ends of known calls.
STACK_WAITS := $(BUILD)/workloads/stack_waits

# That is woken up at the ends of known calls.
STACK_WAKERS := $(BUILD)/workloads/stack_wakers

# That spends known shares of its time in known calls.
SHARES := $(BUILD)/workloads/shares

# That knows which memory it allocated, and which thread touched it.
BLOCKS := $(BUILD)/workloads/blocks

# That knows where its threads have their thread-local variables, and which thread accessed whose.
THREAD_LOCALS := $(BUILD)/workloads/thread_locals

# As a program is that shares the library with what it is attached to.
DECIDE_SHARED := $(BUILD)/workloads/decide-shared

workloads: $(DECIDE_SHARED) $(BLOCKS) $(THREAD_LOCALS) $(WORKLOAD_BIN) $(FAULTS) $(SKEWED) $(WAITS) $(CALLERS) $(STACK_WAITS) $(SHARES) $(STACK_WAKERS)

$(BUILD)/workloads/%.o: tests/workloads/%.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) $(WORKLOAD_CPPFLAGS) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<

$(BUILD)/workloads/imbalance-omp.o: tests/workloads/imbalance.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) $(WORKLOAD_CPPFLAGS) $(CFLAGS_ALL) -fopenmp -MMD -MP -c -o $@ $<

$(BUILD)/workloads/imbalance-omp: LDFLAGS += -fopenmp

$(WORKLOAD_BIN): %: %.o $(WORKLOAD_COMMON) $(BUILD)/libannot/libannot.a
	$(CC) $(CFLAGS_ALL) -o $@ $^ $(LDFLAGS) -pthread

$(DECIDE_SHARED): $(BUILD)/workloads/decide.o $(WORKLOAD_COMMON) $(BUILD)/libannot/libannot.so
	$(CC) $(CFLAGS_ALL) -o $@ $^ $(LDFLAGS) -Wl,-rpath,'$$ORIGIN/../libannot' -pthread

$(BUILD)/workloads/faults: tests/workloads/faults.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) $(WORKLOAD_CPPFLAGS) $(CFLAGS_ALL) -MMD -MP -o $@ $< $(LDFLAGS) -ldl

$(BUILD)/workloads/faults-later.so: tests/workloads/faults-later.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) $(WORKLOAD_CPPFLAGS) $(CFLAGS_ALL) -fPIC -shared -MMD -MP -o $@ $< $(LDFLAGS)

$(SKEWED): tests/workloads/skewed.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -fopenmp -MMD -MP -o $@ $< $(LDFLAGS)

$(WAITS): tests/workloads/waits.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -MMD -MP -o $@ $< $(LDFLAGS) -pthread

$(CALLERS): tests/workloads/callers.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -fomit-frame-pointer -MMD -MP -o $@ $< $(LDFLAGS) -pthread

$(STACK_WAITS): tests/workloads/stack_waits.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -fomit-frame-pointer -fno-optimize-sibling-calls -MMD -MP -o $@ $< $(LDFLAGS) -pthread

$(STACK_WAKERS): tests/workloads/stack_wakers.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -fomit-frame-pointer -MMD -MP -o $@ $< $(LDFLAGS) -pthread

$(SHARES): tests/workloads/shares.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -fomit-frame-pointer -MMD -MP -o $@ $< $(LDFLAGS) -pthread

$(BLOCKS): tests/workloads/blocks.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -fno-builtin -MMD -MP -o $@ $< $(LDFLAGS) -pthread

$(THREAD_LOCALS): tests/workloads/thread_locals.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -MMD -MP -o $@ $< $(LDFLAGS) -pthread

-include $(BLOCKS).d $(THREAD_LOCALS).d $(STACK_WAKERS).d $(SHARES).d $(STACK_WAITS).d $(CALLERS).d $(WAITS).d $(SKEWED).d $(addsuffix .d,$(basename $(FAULTS))) $(WORKLOAD_COMMON:.o=.d) $(WORKLOAD_BIN:=.d)

.PHONY: workloads
