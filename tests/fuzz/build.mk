# SPDX-License-Identifier: GPL-2.0
# make fuzz looks for files that what reads traces cannot bear; tests/unit/trace/fuzz-corpus.sh reads
# those that were found.

FUZZ_CC ?= clang
FUZZ_SECONDS ?= 600
FUZZ_FLAGS := -O1 -g -fno-omit-frame-pointer -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all
# What reads traces, and says what is in them.
FUZZ_SRCS := tests/fuzz/trace.c $(filter-out viewer/annot.c $(patsubst %,viewer/%/%,attach cli cmd doctor record stat),$(VIEWER_SRCS))
FUZZ_OBJS := $(FUZZ_SRCS:%.c=$(BUILD)/fuzz/%.o)

fuzz: fuzz-program
	tests/fuzz/run $(FUZZ_SECONDS)

fuzz-program: $(BUILD)/fuzz/trace

$(BUILD)/fuzz/trace: $(FUZZ_OBJS) $(PAGE_OUT)/shell.o $(PAGE_OUT)/pair_shell.o
	$(FUZZ_CC) $(FUZZ_FLAGS) $(LDFLAGS) -o $@ $^ $(VIEWER_LIBS)

$(BUILD)/fuzz/%.o: %.c
	@mkdir -p $(@D)
	$(FUZZ_CC) $(CPPFLAGS_ALL) $(VIEWER_CPPFLAGS) -std=gnu11 $(WARNINGS) $(FUZZ_FLAGS) -MMD -MP -c -o $@ $<

-include $(FUZZ_OBJS:.o=.d)

.PHONY: fuzz fuzz-program
