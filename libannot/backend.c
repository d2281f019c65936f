// SPDX-License-Identifier: MIT
/*
 * Where annotations go: decided by the first one, wherever it comes from, and kept.
 *
 * There is no lock, since a signal handler may interrupt the decision and annotate itself. Whoever
 * finds nothing decided goes all the way on its own; all come to the same result, and each piece
 * of it is published by compare-and-exchange, so that whatever was opened twice is closed again.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"
#include "uapi/annot.h"

struct annot_control_page annot_control_page = { .recording = 1 };

static _Atomic(enum backend) decided;

/* The environment, as it was when the program started: setenv() may be running now. */
enum choice {
	CHOICE_AUTO,
	CHOICE_DEVICE,
	CHOICE_MARKER,
	CHOICE_RAW,
	CHOICE_OFF,
	CHOICE_UNKNOWN, /* as auto */
};

static struct {
	bool known;
	enum choice choice;
	bool debug;
	bool batches; /* recorders understand batches */
	char tracefs[256];
} environment;

static enum choice parse_choice(const char *text)
{
	if (!text || !strcmp(text, "auto"))
		return CHOICE_AUTO;
	if (!strcmp(text, "device"))
		return CHOICE_DEVICE;
	if (!strcmp(text, "marker"))
		return CHOICE_MARKER;
	if (!strcmp(text, "raw"))
		return CHOICE_RAW;
	if (!strcmp(text, "off"))
		return CHOICE_OFF;
	return CHOICE_UNKNOWN;
}

static bool is_set(const char *variable)
{
	const char *value = secure_getenv(variable);

	return value && *value && strcmp(value, "0");
}

/* Early, but other constructors may annotate before it: see decide(). */
__attribute__((constructor(101))) static void read_environment(void)
{
	const char *tracefs = secure_getenv("ANNOT_TRACEFS");

	environment.choice = parse_choice(secure_getenv("ANNOT_BACKEND"));
	environment.debug = is_set("ANNOT_DEBUG");
	environment.batches = is_set("ANNOT_BATCHES");
	if (tracefs && strlen(tracefs) < sizeof(environment.tracefs))
		strcpy(environment.tracefs, tracefs);
	environment.known = true;
}

/* What came of the attempts: 0, -errno, or that it was not tried. */
#define NOT_TRIED 1

struct attempts {
	struct abi_range range; /* of the device */
	int device;
	int marker;
	int raw;
	const char *tracefs; /* of the marker */
};

bool annot_backend_may_be_raw(void)
{
	return environment.choice == CHOICE_RAW ||
	       ((environment.choice == CHOICE_AUTO || environment.choice == CHOICE_UNKNOWN) &&
		environment.batches);
}

static bool marker_is_always_written(void)
{
	return environment.choice == CHOICE_MARKER || environment.choice == CHOICE_RAW;
}

static int try_marker(struct attempts *attempts)
{
	static const char *const usual[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };
	bool always = marker_is_always_written();
	size_t i;

	if (environment.tracefs[0]) {
		attempts->tracefs = environment.tracefs;
		return annot_marker_open(environment.tracefs, always);
	}
	for (i = 0; i < sizeof(usual) / sizeof(usual[0]); i++) {
		int error = annot_marker_open(usual[i], always);

		/* Report the first directory, unless it does not exist. */
		if (!i || error != -ENOENT) {
			attempts->tracefs = usual[i];
			attempts->marker = error;
		}
		if (!error)
			break;
	}
	return attempts->marker;
}

static enum backend try_backends(struct attempts *attempts)
{
	enum choice choice = environment.choice;

	if (choice == CHOICE_OFF)
		return BACKEND_OFF;
	if (choice != CHOICE_MARKER && choice != CHOICE_RAW) {
		attempts->device = annot_device_open(&attempts->range);
		if (!attempts->device)
			return BACKEND_DEVICE;
	}
	if (choice != CHOICE_DEVICE) {
		attempts->marker = try_marker(attempts);
		if (attempts->marker)
			return BACKEND_OFF;
		if (annot_backend_may_be_raw())
			attempts->raw = annot_raw_open(attempts->tracefs);
		return attempts->raw ? BACKEND_MARKER : BACKEND_RAW;
	}
	return BACKEND_OFF;
}

static void tell_error(struct line *text, int error)
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
static void tell_group(struct line *text)
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

static void tell_versions(struct line *text, const struct abi_range *range)
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

static void tell_device_error(struct line *text, const struct attempts *attempts)
{
	int error = attempts->device;

	annot_line_add(text, annot_device_directory);
	annot_line_add(text, ": ");
	if (error == -EPROTO) {
		tell_versions(text, &attempts->range);
		return;
	}
	tell_error(text, error);
	if (error == -ENOENT)
		annot_line_add(text, " (is the module annot loaded?)");
	if (error == -EACCES || error == -EPERM)
		tell_group(text);
}

static void tell_marker_error(struct line *text, const struct attempts *attempts)
{
	annot_line_add(text, attempts->tracefs);
	annot_line_add(text, "/trace_marker: ");
	tell_error(text, attempts->marker);
	if (attempts->marker == -ENOENT)
		annot_line_add(text, " (is tracefs mounted?)");
}

#define NO_TSC "the thread may not read the TSC (PR_SET_TSC)"

static void tell_no_sequences(struct line *text, int error)
{
	if (error == -EEXIST)
		annot_line_add(text, "another library has the restartable sequences");
	else if (error == -ENOLINK)
		annot_line_add(text, "linked into an object that may be unloaded (-z nodelete)");
	else
		annot_line_add(text, "no restartable sequences");
}

static void tell_no_batches(struct line *text, int error)
{
	annot_line_add(text, "; no batches: ");
	switch (error) {
	case -ENOSYS:
	case -EEXIST:
	case -ENOLINK:
		tell_no_sequences(text, error);
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
		tell_error(text, error);
	}
}

static void tell_marker(struct line *text, bool raw, const char *tracefs)
{
	annot_line_add(text, raw ? "raw: " : "marker: ");
	annot_line_add(text, tracefs);
	annot_line_add(text, raw ? "/trace_marker_raw, in batches" : "/trace_marker");
	annot_line_add(text,
		       marker_is_always_written() ? ", always" : ", while events are recorded");
}

static void tell(struct line *text, enum backend backend, const struct attempts *attempts)
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
		tell_marker(text, backend == BACKEND_RAW, attempts->tracefs);
	if (attempts->raw && attempts->raw != NOT_TRIED)
		tell_no_batches(text, attempts->raw);
	if (environment.choice == CHOICE_OFF)
		annot_line_add(text, "; ANNOT_BACKEND=off");
	if (environment.choice == CHOICE_UNKNOWN)
		annot_line_add(text, "; ANNOT_BACKEND has an unknown value, taken as auto");
	if (attempts->device != NOT_TRIED) {
		annot_line_add(text, "; ");
		tell_device_error(text, attempts);
	}
	if (backend == BACKEND_OFF && attempts->marker != NOT_TRIED) {
		annot_line_add(text, "; ");
		tell_marker_error(text, attempts);
	}
}

static const char *_Atomic status; /* NULL until the text is complete */

static void print_text(const struct line *text)
{
	struct line message = { 0 };

	if (environment.debug) {
		annot_line_add(&message, "annot: ");
		annot_line_add_bytes(&message, text->bytes, text->nr_bytes);
		annot_line_add(&message, "\n");
		annot_descriptor_write(STDERR_FILENO, message.bytes, message.nr_bytes);
	}
}

/*
 * Call only in the thread whose decision counts. Another thread may have mapped the rings
 * meanwhile.
 */
static void publish_status(enum backend backend, const struct attempts *attempts)
{
	static struct line text;
	const char *none = NULL;

	tell(&text, backend, attempts);
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
	atomic_int is_told[NR_RINGS_TEXTS];
	struct line texts[NR_RINGS_TEXTS];
} rings;

static void tell_why_no_ring(struct line *text, int error)
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
		tell_no_sequences(text, error);
		break;
	case -ENXIO:
		annot_line_add(text, NO_TSC);
		break;
	case -EOPNOTSUPP:
		annot_line_add(text, "the module and this library share no clock");
		break;
	default:
		tell_error(text, error);
	}
}

static void tell_no_ring(struct line *text)
{
	int cpu = atomic_load(&rings.first_error_cpu);

	if (cpu >= 0) {
		annot_line_add(text, "no ring of CPU ");
		annot_line_add_number(text, cpu);
		annot_line_add(text, ": ");
	} else {
		annot_line_add(text, "no rings: ");
	}
	tell_why_no_ring(text, atomic_load(&rings.first_error));
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

void annot_backend_report_rings(int cpu, int error)
{
	enum rings_text which;
	struct line *text;

	note_ring(cpu, error);
	which = which_rings_text();
	if (atomic_exchange(&rings.is_told[which], 1)) /* perhaps by the parent */
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
		tell_no_ring(text);
	}
	print_text(text);
	annot_line_add_bytes(text, "", 1);
	publish_rings_text(which);
}

/* Mapping the rings failed after the decision: corrects the status text. */
void annot_backend_report_no_batches(int error)
{
	static struct line text;
	static atomic_int told;
	const char *decided_on;

	if (atomic_exchange(&told, 1)) /* by the parent of this process */
		return;
	decided_on = atomic_load(&status);
	annot_line_add(&text, decided_on ? decided_on : "raw");
	tell_no_batches(&text, error);
	publish_text(&text);
}

static void publish_word(enum backend backend)
{
	uint32_t word = backend != BACKEND_OFF;

	if (backend == BACKEND_DEVICE) {
		annot_device_map_control();
		return;
	}
	if (word && !marker_is_always_written() && annot_rest_prepare())
		word = ANNOT_UNLESS_RESTING;
	__atomic_store_n(&annot_control_page.recording, word, __ATOMIC_RELEASE);
}

static enum backend decide(void)
{
	struct attempts attempts = {
		.device = NOT_TRIED,
		.marker = NOT_TRIED,
		.raw = NOT_TRIED,
	};
	enum backend none = BACKEND_UNDECIDED;
	enum backend backend;

	if (!environment.known)
		read_environment();
	backend = try_backends(&attempts);
	if (!atomic_compare_exchange_strong(&decided, &none, backend))
		return none; /* which now holds what another has decided */
	publish_word(backend);
	publish_status(backend, &attempts);
	return backend;
}

enum backend annot_backend(void)
{
	enum backend backend = atomic_load_explicit(&decided, memory_order_acquire);

	return backend == BACKEND_UNDECIDED ? decide() : backend;
}

const char *annot_status(void)
{
	const char *text;
	int saved_errno = errno;

	annot_backend();
	text = atomic_load(&status);
	errno = saved_errno;
	return text ? text : "being decided by another thread";
}
