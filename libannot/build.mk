# SPDX-License-Identifier: GPL-2.0
# The library: shared, static, and what is installed with it.

LIBDIR ?= $(PREFIX)/lib

# Wrappers of the C library's functions are for the shared library: in a static one they would
# stand in the way of those.
LIBANNOT_WRAPPERS := libannot/interpose.c
LIBANNOT_SRCS := $(filter-out $(LIBANNOT_WRAPPERS),$(wildcard libannot/*.c))
LIBANNOT_OBJS := $(LIBANNOT_SRCS:%.c=$(BUILD)/%.o)
LIBANNOT_SO_OBJS := $(LIBANNOT_OBJS) $(LIBANNOT_WRAPPERS:%.c=$(BUILD)/%.o)
LIBANNOT_SONAME := libannot.so.0
LIBANNOT_A := $(BUILD)/libannot/libannot.a
LIBANNOT_SO := $(BUILD)/libannot/$(LIBANNOT_SONAME)

# Each function has its own name in section 3.
LIBANNOT_MAN_ALIASES := annot_begin annot_begin_value annot_wait_begin annot_wait_begin_value \
	annot_end annot_next annot_next_value annot_mark annot_mark_value annot_counter annot_object \
	annot_object_end \
	annot_thread_name annot_enabled annot_status annot_flush ANNOT_SCOPE ANNOT_SCOPE_VALUE ANNOT_WAIT_SCOPE

libannot: $(LIBANNOT_A) $(LIBANNOT_SO) $(BUILD)/libannot/libannot.so

$(BUILD)/libannot/%.o: libannot/%.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -fPIC -fvisibility=hidden -MMD -MP -c -o $@ $<

$(LIBANNOT_A): $(LIBANNOT_OBJS)
	rm -f $@
	$(AR) rcs $@ $^

# nodelete: the descriptors and the mapped page outlive a dlclose(), so must their owner.
$(LIBANNOT_SO): $(LIBANNOT_SO_OBJS) libannot/libannot.map
	$(CC) $(CFLAGS_ALL) $(LDFLAGS) -shared -Wl,-soname,$(LIBANNOT_SONAME) \
		-Wl,--version-script=libannot/libannot.map -Wl,-z,nodelete -Wl,-z,defs \
		-o $@ $(LIBANNOT_SO_OBJS)

$(BUILD)/libannot/libannot.so: $(LIBANNOT_SO)
	ln -sf $(LIBANNOT_SONAME) $@

install-libannot: libannot
	install -d $(DESTDIR)$(PREFIX)/include/annot $(DESTDIR)$(LIBDIR)/pkgconfig \
		$(DESTDIR)$(PREFIX)/share/man/man3
	install -m 644 include/annot/*.h $(DESTDIR)$(PREFIX)/include/annot/
	install -m 644 $(LIBANNOT_A) $(DESTDIR)$(LIBDIR)/
	install -m 755 $(LIBANNOT_SO) $(DESTDIR)$(LIBDIR)/
	ln -sf $(LIBANNOT_SONAME) $(DESTDIR)$(LIBDIR)/libannot.so
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@VERSION@|$(VERSION)|' \
		libannot/annot.pc.in > $(DESTDIR)$(LIBDIR)/pkgconfig/annot.pc
	install -m 644 libannot/annot.3 $(DESTDIR)$(PREFIX)/share/man/man3/
	for name in $(LIBANNOT_MAN_ALIASES); do \
		echo '.so man3/annot.3' > $(DESTDIR)$(PREFIX)/share/man/man3/$$name.3 || exit 1; \
	done
	@# The loader finds what is installed for good through its cache.
	[ -n "$(DESTDIR)" ] || ! command -v ldconfig >/dev/null || ldconfig

-include $(LIBANNOT_SO_OBJS:.o=.d)

.PHONY: libannot install-libannot

include libannot/attach/build.mk
include libannot/bindings/build.mk
