/* SPDX-License-Identifier: GPL-2.0 */
/* The version of the module: that of the whole project. */
#ifndef ANNOT_KMOD_VERSION_H
#define ANNOT_KMOD_VERSION_H

#define ANNOT_MODULE_VERSION "0.2.0"

#endif /* ANNOT_KMOD_VERSION_H */
