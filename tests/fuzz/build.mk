# SPDX-License-Identifier: GPL-2.0
# make fuzz looks for files that what reads traces cannot bear; tests/unit/trace/fuzz-corpus.sh reads
# those that were found.

FUZZ_CC ?= clang
FUZZ_SECONDS ?= 600
FUZZ_FLAGS := -g -fno-omit-frame-pointer -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all
# What reads traces, and says what is in them.
FUZZ_SRCS := tests/fuzz/trace.c $(filter-out viewer/annot.c $(patsubst %,viewer/%/%,attach cli cmd doctor record stat),$(VIEWER_SRCS))
FUZZ_OBJS := $(FUZZ_SRCS:%.c=$(BUILD)/fuzz/%.o)
# To read a few hundred files once, it need not be fast, and is built in a third of the time.
CORPUS_OBJS := $(FUZZ_SRCS:%.c=$(BUILD)/fuzz-corpus/%.o)
FUZZ_COMPILE = $(FUZZ_CC) $(CPPFLAGS_ALL) $(VIEWER_CPPFLAGS) -std=gnu11 $(WARNINGS) $(FUZZ_FLAGS) -MMD -MP

fuzz: fuzz-program
	tests/fuzz/run $(FUZZ_SECONDS)

fuzz-program: $(BUILD)/fuzz/trace

fuzz-corpus-program: $(BUILD)/fuzz-corpus/trace

$(BUILD)/fuzz/trace: $(FUZZ_OBJS)
$(BUILD)/fuzz-corpus/trace: $(CORPUS_OBJS)
$(BUILD)/fuzz/trace $(BUILD)/fuzz-corpus/trace: $(PAGE_OUT)/shell.o $(PAGE_OUT)/pair_shell.o
	$(FUZZ_CC) $(FUZZ_FLAGS) $(LDFLAGS) -o $@ $^ $(VIEWER_LIBS)

$(BUILD)/fuzz/%.o: %.c
	@mkdir -p $(@D)
	$(FUZZ_COMPILE) -O1 -c -o $@ $<

$(BUILD)/fuzz-corpus/%.o: %.c
	@mkdir -p $(@D)
	$(FUZZ_COMPILE) -O0 -c -o $@ $<

-include $(FUZZ_OBJS:.o=.d) $(CORPUS_OBJS:.o=.d)

.PHONY: fuzz fuzz-program fuzz-corpus-program
