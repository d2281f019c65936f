# SPDX-License-Identifier: GPL-2.0
#
# make            the library and the command (build/)
# make module     annot.ko for the running kernel (KDIR=... for another)
# make install    DESTDIR= PREFIX=/usr/local
# make bench      what an annotation costs, recording, reading a trace, and its page (build/bench.json)
# make demo       the whole way in one command: build/demo/index.html
# make pebs-qemu  the emulator of PEBS, without which its tests are skipped
# make fuzz       files that nobody would write, to what reads traces (FUZZ_SECONDS=600)
# make unit       tests of single parts that are quick; T=regions: all whose name has that in it
# make asan       units with AddressSanitizer; make coverage: what they reach, by folder
# make compile_commands.json  for editors and clang-tidy
# make check      every test; check-quick: the quick ones that need neither guest nor browser; check-pebs:
#		  those of the emulator of PEBS; check-kernels: all guests on all kernels;
#		  check-debug: guests with kernels that notice mistakes, which are built first
#
# Each part brings its own build.mk; this file holds what they share.

VERSION := 0.2.0
PREFIX ?= /usr/local
DESTDIR ?=
BUILD := build

CC ?= cc
CXX ?= c++
PKG_CONFIG ?= pkg-config
CFLAGS ?= -O2 -g
WARNINGS := -Wall -Wextra $(if $(WERROR),-Werror) -Wstrict-prototypes -Wmissing-prototypes
CPPFLAGS_ALL := -D_GNU_SOURCE -DANNOT_VERSION='"$(VERSION)"' -Iinclude $(CPPFLAGS)
CFLAGS_ALL := -std=gnu11 $(WARNINGS) $(CFLAGS)

all:

include libannot/build.mk
include viewer/build.mk
include kmod/build.mk
include tests/build.mk

all: libannot viewer

install: install-libannot install-viewer install-kmod-files

clean:
	rm -rf $(BUILD)

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.PHONY: all install clean
