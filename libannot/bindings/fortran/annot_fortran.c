// SPDX-License-Identifier: MIT
/*
 * What annot.f90 calls: the inline code of annot/annot.h, for names with a length in place of a NUL.
 * Compile it into the program, beside annot.f90.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <annot/annot.h>

/* The library keeps 255 bytes, and sees by those behind whether it cuts a character in two. */
#define NAME_MAX_BYTES 259

/* A name that is remembered with its number. Longer ones are looked up each time. */
#define KEPT_BYTES 52
#define NR_KEPT 64 /* a power of 2 */
#define NR_PROBES 4

#define BEING_WRITTEN UINT32_MAX

struct kept_name {
	struct annot_site site;
	uint32_t nr_bytes; /* 0: free; BEING_WRITTEN */
	char text[KEPT_BYTES];
};

/* Of each thread: so no lock is needed. A place is given to the name that comes first, for good. */
static _Thread_local struct kept_name kept_names[NR_KEPT];

void annot_fortran_put(int op, const char *name, size_t nr_bytes, int64_t value);
void annot_fortran_end(void);
void annot_fortran_object(const char *name, size_t nr_bytes, const void *pointer, int64_t bytes);
void annot_fortran_object_end(const void *pointer);
void annot_fortran_thread_name(const char *name, size_t nr_bytes);
int annot_fortran_enabled(void);

/* Fortran pads text with blanks. */
static size_t trimmed_length(const char *name, size_t nr_bytes)
{
	while (nr_bytes > 0 && name[nr_bytes - 1] == ' ')
		nr_bytes--;
	return nr_bytes;
}

/* Whether it was free. A signal handler that annotates meanwhile finds it taken, and takes another one. */
static int take_place(struct kept_name *kept, const char *name, size_t nr_bytes)
{
	uint32_t nothing = 0;

	if (kept->nr_bytes != 0 ||
	    !__atomic_compare_exchange_n(&kept->nr_bytes, &nothing, BEING_WRITTEN, 0,
					 __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		return 0;
	memcpy(kept->text, name, nr_bytes);
	__atomic_store_n(&kept->nr_bytes, (uint32_t)nr_bytes, __ATOMIC_RELEASE);
	return 1;
}

/*
 * A literal has one address: so this is where its name is found again. What a variable holds may
 * change: therefore texts are compared.
 */
static struct kept_name *find_kept(const char *name, size_t nr_bytes)
{
	size_t first = ((uintptr_t)name >> 3) ^ nr_bytes, i;

	if (nr_bytes == 0 || nr_bytes > KEPT_BYTES)
		return NULL;
	for (i = 0; i < NR_PROBES; i++) {
		struct kept_name *kept = &kept_names[(first + i) % NR_KEPT];

		if (kept->nr_bytes == nr_bytes && !memcmp(kept->text, name, nr_bytes))
			return kept;
		if (take_place(kept, name, nr_bytes))
			return kept;
	}
	return NULL;
}

static const char *terminated(char *buffer, const char *name, size_t nr_bytes)
{
	if (nr_bytes > NAME_MAX_BYTES)
		nr_bytes = NAME_MAX_BYTES;
	memcpy(buffer, name, nr_bytes);
	buffer[nr_bytes] = '\0';
	return buffer;
}

static void put_wanted(unsigned int op, const char *name, size_t nr_bytes, int64_t value)
{
	char text[NAME_MAX_BYTES + 1];
	struct annot_site *site = NULL;
	struct kept_name *kept;

	nr_bytes = trimmed_length(name, nr_bytes);
	kept = find_kept(name, nr_bytes);
	if (kept) {
		site = &kept->site;
		if (annot_store(site, op, value))
			return;
	}
	annot_emit(site, op, terminated(text, name, nr_bytes), value);
}

void annot_fortran_put(int op, const char *name, size_t nr_bytes, int64_t value)
{
	if (annot_is_wanted())
		put_wanted((unsigned int)op, name, nr_bytes, value);
}

void annot_fortran_end(void)
{
	annot_end();
}

void annot_fortran_object(const char *name, size_t nr_bytes, const void *pointer, int64_t bytes)
{
	char text[NAME_MAX_BYTES + 1];

	if (bytes > 0)
		annot_object(terminated(text, name, trimmed_length(name, nr_bytes)), pointer,
			     (uint64_t)bytes);
}

void annot_fortran_object_end(const void *pointer)
{
	annot_object_end(pointer);
}

void annot_fortran_thread_name(const char *name, size_t nr_bytes)
{
	char text[NAME_MAX_BYTES + 1];

	annot_thread_name(terminated(text, name, trimmed_length(name, nr_bytes)));
}

int annot_fortran_enabled(void)
{
	return annot_enabled();
}
