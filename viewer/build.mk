# SPDX-License-Identifier: GPL-2.0
# The command annot: everything below viewer/ but the tests.

VIEWER_PKGS := libtracefs libtraceevent libdw libelf libdeflate zlib libzstd json-c
VIEWER_SRCS := $(filter-out viewer/plugin/% viewer/man/%,$(wildcard viewer/*.c viewer/*/*.c viewer/*/*/*.c))
VIEWER_OBJS := $(VIEWER_SRCS:%.c=$(BUILD)/%.o)
VIEWER_CPPFLAGS := -Iviewer -I$(BUILD)/viewer $(shell $(PKG_CONFIG) --cflags $(VIEWER_PKGS) 2>/dev/null)
# libpfm4 and libiberty come without a file for pkg-config.
VIEWER_LIBS = $(shell $(PKG_CONFIG) --libs $(VIEWER_PKGS)) -lpfm -liberty -lm -lpthread

# What each event of a trace goes through is optimized more than the rest, and as one when the command
# is linked: that is an eighth of its time. Tests link the same objects as they are. Fields of an event
# that vector registers move together, to be taken apart again at once, cost 2 % of it.
cc_takes = $(shell echo 'int x;' | $(CC) $(1) -Werror -x c -c -o /dev/null - 2>/dev/null && echo $(1))
VIEWER_LTO ?= $(call cc_takes,-flto=auto -ffat-lto-objects) $(call cc_takes,-fipa-pta) $(call cc_takes,-fno-tree-slp-vectorize)
VIEWER_HOT := $(if $(filter -O2,$(CFLAGS)),-O3) $(VIEWER_LTO)
$(BUILD)/viewer/trace/%.o $(BUILD)/viewer/model/%.o $(BUILD)/viewer/page/%.o: CFLAGS_HOT := $(VIEWER_HOT)
# What the compiler suspects only then is told, but must not stand in the way of whoever builds.
$(BUILD)/annot: private CFLAGS_HOT := $(VIEWER_LTO) -Wno-error

viewer: $(BUILD)/annot $(BUILD)/viewer/plugin_annot.so

# Where the fronts are that annot record --attach loads.
$(BUILD)/viewer/attach/directory.o $(BUILD)/fuzz/viewer/attach/directory.o: private CPPFLAGS_ALL += -DANNOT_LIBDIR='"$(LIBDIR)"'

# The page's fixed part: the modules bundled to one script; shell, style and script joined, then made a
# C string. Blanks are left out, which makes each page a quarter smaller; names stay as they are.
ESBUILD ?= esbuild
PAGE_JS := $(wildcard viewer/page/js/*/*.js viewer/page/js/*/*/*.js)
PAGE_OUT := $(BUILD)/viewer/page

# What the schema of tables tells the script. Modules import it by this path, whatever BUILD is.
PAGE_TABLES := build/viewer/page/tables.mjs
PAGE_SCHEMA := viewer/page/schema.sh viewer/page/schema.in viewer/model/tables.def
page_schema = sh viewer/page/schema.sh $(1) $(CC) -E -P -x c -Iviewer viewer/page/schema.in

$(PAGE_TABLES): $(PAGE_SCHEMA)
	@mkdir -p $(@D)
	$(call page_schema,module) >$@.$$$$ && mv $@.$$$$ $@

$(BUILD)/page-format.md: $(PAGE_SCHEMA)
	@mkdir -p $(@D)
	$(call page_schema,reference) >$@

page-format: $(BUILD)/page-format.md

page_bundle = $(ESBUILD) --bundle --format=iife --target=esnext --charset=utf8 --minify-whitespace --log-level=warning \
		--banner:js='"use strict";' --outfile=$(1) $(2)

$(PAGE_OUT)/page.js: $(PAGE_JS) $(PAGE_TABLES)
	@mkdir -p $(@D)
	$(call page_bundle,$@,viewer/page/js/ui/main.js)

# Of a page of two traces: what is around the pages of both.
$(PAGE_OUT)/pair.js: $(PAGE_JS) $(PAGE_TABLES)
	@mkdir -p $(@D)
	$(call page_bundle,$@,viewer/page/js/pair/main.js)

$(PAGE_OUT)/shell.html: viewer/page/join.sh viewer/page/shell.html viewer/page/style.css $(PAGE_OUT)/page.js
	sh $^ >$@

$(PAGE_OUT)/pair.css: viewer/page/style.css viewer/page/pair.css
	@mkdir -p $(@D)
	cat $^ >$@

$(PAGE_OUT)/pair.html: viewer/page/join.sh viewer/page/pair.html $(PAGE_OUT)/pair.css $(PAGE_OUT)/pair.js \
		viewer/page/style.css $(PAGE_OUT)/page.js
	sh $^ >$@

$(PAGE_OUT)/shell.c: viewer/page/embed.sh $(PAGE_OUT)/shell.html
	sh $< page_shell $(PAGE_OUT)/shell.html >$@

$(PAGE_OUT)/pair_shell.c: viewer/page/embed.sh $(PAGE_OUT)/pair.html
	sh $< pair_shell $(PAGE_OUT)/pair.html >$@

$(PAGE_OUT)/shell.o $(PAGE_OUT)/pair_shell.o: %.o: %.c
	$(CC) $(CPPFLAGS_ALL) $(VIEWER_CPPFLAGS) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<

$(BUILD)/viewer/%.o: viewer/%.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) $(VIEWER_CPPFLAGS) $(CFLAGS_ALL) $(CFLAGS_HOT) -MMD -MP -c -o $@ $<

# All of the command but its main(), for the unit tests to link.
$(BUILD)/viewer/libviewer.a: $(filter-out $(BUILD)/viewer/annot.o,$(VIEWER_OBJS)) $(PAGE_OUT)/shell.o $(PAGE_OUT)/pair_shell.o
	rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/annot: $(BUILD)/viewer/annot.o $(BUILD)/viewer/libviewer.a
	$(CC) $(CFLAGS_ALL) $(CFLAGS_HOT) $(LDFLAGS) -o $@ $^ $(VIEWER_LIBS)

# The part of a man page that says what columns analyses have, from the tables that declare them.
$(BUILD)/viewer/man/tables: $(BUILD)/viewer/man/tables.o $(BUILD)/viewer/libviewer.a
	$(CC) $(CFLAGS_ALL) $(LDFLAGS) -o $@ $^ $(VIEWER_LIBS)

$(BUILD)/viewer/man/tables.mdoc: $(BUILD)/viewer/man/tables
	$< >$@

tables-mdoc: $(BUILD)/viewer/man/tables.mdoc

man-tables: $(BUILD)/viewer/man/tables.mdoc
	sed -i -e '/^\.\\" Begin of man-tables/,/^\.\\" End of man-tables/{//!d}' \
		-e '/^\.\\" Begin of man-tables/r $<' viewer/man/annot-report.1

# What prints batches in trace-cmd report and KernelShark: some of the command's sources, and one of
# its own, as a shared object that exports nothing but what libtraceevent asks for.
PLUGIN_OBJS := $(patsubst %,$(BUILD)/viewer/pic/%.o,plugin/plugin_annot trace/print/annot_handlers \
		 $(addprefix trace/annotations/,annotation_counts batch raw_reader) \
		 $(addprefix trace/names/,annotation_names name_table) \
		 $(addprefix util/,string_table diag pair_table text/utf8 xalloc))

$(BUILD)/viewer/pic/%.o: viewer/%.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) $(VIEWER_CPPFLAGS) $(CFLAGS_ALL) -fPIC -fvisibility=hidden -MMD -MP -c -o $@ $<

$(BUILD)/viewer/plugin_annot.so: $(PLUGIN_OBJS)
	$(CC) $(CFLAGS_ALL) $(LDFLAGS) -shared -o $@ $^ $(shell $(PKG_CONFIG) --libs libtraceevent)

-include $(VIEWER_OBJS:.o=.d) $(PLUGIN_OBJS:.o=.d) $(BUILD)/viewer/man/tables.d

VIEWER_SHARE = $(DESTDIR)$(PREFIX)/share

# libtraceevent looks below its own library's directory and, for PREFIX=~/.local, in the home.
TRACEEVENT_LIBDIR = $(shell $(PKG_CONFIG) --variable=libdir libtraceevent)
PLUGIN_DIR = $(if $(filter /usr /usr/local,$(PREFIX)),$(TRACEEVENT_LIBDIR),$(PREFIX)/lib)/traceevent/plugins

install-viewer: viewer
	install -D -m 644 $(BUILD)/viewer/plugin_annot.so $(DESTDIR)$(PLUGIN_DIR)/plugin_annot.so
	install -D -m 755 $(BUILD)/annot $(DESTDIR)$(PREFIX)/bin/annot
	install -d $(VIEWER_SHARE)/man/man1
	install -m 644 $(wildcard viewer/man/*.1) $(VIEWER_SHARE)/man/man1
	install -D -m 644 viewer/completion/annot $(VIEWER_SHARE)/bash-completion/completions/annot

.PHONY: viewer tables-mdoc man-tables install-viewer page-format
