/* SPDX-License-Identifier: MIT */
/* Where annotations go. Decided once, by the first annotation. */
#ifndef LIBANNOT_BACKEND_H
#define LIBANNOT_BACKEND_H

enum backend {
	BACKEND_UNDECIDED,
	BACKEND_DEVICE,
	BACKEND_MARKER,
	BACKEND_RAW,
	BACKEND_OFF,
};

enum backend annot_backend(void);

#endif /* LIBANNOT_BACKEND_H */
