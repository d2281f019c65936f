# SPDX-License-Identifier: GPL-2.0
# Other languages. What they compile into their programs is installed as source. Neither
# building nor installing needs any of these languages.

BINDINGSDIR = $(PREFIX)/share/annot/bindings

BINDINGS_SOURCES := cxx/example.cc fortran/annot.f90 fortran/annot_fortran.c fortran/example.f90 \
	rust/Cargo.toml rust/src/lib.rs rust/examples/example.rs

FORTRAN_SHIM := $(BUILD)/libannot/bindings/fortran/annot_fortran.o

# The shim of Fortran is compiled to see that it can be, and by which options: for its warnings, and clang-tidy's.
bindings: $(FORTRAN_SHIM)

$(FORTRAN_SHIM): $(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<

install-bindings: bindings
	for file in $(BINDINGS_SOURCES); do \
		install -D -m 644 libannot/bindings/$$file $(DESTDIR)$(BINDINGSDIR)/$$file || exit 1; \
	done

-include $(FORTRAN_SHIM:.o=.d)

.PHONY: bindings install-bindings
