# SPDX-License-Identifier: GPL-2.0
# What tells annot what programs do that nobody annotated: fronts, each a shared object that holds the
# sink, too. The sources of a front are in its folder.

ATTACH_FRONTS := ompt gomp pthread likwid scorep heap itt nvtx kokkos mpi-openmpi mpi-mpich

ATTACHDIR = $(LIBDIR)/annot
ATTACH_OBJS = $(patsubst %.c,$(BUILD)/%.o,$(wildcard libannot/attach/*.c))
ATTACH_SOS := $(ATTACH_FRONTS:%=$(BUILD)/libannot/attach/%.so)
# Versions of symbols, where a machine needs some.
attach_machine := $(firstword $(subst -, ,$(shell $(CC) -dumpmachine)))
attach_front_map = $(wildcard libannot/attach/$(1)/$(1)-$(attach_machine).map)
attach_front_objs = $(patsubst %.c,$(BUILD)/%.o,$(wildcard libannot/attach/$(1)/*.c)) \
	$(if $(filter mpi-%,$(1)),$(MPI_SRCS:libannot/attach/mpi/%.c=$(BUILD)/libannot/attach/$(1)/%.o))

# MPI's sources are compiled for each ABI.
MPI_SRCS := $(wildcard libannot/attach/mpi/*.c)

$(BUILD)/libannot/attach/mpi-openmpi/%.o: libannot/attach/mpi/%.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -fPIC -fvisibility=hidden -MMD -MP -c -o $@ $<

$(BUILD)/libannot/attach/mpi-mpich/%.o: libannot/attach/mpi/%.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS_ALL) -DATTACH_MPICH $(CFLAGS_ALL) -fPIC -fvisibility=hidden -MMD -MP -c -o $@ $<

attach: $(ATTACH_SOS)

# A lock that is free must cost hardly more than without the front.
$(BUILD)/libannot/attach/pthread/%.o: CFLAGS_ALL += -fno-plt

# Its symbols may be in a thread's stack of calls for as long as the program runs: nodelete.
.SECONDEXPANSION:
$(ATTACH_SOS): $(BUILD)/libannot/attach/%.so: $$(call attach_front_objs,$$*) $$(ATTACH_OBJS) $(LIBANNOT_SO) \
		$$(call attach_front_map,$$*)
	$(CC) $(CFLAGS_ALL) $(LDFLAGS) -shared -Wl,-soname,annot-$*.so -Wl,-z,nodelete -Wl,-z,defs \
		-Wl,--enable-new-dtags -Wl,-rpath,'$$ORIGIN/..' $(addprefix -Xlinker --version-script=,$(filter %.map,$^)) \
		-o $@ $(filter-out %.map,$^)

install-attach: attach
	install -d $(DESTDIR)$(ATTACHDIR)
	install -m 755 $(ATTACH_SOS) $(DESTDIR)$(ATTACHDIR)/

-include $(patsubst %.o,%.d,$(ATTACH_OBJS) $(foreach front,$(ATTACH_FRONTS),$(call attach_front_objs,$(front))))

.PHONY: attach install-attach
