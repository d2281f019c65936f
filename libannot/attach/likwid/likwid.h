/* SPDX-License-Identifier: MIT */
/* The marker functions of LIKWID, as likwid-marker.h's macros and Fortran programs call them. */
#ifndef LIBANNOT_ATTACH_LIKWID_H
#define LIBANNOT_ATTACH_LIKWID_H

void likwid_markerInit(void);
void likwid_markerThreadInit(void);
void likwid_markerNextGroup(void);
void likwid_markerClose(void);
int likwid_markerRegisterRegion(const char *tag);
int likwid_markerStartRegion(const char *tag);
int likwid_markerStopRegion(const char *tag);
int likwid_markerResetRegion(const char *tag);
int likwid_markerWriteFile(const char *path);
void likwid_markerGetRegion(const char *tag, int *nr_events, double *events, double *time_s,
			    int *count);

/* Fortran's texts come with their length, filled up with blanks. */
void likwid_markerinit_(void);
void likwid_markerthreadinit_(void);
void likwid_markernextgroup_(void);
void likwid_markerclose_(void);
void likwid_markerregisterregion_(const char *tag, int length);
void likwid_markerstartregion_(const char *tag, int length);
void likwid_markerstopregion_(const char *tag, int length);
void likwid_markerresetregion_(const char *tag, int length);
void likwid_markergetregion_(const char *tag, int *nr_events, double *events, double *time_s,
			     int *count, int length);

#endif /* LIBANNOT_ATTACH_LIKWID_H */
