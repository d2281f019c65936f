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
# make man-tables writes the columns of analyses into annot-report(1)
# make dist       the sources as build/dist/annot-VERSION.tar.xz, the same for the same sources
# make deb        Debian packages in build/deb/
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

all: libannot attach bindings viewer

install: install-libannot install-attach install-bindings install-viewer install-kmod-files

clean:
	rm -rf $(BUILD)

# What git knows or, in an unpacked tarball, what is there.
DIST := annot-$(VERSION)
DIST_TAR := $(BUILD)/dist/$(DIST).tar.xz
DIST_FILES = if [ -e .git ]; then git ls-files; else \
	find . -path ./build -prune -o -name __pycache__ -prune -o -type f ! -name '*.o' \
		! -name compile_commands.json -printf '%P\n'; fi
# The time of each file is that of the release.
DIST_TIME = $(shell sed -n '/^ -- /{s/.*>  //p;q}' debian/changelog)

dist:
	@mkdir -p $(BUILD)/dist
	{ $(DIST_FILES); } | LC_ALL=C sort | tar --create --files-from=- --transform='s,^,$(DIST)/,S' \
		--format=gnu --mtime='$(DIST_TIME)' --owner=0 --group=0 --numeric-owner \
		--mode=u=rwX,go=rX | xz -T1 >$(DIST_TAR).new
	mv $(DIST_TAR).new $(DIST_TAR)

# Built in a tree of its own, and with none of this make's settings.
deb: dist
	tests/setup deb
	rm -rf $(BUILD)/deb
	@mkdir -p $(BUILD)/deb
	tar -xf $(DIST_TAR) -C $(BUILD)/deb
	cd $(BUILD)/deb/$(DIST) && env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL dpkg-buildpackage -us -uc
	rm -rf $(BUILD)/deb/$(DIST)

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.PHONY: all install clean dist deb
