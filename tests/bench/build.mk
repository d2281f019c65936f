# SPDX-License-Identifier: GPL-2.0
# What an annotation costs, alone and in a program, what recording and reading a trace take, and how quick
# its page is: make bench prints figures and keeps them in build/bench.json; make bench-guests adds what needs
# the module and so a guest.

BENCH := $(BUILD)/tests/bench/annotate
BENCH_OBJS := $(addprefix $(BUILD)/tests/bench/,annotate.o rounds.o) $(BUILD)/tests/lib/anon_rings.o

ifeq ($(shell $(PKG_CONFIG) --exists lttng-ust && echo yes),yes)
BENCH_OBJS += $(BUILD)/tests/bench/lttng.o
BENCH_LIBS := $(shell $(PKG_CONFIG) --libs lttng-ust) -ldl
else
BENCH_OBJS += $(BUILD)/tests/bench/no_lttng.o
endif

# What the whole library costs in a program.
BENCH_OF_PROGRAMS := $(addprefix $(BUILD)/tests/bench/,all_in resting)

# What fronts cost in programs that they are attached to.
BENCH_OF_FRONTS := $(addprefix $(BUILD)/tests/bench/,attach_pthread attach_heap)
# ... in those with OpenMP, by the compiler of each runtime.
BENCH_OF_OPENMP := $(addprefix $(BUILD)/tests/bench/,attach_gomp attach_ompt)

CONVERT := $(BUILD)/tests/bench/switches
ifeq ($(shell $(PKG_CONFIG) --exists libtracecmd && echo yes),yes)
CONVERT += $(BUILD)/tests/bench/tracecmd_walk
endif

# What is built depends on the packages that are there, so make starts again after these.
bench:
	tests/setup bench
	$(MAKE) bench-figures

bench-figures: bench-program kernels viewer workloads
	tests/bench/annotate
	tests/bench/attach_calls
	tests/bench/attach_openmp
	tests/bench/overhead native
	tests/bench/record
	tests/bench/convert
	tests/bench/kinds
	tests/bench/what_if
	tests/bench/page

bench-guests:
	tests/setup vm
	$(MAKE) bench-guest-figures

bench-guest-figures: all guest-programs
	tests/bench/guests
	tests/bench/overhead guest
	tests/bench/pmu

bench-program: $(BENCH) $(BENCH_OF_PROGRAMS) $(CONVERT) $(BENCH_OF_FRONTS) $(BENCH_OF_OPENMP) attach

$(BUILD)/tests/bench/attach_gomp: tests/bench/attach_omp.c
	@mkdir -p $(@D)
	gcc $(CPPFLAGS_ALL) $(CFLAGS_ALL) -fopenmp $(LDFLAGS) -o $@ $<

$(BUILD)/tests/bench/attach_ompt: tests/bench/attach_omp.c
	@mkdir -p $(@D)
	clang $(CPPFLAGS_ALL) $(CFLAGS_ALL) -fopenmp $(LDFLAGS) -o $@ $<

$(BUILD)/tests/bench/switches: tests/bench/switches.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) $(LDFLAGS) -o $@ $< -lpthread

$(BUILD)/tests/bench/tracecmd_walk: tests/bench/tracecmd_walk.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) $(shell $(PKG_CONFIG) --cflags libtracecmd) \
		$(LDFLAGS) -o $@ $< $(shell $(PKG_CONFIG) --libs libtracecmd)

$(BENCH_OF_PROGRAMS): %: %.o $(BUILD)/tests/bench/rounds.o $(BUILD)/libannot/libannot.a
	$(CC) $(CFLAGS_ALL) $(LDFLAGS) -o $@ $^ -lpthread

# A compiler knows that memory which is freed at once need not be allocated.
$(BUILD)/tests/bench/attach_heap.o: CFLAGS_ALL += -fno-builtin

$(BENCH_OF_FRONTS): %: %.o $(BUILD)/tests/bench/rounds.o
	$(CC) $(CFLAGS_ALL) $(LDFLAGS) -o $@ $^ -lpthread -ldl

$(BUILD)/tests/bench/%.o: tests/bench/%.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) -Itests/bench $(CFLAGS_ALL) -MMD -MP -c -o $@ $<

$(BENCH): $(BENCH_OBJS) $(BUILD)/libannot/libannot.a
	$(CC) $(CFLAGS_ALL) $(LDFLAGS) -o $@ $^ -lpthread $(BENCH_LIBS)

-include $(BENCH_OBJS:.o=.d) $(BENCH_OF_PROGRAMS:=.d) $(BENCH_OF_FRONTS:=.d)

# What annotations cost a program: each kernel as it is, and NAME-original as if nobody had annotated
# it. Static, for guests run them too.
KERNELS := wave match motion
KERNEL_DIR := $(BUILD)/tests/bench/kernels
KERNEL_OBJ := $(BUILD)/tests/bench/kernel-objects

kernels: $(KERNELS:%=$(KERNEL_DIR)/%) $(KERNELS:%=$(KERNEL_DIR)/%-original)

guest-programs: kernels

$(KERNEL_OBJ)/%.o: tests/bench/kernels/%.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<

$(KERNEL_OBJ)/%-original.o: tests/bench/kernels/%.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) -DANNOT_DISABLE $(CFLAGS_ALL) -MMD -MP -c -o $@ $<

$(KERNELS:%=$(KERNEL_DIR)/%): $(KERNEL_DIR)/%: $(KERNEL_OBJ)/%.o $(KERNEL_OBJ)/kernel.o \
		$(BUILD)/libannot/libannot.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) $(LDFLAGS) -static -o $@ $^ -lpthread

$(KERNELS:%=$(KERNEL_DIR)/%-original): $(KERNEL_DIR)/%-original: $(KERNEL_OBJ)/%-original.o \
		$(KERNEL_OBJ)/kernel-original.o
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) $(LDFLAGS) -static -o $@ $^ -lpthread

-include $(wildcard $(KERNEL_OBJ)/*.d)

.PHONY: bench bench-figures bench-guests bench-guest-figures bench-program kernels
