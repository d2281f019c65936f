# SPDX-License-Identifier: GPL-2.0
#
# What tests/demo has a guest do: the recording.

insmod annot.ko && annot record -o /out/trace.dat -- imbalance >/out/truth.json
