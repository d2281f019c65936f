# SPDX-License-Identifier: GPL-2.0
# BOOT: -p /lib/systemd/systemd-udevd -p /bin/udevadm
# SERIES: 6.1
# FILES: kmod/60-annot.rules
#
# Under Debian's udev the devices belong to the group that may annotate.

# shellcheck source=tests/lib/tap.sh
. /test/tap.sh

is() {	# WANTED GOT
	echo "it is $2"
	[ "$1" = "$2" ]
}

mkdir -p /run/udev /etc/udev/rules.d
cp 60-annot.rules /etc/udev/rules.d/
echo annot:x:4711: >>/etc/group
/lib/systemd/systemd-udevd --daemon
insmod annot.ko
udevadm settle

for device in /dev/annot/ctl /dev/annot/cpu0 /dev/annot/cpu1; do
	check "$device is root:annot 660" is "root:annot 660" "$(stat -c '%U:%G %a' $device)"
done
