// SPDX-License-Identifier: MIT
/*
 * The front of programs with LIKWID's markers: their regions are spans of work. LIKWID's own library, if the program
 * has it, gets all calls, too.
 */
#include "likwid.h"

#include <string.h>

#include "../forward.h"
#include "regions.h"

FORWARD_WRAPPER void likwid_markerInit(void)
{
	FORWARD_VOID(likwid_markerInit);
}

FORWARD_WRAPPER void likwid_markerThreadInit(void)
{
	FORWARD_VOID(likwid_markerThreadInit);
}

FORWARD_WRAPPER void likwid_markerNextGroup(void)
{
	FORWARD_VOID(likwid_markerNextGroup);
}

FORWARD_WRAPPER void likwid_markerClose(void)
{
	FORWARD_VOID(likwid_markerClose);
}

FORWARD_WRAPPER int likwid_markerRegisterRegion(const char *tag)
{
	return FORWARD(likwid_markerRegisterRegion, tag);
}

/* The span is within what LIKWID measures. So it has no part of what the measurement costs. */
FORWARD_WRAPPER int likwid_markerStartRegion(const char *tag)
{
	int result = FORWARD(likwid_markerStartRegion, tag);

	region_begin(tag);
	return result;
}

FORWARD_WRAPPER int likwid_markerStopRegion(const char *tag)
{
	region_end(tag);
	return FORWARD(likwid_markerStopRegion, tag);
}

FORWARD_WRAPPER int likwid_markerResetRegion(const char *tag)
{
	return FORWARD(likwid_markerResetRegion, tag);
}

FORWARD_WRAPPER int likwid_markerWriteFile(const char *path)
{
	return FORWARD(likwid_markerWriteFile, path);
}

FORWARD_WRAPPER void likwid_markerGetRegion(const char *tag, int *nr_events, double *events,
					    double *time_s, int *count)
{
	__typeof__(&likwid_markerGetRegion) real = FORWARD_NEXT(likwid_markerGetRegion);

	if (real) {
		real(tag, nr_events, events, time_s, count);
		return;
	}
	if (nr_events)
		*nr_events = 0;
	if (time_s)
		*time_s = 0;
	if (count)
		*count = 0;
}

FORWARD_WRAPPER void likwid_markerinit_(void)
{
	likwid_markerInit();
}

FORWARD_WRAPPER void likwid_markerthreadinit_(void)
{
	likwid_markerThreadInit();
}

FORWARD_WRAPPER void likwid_markernextgroup_(void)
{
	likwid_markerNextGroup();
}

FORWARD_WRAPPER void likwid_markerclose_(void)
{
	likwid_markerClose();
}

#define TAG_BYTES 256

/* In @tag: Fortran's text without the blanks at its end. */
static const char *tag_of(char tag[TAG_BYTES], const char *text, int length)
{
	if (length < 0)
		length = 0;
	if (length > TAG_BYTES - 1)
		length = TAG_BYTES - 1;
	while (length && text[length - 1] == ' ')
		length--;
	memcpy(tag, text, (size_t)length);
	tag[length] = '\0';
	return tag;
}

FORWARD_WRAPPER void likwid_markerregisterregion_(const char *text, int length)
{
	char tag[TAG_BYTES];

	likwid_markerRegisterRegion(tag_of(tag, text, length));
}

FORWARD_WRAPPER void likwid_markerstartregion_(const char *text, int length)
{
	char tag[TAG_BYTES];

	likwid_markerStartRegion(tag_of(tag, text, length));
}

FORWARD_WRAPPER void likwid_markerstopregion_(const char *text, int length)
{
	char tag[TAG_BYTES];

	likwid_markerStopRegion(tag_of(tag, text, length));
}

FORWARD_WRAPPER void likwid_markerresetregion_(const char *text, int length)
{
	char tag[TAG_BYTES];

	likwid_markerResetRegion(tag_of(tag, text, length));
}

FORWARD_WRAPPER void likwid_markergetregion_(const char *text, int *nr_events, double *events,
					     double *time_s, int *count, int length)
{
	char tag[TAG_BYTES];

	likwid_markerGetRegion(tag_of(tag, text, length), nr_events, events, time_s, count);
}
