# SPDX-License-Identifier: GPL-2.0
# annot.ko. Each kernel gets its own directory of links to the sources, so that kbuild, which puts
# objects beside sources, leaves the tree clean and several kernels can be built side by side.

KDIR ?= /lib/modules/$(shell uname -r)/build
# What uname -r says; Debian's include/config/kernel.release of 6.1 says something else.
KMOD_RELEASE = $(shell sed -n 's/.*UTS_RELEASE "\(.*\)"/\1/p' \
	$(KDIR)/include/generated/utsrelease.h 2>/dev/null)
KMOD_DIR = $(BUILD)/kmod/$(KMOD_RELEASE)
# Type data for BPF, which nobody needs here, would need pahole; so which one is no matter.
KMOD_NO_BTF := CONFIG_DEBUG_INFO_BTF_MODULES= 'CONFIG_PAHOLE_VERSION=$$(PAHOLE_VERSION)'
KMOD_SRCS := $(wildcard kmod/*.[ch] kmod/*/*.[ch])
KMOD_INCLUDES := include/uapi/annot.h include/trace/events/annot.h

module:
	@test -n "$(KMOD_RELEASE)" || { \
		echo "annot: $(KDIR): no kernel headers (KDIR=... names them)" >&2; exit 1; }
	@mkdir -p $(addprefix $(KMOD_DIR)/,$(dir $(KMOD_SRCS)))
	@ln -sfn $(abspath Kbuild include) $(KMOD_DIR)
	@for source in $(KMOD_SRCS); do ln -sfn $(CURDIR)/$$source $(KMOD_DIR)/$$source || exit; done
	$(MAKE) -C $(KDIR) M=$(abspath $(KMOD_DIR)) $(KMOD_NO_BTF) modules

# The rule, the group and the manual of the devices, and the source for DKMS to build per kernel.
KMOD_DKMS_DIR = $(DESTDIR)/usr/src/annot-$(VERSION)

install-kmod-files:
	install -D -m 644 kmod/60-annot.rules $(DESTDIR)/usr/lib/udev/rules.d/60-annot.rules
	install -D -m 644 kmod/annot.sysusers.conf $(DESTDIR)/usr/lib/sysusers.d/annot.conf
	install -D -m 644 kmod/annot.4 $(DESTDIR)$(PREFIX)/share/man/man4/annot.4
	for f in Kbuild $(KMOD_SRCS) $(KMOD_INCLUDES); do \
		install -D -m 644 $$f $(KMOD_DKMS_DIR)/$$f || exit; done
	sed 's/@VERSION@/$(VERSION)/' kmod/dkms.conf > $(KMOD_DKMS_DIR)/dkms.conf

.PHONY: module install-kmod-files
