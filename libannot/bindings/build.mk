# SPDX-License-Identifier: GPL-2.0
# Other languages. What they compile into their programs is installed as source. The extension of Python is compiled
# here, with what it uses of Python's stable ABI: neither building nor installing needs any of these languages.

BINDINGSDIR = $(PREFIX)/share/annot/bindings
# Where Debian's Python looks, if PREFIX is /usr.
PYTHONDIR ?= $(PREFIX)/lib/python3/dist-packages

PYTHON_SRC := libannot/bindings/python/annot_python.c
PYTHON_SO := $(BUILD)/libannot/bindings/annot/_annot.abi3.so
BINDINGS_SOURCES := README.md cxx/example.cc fortran/annot.f90 fortran/annot_fortran.c fortran/example.f90 \
	python/examples/example.py rust/Cargo.toml rust/src/lib.rs rust/examples/example.rs

FORTRAN_SHIM := $(BUILD)/libannot/bindings/fortran/annot_fortran.o

# The shim of Fortran is compiled to see that it can be, and by which options: for its warnings, and clang-tidy's.
bindings: $(PYTHON_SO) $(FORTRAN_SHIM)

# Python's own functions are found when it loads this.
$(PYTHON_SO): $(PYTHON_SRC) $(BUILD)/libannot/libannot.so
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) -Ilibannot/bindings/python/stable_abi $(CFLAGS_ALL) -fPIC -fvisibility=hidden -MMD -MP \
		$(LDFLAGS) -shared -o $@ $< -L$(BUILD)/libannot -lannot

$(FORTRAN_SHIM): $(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<

install-bindings: bindings
	for file in $(BINDINGS_SOURCES); do \
		install -D -m 644 libannot/bindings/$$file $(DESTDIR)$(BINDINGSDIR)/$$file || exit 1; \
	done
	install -d $(DESTDIR)$(PYTHONDIR)/annot
	install -m 644 libannot/bindings/python/annot/*.py $(PYTHON_SO) $(DESTDIR)$(PYTHONDIR)/annot/

-include $(PYTHON_SO:.so=.d) $(FORTRAN_SHIM:.o=.d)

.PHONY: bindings install-bindings
