/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What annot_config says in each recording.
 */
#ifndef ANNOT_KMOD_CONFIG_H
#define ANNOT_KMOD_CONFIG_H

#include <linux/types.h>

#define ANNOT_CONFIG_TEXT_MAX_BYTES 320

struct annot_config_text {
	char text[ANNOT_CONFIG_TEXT_MAX_BYTES];
};

/* Some recording has not got all its texts yet. */
extern bool annot_config_due;

int annot_config_init(void);
void annot_config_exit(void);

/* Emits pending events, unless another task does so. Context: a task; does not sleep. */
void annot_config_emit_due(void);

/* One text for each of the @nr events of the set; they must last until the next call. */
void annot_config_set_events(const struct annot_config_text *texts, u32 nr);

/* The set is put to use: writes it into recordings that began before. */
void annot_config_use_events(void);

#endif /* ANNOT_KMOD_CONFIG_H */
