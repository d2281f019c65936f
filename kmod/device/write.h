/* SPDX-License-Identifier: GPL-2.0 */
/*
 * write() to /dev/annot/cpuN.
 */
#ifndef ANNOT_KMOD_WRITE_H
#define ANNOT_KMOD_WRITE_H

#include <linux/fs.h>

ssize_t annot_write_iter(struct kiocb *iocb, struct iov_iter *from);

#endif /* ANNOT_KMOD_WRITE_H */
