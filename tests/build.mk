# SPDX-License-Identifier: GPL-2.0
# What make check needs built, and the commands that run it.
#
# A unit test tests/unit/FOLDER/test_NAME.c is of what stands in that folder of the tree. It is linked
# with all of the command and the library. A comment
#	/* LINK: kmod/device/parse.c */
# in its first ten lines names further sources. What several tests use is in tests/lib. A test is not
# optimized as one when it is linked, as the command is: that takes two seconds a test.

include $(wildcard tests/*/build.mk)

UNIT_SRCS := $(wildcard tests/unit/*/test_*.c tests/unit/*/*/test_*.c)
UNIT_TESTS := $(UNIT_SRCS:%.c=$(BUILD)/%)
UNIT_CPPFLAGS := -Itests/lib -Iviewer -Ikmod $(VIEWER_CPPFLAGS)
UNIT_LIBS := -lcmocka -lpthread
$(BUILD)/tests/unit/trace/test_trace_libtracecmd: UNIT_LIBS += -ltracecmd
UNIT_ARCHIVES := $(BUILD)/viewer/libviewer.a $(BUILD)/libannot/libannot.a

unit-tests: $(UNIT_TESTS)

define compile_unit
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) $(UNIT_CPPFLAGS) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<
endef

$(BUILD)/tests/unit/%.o: tests/unit/%.c
	$(compile_unit)

$(BUILD)/tests/lib/%.o: tests/lib/%.c
	$(compile_unit)

# What a unit test names is compiled once, apart from what others make of the same source.
$(BUILD)/tests/linked/%.o: %.c
	$(compile_unit)

unit_link = $(patsubst %.c,$(BUILD)/tests/linked/%.o,$(shell \
	sed -n '1,10s,.*LINK: *\(.*[^ ]\) *\*/.*,\1,p' tests/unit/$(1).c))

.SECONDEXPANSION:
$(UNIT_TESTS): $(BUILD)/tests/unit/%: $(BUILD)/tests/unit/%.o $$(call unit_link,$$*) $(UNIT_ARCHIVES)
	$(CC) $(CFLAGS_ALL) -fno-lto $(LDFLAGS) -o $@ $(filter-out $(UNIT_TESTS),$^) $(UNIT_LIBS) $(VIEWER_LIBS)

# It runs the other.
$(BUILD)/tests/unit/record/test_record_dat_kernel: $(BUILD)/tests/unit/trace/test_trace_libtracecmd

-include $(UNIT_TESTS:=.d) $(shell find $(BUILD)/tests/linked -name '*.d' 2>/dev/null)

# What tests use of npm's packages, at the versions that the lock file has.
NPM_PACKAGES := $(BUILD)/tests/npm

npm-packages: $(NPM_PACKAGES)/node_modules/.package-lock.json

$(NPM_PACKAGES)/node_modules/.package-lock.json: tests/npm/package.json tests/npm/package-lock.json
	@mkdir -p $(NPM_PACKAGES)
	cp $^ $(NPM_PACKAGES)
	cd $(NPM_PACKAGES) && npm ci --ignore-scripts --prefer-offline --no-audit --no-fund --loglevel=error >/dev/null
	touch $@

# Programs for the guests: static, for what libraries those have is chance. Those that annotate do
# so with our library.
GUEST_PROGRAMS := $(patsubst %.c,$(BUILD)/tests/vm/%,$(notdir $(wildcard tests/vm/guest/*/*.c)))

guest-programs: $(GUEST_PROGRAMS)

$(GUEST_PROGRAMS): $(BUILD)/tests/vm/%: $$(wildcard tests/vm/guest/*/$$*.c) $(BUILD)/libannot/libannot.a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) -Itests/vm/guest/lib $(CFLAGS_ALL) -static -MMD -MP -o $@ $< \
		$(BUILD)/libannot/libannot.a $(LDFLAGS) -lpthread

-include $(GUEST_PROGRAMS:=.d)

# Beside annot.ko for the same kernel: a PMU for guests that have none, mistakes for debug kernels to
# notice, lines of trace_printk(), and softirqs.
TEST_MODULES := nmi_pmu faults clock_faults printer softirqs

test-modules: $(TEST_MODULES:%=test-module-%)

test-module-%:
	@mkdir -p $(KMOD_DIR)/$*
	@ln -sfn $(abspath $(wildcard tests/vm/$*/*)) $(KMOD_DIR)/$*
	$(MAKE) -C $(KDIR) M=$(abspath $(KMOD_DIR)/$*) $(KMOD_NO_BTF) modules

check:
	tests/setup check
	tests/run

check-pebs:
	tests/setup check
	tests/run $$(grep -l '^# BOOT:.*-E ' tests/vm/guest/*/*.sh | sed 's,.*/\(.*\)\.sh,vm/\1-*,')

check-kernels:
	tests/setup check
	tests/run -k

check-debug:
	tests/setup debug
	tests/run -d

check-quick:
	tests/run -q

unit:
	tests/run $(if $(T),'unit/*$(T)*',-q 'unit/*')

demo:
	tests/demo

pebs-qemu:
	tests/setup pebs-qemu
	tests/vm/pebs-qemu/build

compile_commands.json:
	tests/compile-commands >$@

# Built apart. Units of the library are its own programs, and scripts of the command run that which is
# built so; those that compile the library again have nothing of it.
CHECKED_FLAGS := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined,float-cast-overflow \
	-fno-sanitize-recover=undefined,float-cast-overflow
CHECKED_UNITS := 'unit/analysis/*' 'unit/attach/test_*' 'unit/model/*' 'unit/page/test_*' 'unit/report/*' 'unit/trace/*' 'unit/symbols/*'

# Programs in C that check-quick leaves out.
SLOW_UNITS = $(patsubst tests/%.c,%,$(shell grep -l '^/\* SLOW \*/' $(UNIT_SRCS)))

asan: export CFLAGS := $(CHECKED_FLAGS)
asan: export ANNOT_BUILD := $(BUILD)/asan
asan: export LSAN_OPTIONS := suppressions=$(CURDIR)/tests/lsan.supp:print_suppressions=0
asan:
	tests/run -q $(CHECKED_UNITS)
	tests/run $(filter-out unit/libannot/%,$(SLOW_UNITS))

# What share of the lines of each folder the units reach.
coverage: export CFLAGS := -O0 -g --coverage
coverage: export VIEWER_LTO :=
coverage: export ANNOT_BUILD := $(BUILD)/coverage
coverage:
	rm -rf $(BUILD)/coverage
	tests/run $(SLOW_UNITS)
	tests/run -q 'unit/*'; status=$$?; tests/coverage $(BUILD)/coverage && exit $$status

.PHONY: compile_commands.json asan coverage unit unit-tests guest-programs test-modules check check-quick check-pebs check-kernels check-debug \
	demo pebs-qemu npm-packages
