// SPDX-License-Identifier: MIT
/*
 * The text of annot_status(). Texts are complete when they are published, and stay.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "status.h"
#include "descriptor.h"
#include "environment.h"
#include "format.h"
#include "uapi/annot.h"

static void add_error(struct line *text, int error)
{
	switch (error) {
	case -ENOENT:
		annot_line_add(text, "does not exist");
		break;
	case -EACCES:
	case -EPERM:
		annot_line_add(text, "permission denied");
		break;
	case -EMFILE:
	case -ENFILE:
		annot_line_add(text, "too many open files");
		break;
	default:
		annot_line_add(text, "error ");
		annot_line_add_number(text, -error);
	}
}

/* By number: getgrgid() is not for signal handlers. */
static void add_group(struct line *text)
{
	struct line path = { 0 };
	struct stat device;

	annot_line_add(&path, annot_device_directory);
	annot_line_add_bytes(&path, "/ctl", sizeof("/ctl"));
	annot_line_add(text, " (join the group annot, as annot's udev rule has it");
	if (!stat(path.bytes, &device)) {
		annot_line_add(text, "; here it is group id ");
		annot_line_add_number(text, device.st_gid);
	}
	annot_line_add(text, ")");
}

static void add_versions(struct line *text, const struct abi_range *range)
{
	annot_line_add(text, "this library has version ");
	annot_line_add_number(text, ANNOT_ABI_VERSION);
	annot_line_add(text, " of the ABI, the module understands ");
	/* The first modules do not report the oldest version. */
	if (range->oldest && range->oldest != range->newest) {
		annot_line_add_number(text, range->oldest);
		annot_line_add(text, " to ");
	} else {
		annot_line_add(text, "only ");
	}
	annot_line_add_number(text, range->newest);
}

static void add_device_error(struct line *text, const struct attempts *attempts)
{
	int error = attempts->device;

	annot_line_add(text, annot_device_directory);
	annot_line_add(text, ": ");
	if (error == -EPROTO) {
		add_versions(text, &attempts->range);
		return;
	}
	add_error(text, error);
	if (error == -ENOENT)
		annot_line_add(text, " (is the module annot loaded?)");
	if (error == -EACCES || error == -EPERM)
		add_group(text);
}

static void add_marker_error(struct line *text, const struct attempts *attempts)
{
	annot_line_add(text, attempts->tracefs);
	annot_line_add(text, "/trace_marker: ");
	add_error(text, attempts->marker);
	if (attempts->marker == -ENOENT)
		annot_line_add(text, " (is tracefs mounted?)");
}

#define NO_TSC "the thread may not read the TSC (PR_SET_TSC)"

static void add_no_sequences(struct line *text, int error)
{
	if (error == -EEXIST)
		annot_line_add(text, "another library has the restartable sequences");
	else if (error == -ENOLINK)
		annot_line_add(text, "linked into an object that may be unloaded (-z nodelete)");
	else
		annot_line_add(text, "no restartable sequences");
}

static void add_no_batches(struct line *text, int error)
{
	annot_line_add(text, "; no batches: ");
	switch (error) {
	case -ENOSYS:
	case -EEXIST:
	case -ENOLINK:
		add_no_sequences(text, error);
		break;
	case -ENXIO:
		annot_line_add(text, NO_TSC);
		break;
	case -EOPNOTSUPP:
		annot_line_add(text, "the kernel does not trust the processor's clock");
		break;
	case -EAGAIN:
		annot_line_add(text, "the program is just starting, or short of keys of threads");
		break;
	default:
		annot_line_add(text, "trace_marker_raw: ");
		add_error(text, error);
	}
}

static void add_marker(struct line *text, bool raw, const char *tracefs)
{
	annot_line_add(text, raw ? "raw: " : "marker: ");
	annot_line_add(text, tracefs);
	annot_line_add(text, raw ? "/trace_marker_raw, in batches" : "/trace_marker");
	annot_line_add(text,
		       annot_environment_is_always() ? ", always" : ", while events are recorded");
}

static void write_status(struct line *text, enum backend backend, const struct attempts *attempts)
{
	text->nr_bytes = 0;
	if (backend == BACKEND_DEVICE) {
		annot_line_add(text, "device: ");
		annot_line_add(text, annot_device_directory);
		annot_line_add(text, ", while an annot event is enabled");
		return;
	}
	if (backend == BACKEND_OFF)
		annot_line_add(text, "off");
	else
		add_marker(text, backend == BACKEND_RAW, attempts->tracefs);
	if (attempts->raw && attempts->raw != NOT_TRIED)
		add_no_batches(text, attempts->raw);
	if (annot_environment()->choice == CHOICE_OFF)
		annot_line_add(text, "; ANNOT_BACKEND=off");
	if (annot_environment()->choice == CHOICE_UNKNOWN)
		annot_line_add(text, "; ANNOT_BACKEND has an unknown value, taken as auto");
	if (attempts->device != NOT_TRIED) {
		annot_line_add(text, "; ");
		add_device_error(text, attempts);
	}
	if (backend == BACKEND_OFF && attempts->marker != NOT_TRIED) {
		annot_line_add(text, "; ");
		add_marker_error(text, attempts);
	}
}

static const char *_Atomic status; /* NULL until the text is complete */

static void print_text(const struct line *text)
{
	struct line message = { 0 };

	if (annot_environment()->debug) {
		annot_line_add(&message, "annot: ");
		annot_line_add_bytes(&message, text->bytes, text->nr_bytes);
		annot_line_add(&message, "\n");
		annot_descriptor_write(STDERR_FILENO, message.bytes, message.nr_bytes);
	}
}

void annot_status_publish(enum backend backend, const struct attempts *attempts)
{
	static struct line text;
	const char *none = NULL;

	write_status(&text, backend, attempts);
	print_text(&text);
	annot_line_add_bytes(&text, "", 1);
	atomic_compare_exchange_strong(&status, &none, text.bytes);
}

/* Replaces the status text. */
static void publish_text(struct line *text)
{
	print_text(text);
	annot_line_add_bytes(text, "", 1);
	atomic_store(&status, text->bytes);
}

/* A later text may replace an earlier one. Each is printed once. */
enum rings_text {
	RINGS_EVERYWHERE, /* as far as is known */
	RINGS_NOWHERE, /* likewise */
	RINGS_SOMEWHERE,
	NR_RINGS_TEXTS
};

/* The results of mapping the device's rings, in this process and, inherited, in its parent. */
static struct {
	atomic_bool some;
	atomic_int first_error; /* 0: none */
	atomic_int first_error_cpu; /* set before; -1: of none of them */
	atomic_int is_printed[NR_RINGS_TEXTS];
	struct line texts[NR_RINGS_TEXTS];
} rings;

static void add_why_no_ring(struct line *text, int error)
{
	switch (error) {
	case -EBUSY:
		annot_line_add(text, "another copy of this library has it");
		break;
	case -ENODEV:
		annot_line_add(text, "the kernel does not trust the processor's clock");
		break;
	case -ENOMEM:
		annot_line_add(text, "no memory, or no more may be locked (RLIMIT_MEMLOCK)");
		break;
	case -ENOSYS:
	case -EEXIST:
	case -ENOLINK:
		add_no_sequences(text, error);
		break;
	case -ENXIO:
		annot_line_add(text, NO_TSC);
		break;
	case -EOPNOTSUPP:
		annot_line_add(text, "the module and this library share no clock");
		break;
	default:
		add_error(text, error);
	}
}

static void add_no_ring(struct line *text)
{
	int cpu = atomic_load(&rings.first_error_cpu);

	if (cpu >= 0) {
		annot_line_add(text, "no ring of CPU ");
		annot_line_add_number(text, cpu);
		annot_line_add(text, ": ");
	} else {
		annot_line_add(text, "no rings: ");
	}
	add_why_no_ring(text, atomic_load(&rings.first_error));
}

static enum rings_text which_rings_text(void)
{
	if (!atomic_load(&rings.first_error))
		return RINGS_EVERYWHERE;
	return atomic_load(&rings.some) ? RINGS_SOMEWHERE : RINGS_NOWHERE;
}

static void note_ring(int cpu, int error)
{
	static atomic_int noted;

	if (!error)
		atomic_store(&rings.some, true);
	if (!error || atomic_exchange(&noted, 1))
		return;
	atomic_store(&rings.first_error_cpu, cpu);
	atomic_store(&rings.first_error, error);
}

/* Replaces the status text, unless a later kind of text has been set. */
static void publish_rings_text(enum rings_text which)
{
	const char *seen = atomic_load(&status);
	int later;

	do {
		for (later = which + 1; later < NR_RINGS_TEXTS; later++)
			if (seen == rings.texts[later].bytes)
				return;
	} while (!atomic_compare_exchange_weak(&status, &seen, rings.texts[which].bytes));
}

void annot_status_report_rings(int cpu, int error)
{
	enum rings_text which;
	struct line *text;

	note_ring(cpu, error);
	which = which_rings_text();
	if (atomic_exchange(&rings.is_printed[which], 1)) /* perhaps by the parent */
		return;
	text = &rings.texts[which];
	annot_line_add(text, "device: ");
	annot_line_add(text, annot_device_directory);
	annot_line_add(text, which == RINGS_NOWHERE ? ", by write()" : ", by rings");
	if (which == RINGS_SOMEWHERE)
		annot_line_add(text, ", else by write()");
	annot_line_add(text, ", while an annot event is enabled");
	if (which != RINGS_EVERYWHERE) {
		annot_line_add(text, "; ");
		add_no_ring(text);
	}
	print_text(text);
	annot_line_add_bytes(text, "", 1);
	publish_rings_text(which);
}

void annot_status_report_no_batches(int error)
{
	static struct line text;
	static atomic_int told;
	const char *decided_on;

	if (atomic_exchange(&told, 1)) /* by the parent of this process */
		return;
	decided_on = atomic_load(&status);
	annot_line_add(&text, decided_on ? decided_on : "raw");
	add_no_batches(&text, error);
	publish_text(&text);
}

const char *annot_status_text(void)
{
	return atomic_load(&status);
}
