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
	bool batches; /* who records understands them */
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

		/* Tell of the first place, unless there is nothing. */
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
		attempts->device = annot_device_open();
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
	annot_line_add(text, " (join the group tracing, as annot's udev rule has it");
	if (!stat(path.bytes, &device)) {
		annot_line_add(text, "; here it is group id ");
		annot_line_add_number(text, device.st_gid);
	}
	annot_line_add(text, ")");
}

static void tell_device_error(struct line *text, int error)
{
	annot_line_add(text, annot_device_directory);
	annot_line_add(text, ": ");
	if (error == -EPROTO) {
		annot_line_add(text, "the module loaded and this library differ in version");
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

static void tell_no_batches(struct line *text, int error)
{
	annot_line_add(text, "; no batches: ");
	switch (error) {
	case -ENOSYS:
		annot_line_add(text, "no restartable sequences");
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
		tell_device_error(text, attempts->device);
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

/* Only by the thread whose decision counts. Another may have got as far as the rings meanwhile. */
static void publish_status(enum backend backend, const struct attempts *attempts)
{
	static struct line text;
	const char *none = NULL;

	tell(&text, backend, attempts);
	print_text(&text);
	annot_line_add_bytes(&text, "", 1);
	atomic_compare_exchange_strong(&status, &none, text.bytes);
}

/* In the place of whatever was told before. */
static void publish_text(struct line *text)
{
	print_text(text);
	annot_line_add_bytes(text, "", 1);
	atomic_store(&status, text->bytes);
}

static void tell_no_rings(struct line *text, int error)
{
	annot_line_add(text, ", by write(); no rings: ");
	switch (error) {
	case -EBUSY:
		annot_line_add(text, "another copy of this library has them");
		break;
	case -EOPNOTSUPP:
		annot_line_add(text, "the module and this library share no clock");
		break;
	case -ENOSYS:
		annot_line_add(text, "no restartable sequences");
		break;
	default:
		tell_error(text, error);
	}
}

void annot_backend_tell_rings(int error)
{
	static struct line text;
	static atomic_bool told;

	if (atomic_exchange(&told, true)) /* by the parent of this process */
		return;
	annot_line_add(&text, "device: ");
	annot_line_add(&text, annot_device_directory);
	if (error)
		tell_no_rings(&text, error);
	else
		annot_line_add(&text, ", by rings");
	annot_line_add(&text, ", while an annot event is enabled");
	publish_text(&text);
}

/* The mapping of the rings has failed, after all: what the decision told is not so. */
void annot_backend_tell_no_batches(int error)
{
	static struct line text;
	static atomic_bool told;
	const char *decided_on;

	if (atomic_exchange(&told, true)) /* by the parent of this process */
		return;
	decided_on = atomic_load(&status);
	annot_line_add(&text, decided_on ? decided_on : "raw");
	tell_no_batches(&text, error);
	publish_text(&text);
}

static void publish_word(enum backend backend)
{
	if (backend == BACKEND_DEVICE)
		annot_device_map_control();
	else
		__atomic_store_n(&annot_control_page.recording, backend != BACKEND_OFF,
				 __ATOMIC_RELAXED);
}

static enum backend decide(void)
{
	struct attempts attempts = { NOT_TRIED, NOT_TRIED, NOT_TRIED, NULL };
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
