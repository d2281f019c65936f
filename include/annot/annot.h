/* SPDX-License-Identifier: MIT */
/*
 * annot.h - say what a program is doing, so that a trace of the machine can show it.
 *
 *	annot_thread_name("pe0");
 *	annot_begin("loop48");			a span of work: a loop, a phase, a request
 *	...
 *	annot_end();
 *	annot_wait_begin("barrier");		a span of waiting: a barrier, a lock
 *	pthread_barrier_wait(&barrier);
 *	annot_end();
 *
 * or, ended by the scope it stands in:
 *
 *	{
 *		ANNOT_SCOPE("loop48");
 *		...
 *	}
 *
 * Where it goes. Each annotation becomes an event in the kernel's ftrace buffer, beside the
 * scheduler's own events and on their clock. With the kernel module annot, the thread stores a
 * record of 32 bytes into a ring that the kernel empties at the next switch of tasks, one ring for
 * each CPU; where there are no rings it is a write() to the device /dev/annot/cpuN, and while
 * annot record --count counts, a system call that reads the counters. Without the
 * module it is a write() to ftrace's trace_marker, in the format that systrace and Perfetto read,
 * while something is being recorded there; under annot record the thread gathers its annotations
 * and writes up to 250 at a time to trace_marker_raw. Without either it goes nowhere.
 * annot_status() tells which, the environment variable ANNOT_DEBUG=1 prints it. annot(3) has the
 * rest: environment, permissions, the fall-back.
 *
 * What is gathered is written out when the thread annotates again after 10 ms, when it ends, when
 * the process exits, forks or becomes another program; that of a thread that sleeps, by any other
 * thread of the process that annotates. A thread that blocks or computes for long without a word
 * may thus keep its last annotations for as long; SIGKILL takes them along: of each thread at most
 * the last 250. With the module nothing is lost so.
 *
 * What it costs. Unless somebody records annotations, one load and one branch: the word lies in a
 * page shared with the kernel, and it is 0. Without the module, in a program that may write to ftrace,
 * two loads and a branch more; and when the thread was preempted, a look at two files of tracefs, at
 * most one in 20 ms. The first annotation of a process also opens the
 * devices. While somebody records, little more than reading the clock, if the name is a literal:
 * then the place of the call remembers the name's number. Any other name is looked up each time.
 *
 * Work and waiting are kept apart, because only then can a report tell load imbalance from work:
 * mark what waits for other threads as a wait.
 *
 * Spans nest and belong to a thread: annot_end() ends the innermost span that its own thread has
 * begun. A name is any text; it is read during the call and not kept. The trace holds up to 255
 * bytes of it, cut between UTF-8 characters; control characters become '?'; NULL and "" as well.
 * Give a name to a kind of work, and what distinguishes its instances to the 64-bit value:
 * annot_begin_value("row", i), not a name made for each i.
 *
 * The contract, for everything in this file. "Cost" below is what is paid while recording.
 *	Errors		none are returned, and none hurts the caller: errno is kept, what cannot
 *			be written is dropped.
 *	Threads		safe in any thread, whoever created it; no locks, but in the fall-back in
 *			batches one for each thread, which is its own.
 *	Signals		async-signal-safe; allocates nothing.
 *	Cancellation	not a cancellation point.
 *	Time of call	any: in constructors, after fork(), in atexit handlers and destructors.
 *			In the child of vfork() use none of this, as POSIX has it.
 *
 * Compile with ANNOT_DISABLE defined, and all of this is empty: the library need not be linked,
 * and annot_enabled() is the constant 0. Arguments are evaluated in either case, as those of any
 * function are, so that a program does the same with and without it. Keep costly ones behind
 * if (annot_enabled()).
 *
 * The functions that take a name are also macros of the same name, which is how a call remembers
 * it. (annot_begin)(name) is the plain function, for where a macro cannot stand: the initialiser
 * of a global object, an inline function of C that is not static.
 *
 * C11 or C++17 with the GNU extensions that gcc and clang share.
 *
 * How this may grow after 0.2.0. Code of this header is compiled into programs. A program built with
 * it works with each later libannot.so.0. So what stands here keeps its name, type, layout, number
 * and meaning. A later release may add functions, macros and operations (ANNOT_OP_*). A new symbol
 * of the library gets a new node in libannot/libannot.map: the loader refuses a program that needs it
 * where the library is older. annot_emit() ignores an operation that it does not know; the module
 * counts a record of one as lost. Any other change takes another number in libannot.so.0. No version
 * is compared while a program runs: that is between library and module, in uapi/annot.h.
 * CONTRIBUTING.md, "How to change the ABI", has the steps.
 */
#ifndef ANNOT_H
#define ANNOT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What stands between this header and the library. Programs use the functions further down.
 *
 * What an annotation is: the numbers are those of the kernel's records.
 */
#define ANNOT_OP_BEGIN 0
#define ANNOT_OP_WAIT_BEGIN 1
#define ANNOT_OP_END 2
#define ANNOT_OP_MARK 3
#define ANNOT_OP_COUNTER 4
#define ANNOT_OP_NEXT 5
#define ANNOT_OP_HAS_VALUE 0x100 /* or'ed to the above: value counts */

/* The place of a call: the number of its name, or'ed to annot_rings.generation; at first 0. */
struct annot_site {
	uint64_t name;
};

#ifndef ANNOT_DISABLE

#define ANNOT_EXPORT __attribute__((visibility("default")))

/* The size of a page, or the largest that the architecture may have. */
#if defined(__x86_64__) || defined(__i386__)
#define ANNOT_PAGE_BYTES 4096
#else
#define ANNOT_PAGE_BYTES 65536
#endif

/* annot_control_page.recording, without the module: unless the calling thread rests. */
#define ANNOT_UNLESS_RESTING 0x10000

/*
 * A page of the program's data, over which the library maps the page of /dev/annot/ctl.
 * @recording is 0 when an annotation would be thrown away. At first it is 1, so that the first
 * annotation comes to annot_emit() and prepares the way; without the module it is a constant.
 *
 * A thread rests when it has seen that nobody records, and has not been preempted since: the kernel
 * then sets struct rseq's rseq_cs to 0. So it looks again when another task has run on its CPU, and
 * whoever begins to record runs on each CPU.
 * @rseq_offset: of the thread's struct rseq from its thread pointer
 * @resting_cs:	rseq_cs of a thread that rests: a sequence in which no thread ever is
 */
struct annot_control_page {
	uint32_t version;
	uint32_t recording;
	uint32_t of_module[14];
	int64_t rseq_offset;
	uint64_t resting_cs;
} __attribute__((aligned(ANNOT_PAGE_BYTES)));

/*
 * The rings of this process, in a page of its own, which the kernel fills with zeros in the child
 * of any kind of fork: the rings are not inherited, nor are the numbers of names.
 *
 * @rseq_offset: of the thread's struct rseq from its thread pointer; 0: there are no rings
 * @index_offset: from the thread pointer, of the 32-bit number of the ring to write to: the CPU's,
 *		where each CPU has one; where each thread has one, that thread's
 * @generation:	in its upper half; not that of any ancestor
 * @rings:	the ring of each number; one that is always full where there is none
 * @page_bytes:	from a ring to its records
 * @nr_rings:	a number from here on is that of no ring
 * @progress, @source: the library's own
 */
struct annot_rings_page {
	int64_t rseq_offset;
	int64_t index_offset;
	uint64_t generation;
	char **rings;
	uint64_t page_bytes;
	uint32_t nr_rings;
	uint32_t progress;
	const void *source;
} __attribute__((aligned(ANNOT_PAGE_BYTES)));

ANNOT_EXPORT extern struct annot_control_page annot_control_page;
ANNOT_EXPORT extern struct annot_rings_page annot_rings;

/* The way of an annotation that could not be stored here. @site: NULL unless the name is fixed. */
ANNOT_EXPORT __attribute__((cold)) void annot_emit(struct annot_site *site, unsigned int op,
						   const char *name, int64_t value);
ANNOT_EXPORT int annot_recording(void);

#if defined(__x86_64__) && defined(__LP64__)
#include <annot/rseq-x86_64.h>
#elif defined(__aarch64__) && defined(__LP64__) && defined(__AARCH64EL__)
#include <annot/rseq-arm64.h>
#elif defined(__riscv) && __riscv_xlen == 64 && defined(__LP64__)
#include <annot/rseq-riscv64.h>
#endif

/*
 * False: an annotation would be thrown away. Where annotations are wanted, storing them costs more than
 * a jump; so the expectations are those of the program that nobody records.
 */
static inline int annot_is_wanted(void)
{
	uint32_t word = __atomic_load_n(&annot_control_page.recording, __ATOMIC_RELAXED);

	if (word == 0)
		return 0;
#ifdef ANNOT_RSEQ_CLOCK
	if (__builtin_expect(word == ANNOT_UNLESS_RESTING, 1) &&
	    __builtin_expect(annot_rseq_current(annot_control_page.rseq_offset) ==
				     annot_control_page.resting_cs,
			     1))
		return 0;
#endif
	return 1;
}

#ifdef ANNOT_RSEQ_CLOCK

/* The words at 16 of struct annot_record: a name's number, what the annotation is, flags. */
static inline uint64_t annot_record_meta(unsigned int op, uint64_t name)
{
	uint64_t op_and_flag = op; /* the flag is 1 in the byte after the op, as in op itself */

	return (name & 0xffffffff) | op_and_flag << 32;
}

/*
 * Into the ring of this CPU or thread; 0 when there is none, when it is full or to be emptied for
 * its age, or when the name has no number yet.
 * The offset is looked at before all else and used to the end, for a signal handler may fork, and
 * its child come back to here: it finds no ring then.
 */
static inline __attribute__((always_inline)) int annot_store(struct annot_site *site,
							     unsigned int op, int64_t value)
{
	int64_t rseq_offset = __atomic_load_n(&annot_rings.rseq_offset, __ATOMIC_ACQUIRE);
	uint64_t name = 0;

	if ((op & 0xff) != ANNOT_OP_END) {
		if (!site)
			return 0;
		name = __atomic_load_n(&site->name, __ATOMIC_RELAXED);
		if (__builtin_expect((name ^ annot_rings.generation) >> 32 != 0, 0))
			return 0;
	}
	return annot_rseq_store(rseq_offset, annot_record_meta(op, name), value);
}

#else

static inline int annot_store(struct annot_site *site, unsigned int op, int64_t value)
{
	(void)site;
	(void)op;
	(void)value;
	return 0;
}

#endif

static inline __attribute__((always_inline)) void
annot_put(struct annot_site *site, unsigned int op, const char *name, int64_t value)
{
	if (annot_is_wanted() && !annot_store(site, op, value))
		annot_emit(site, op, name, value);
}

/*
 * Whether annotations are being recorded now: not 0 if so. For skipping what only serves an
 * annotation.
 * Cost: as a disabled annotation.
 */
static inline int annot_enabled(void)
{
	return annot_is_wanted() && annot_recording();
}

/*
 * One line that tells where the annotations of this process go, and why. Static text: valid for
 * ever, not to be freed.
 * Cost: at first, opens the devices as the first annotation does; later one load.
 */
ANNOT_EXPORT const char *annot_status(void);

/*
 * Puts into the trace what all threads of the process have annotated so far. For before what the
 * library does not see, a bare execve() or _exit() by system call. Only the fall-back in batches
 * needs it: annot(3), "Batches".
 * Cost: a system call for a hundred annotations; where there are no batches, a load.
 */
ANNOT_EXPORT void annot_flush(void);

/*
 * Names the calling thread, in the trace and in every tool that shows threads: it is prctl(2)'s
 * PR_SET_NAME, of which the kernel keeps 15 bytes. Takes effect whether or not anything records.
 * In the main thread it also changes what ps and pkill take the program's name to be.
 * Cost: one system call.
 */
ANNOT_EXPORT void annot_thread_name(const char *name);

#else /* ANNOT_DISABLE */

static inline void annot_put(struct annot_site *site, unsigned int op, const char *name,
			     int64_t value)
{
	(void)site;
	(void)op;
	(void)name;
	(void)value;
}

static inline int annot_enabled(void)
{
	return 0;
}

static inline const char *annot_status(void)
{
	return "off: compiled with ANNOT_DISABLE";
}

static inline void annot_flush(void)
{
}

static inline void annot_thread_name(const char *name)
{
	(void)name;
}

#endif /* ANNOT_DISABLE */

/*
 * Begins a span of work named @name. @value, any 64-bit number, is shown with the span: a row, a
 * trip count, bytes.
 * Cost: with a ring one record, if @name is a literal; if not, a look-up of the name and the record.
 * Without a ring one write() to the device, without the module one to trace_marker; both are
 * preceded by a cheap system call that makes sure the descriptor is still ours. Gathered in
 * batches: as with a ring, and five system calls for 250.
 */
static inline void annot_begin(const char *name)
{
	annot_put(0, ANNOT_OP_BEGIN, name, 0);
}

static inline void annot_begin_value(const char *name, int64_t value)
{
	annot_put(0, ANNOT_OP_BEGIN | ANNOT_OP_HAS_VALUE, name, value);
}

/*
 * Begins a span of waiting for other threads: a barrier, a lock, an empty queue.
 * Cost: as annot_begin().
 */
static inline void annot_wait_begin(const char *name)
{
	annot_put(0, ANNOT_OP_WAIT_BEGIN, name, 0);
}

static inline void annot_wait_begin_value(const char *name, int64_t value)
{
	annot_put(0, ANNOT_OP_WAIT_BEGIN | ANNOT_OP_HAS_VALUE, name, value);
}

/*
 * Ends the calling thread's innermost span, of work or of waiting. Without one, it is ignored.
 * Cost: as annot_begin().
 */
static inline void annot_end(void)
{
	annot_put(0, ANNOT_OP_END, 0, 0);
}

/*
 * Ends the calling thread's innermost span and begins a span of work, at one moment: phases.
 * Without a span to end, it is annot_begin().
 * Cost: one annotation, where annot_end() and annot_begin() are two.
 */
static inline void annot_next(const char *name)
{
	annot_put(0, ANNOT_OP_NEXT, name, 0);
}

static inline void annot_next_value(const char *name, int64_t value)
{
	annot_put(0, ANNOT_OP_NEXT | ANNOT_OP_HAS_VALUE, name, value);
}

/*
 * Marks a moment: something happened here, in this thread, now.
 * Cost: as annot_begin().
 */
static inline void annot_mark(const char *name)
{
	annot_put(0, ANNOT_OP_MARK, name, 0);
}

static inline void annot_mark_value(const char *name, int64_t value)
{
	annot_put(0, ANNOT_OP_MARK | ANNOT_OP_HAS_VALUE, name, value);
}

/*
 * Says that the counter @name has the value @value from now on: a queue's length, bytes in use.
 * Cost: as annot_begin().
 */
static inline void annot_counter(const char *name, int64_t value)
{
	annot_put(0, ANNOT_OP_COUNTER | ANNOT_OP_HAS_VALUE, name, value);
}

#ifdef __cplusplus
} /* extern "C" */

namespace annot
{
#ifdef ANNOT_DISABLE
inline namespace disabled /* so that files compiled with and without it can be linked */
{
#else
inline namespace v0
{
#endif

/* Says that a macro has begun the span. */
struct begun {
};

/* A span of work that lasts as long as the object. Cost: a begin and an end. */
class scope
{
public:
	explicit scope(begun) noexcept
	{
	}
	explicit scope(const char *name) noexcept
	{
		annot_begin(name);
	}
	scope(const char *name, int64_t value) noexcept
	{
		annot_begin_value(name, value);
	}
	~scope()
	{
		annot_end();
	}
	scope(const scope &) = delete;
	scope &operator=(const scope &) = delete;
};

/* A span of waiting that lasts as long as the object. Cost: a begin and an end. */
class wait_scope
{
public:
	explicit wait_scope(begun) noexcept
	{
	}
	explicit wait_scope(const char *name) noexcept
	{
		annot_wait_begin(name);
	}
	wait_scope(const char *name, int64_t value) noexcept
	{
		annot_wait_begin_value(name, value);
	}
	~wait_scope()
	{
		annot_end();
	}
	wait_scope(const wait_scope &) = delete;
	wait_scope &operator=(const wait_scope &) = delete;
};

} /* inline namespace */
} /* namespace annot */
#endif

#ifndef ANNOT_DISABLE

/*
 * The functions again, each call with a place to remember its name in. Whether the name is a
 * literal is settled before anything is inlined: one place can never stand for two names.
 *
 * In C++ the place is found by a type that nobody else has. A static variable of an inline function
 * or template would be one in the whole process, and keep its object there after dlclose().
 */
#ifdef __cplusplus
#define ANNOT_PLACE struct annot_here
#define ANNOT_SITE (&::annot::site_of<annot_here>::site)

namespace annot
{
namespace
{
template <typename Place> struct site_of {
	static struct annot_site site;
};
template <typename Place> struct annot_site site_of<Place>::site;
} /* namespace */
} /* namespace annot */

#else
#define ANNOT_PLACE static struct annot_site annot_here
#define ANNOT_SITE (&annot_here)
#endif

#define ANNOT_PUT(op, literal_or_not, value)                                             \
	__extension__({                                                                  \
		ANNOT_PLACE;                                                             \
		enum {                                                                   \
			annot_is_literal = __builtin_constant_p(literal_or_not)          \
		};                                                                       \
		annot_put(annot_is_literal ? ANNOT_SITE : 0, op, literal_or_not, value); \
	})

#define annot_begin(name) ANNOT_PUT(ANNOT_OP_BEGIN, name, 0)
#define annot_begin_value(name, value) ANNOT_PUT(ANNOT_OP_BEGIN | ANNOT_OP_HAS_VALUE, name, value)
#define annot_wait_begin(name) ANNOT_PUT(ANNOT_OP_WAIT_BEGIN, name, 0)
#define annot_wait_begin_value(name, value) \
	ANNOT_PUT(ANNOT_OP_WAIT_BEGIN | ANNOT_OP_HAS_VALUE, name, value)
#define annot_next(name) ANNOT_PUT(ANNOT_OP_NEXT, name, 0)
#define annot_next_value(name, value) ANNOT_PUT(ANNOT_OP_NEXT | ANNOT_OP_HAS_VALUE, name, value)
#define annot_mark(name) ANNOT_PUT(ANNOT_OP_MARK, name, 0)
#define annot_mark_value(name, value) ANNOT_PUT(ANNOT_OP_MARK | ANNOT_OP_HAS_VALUE, name, value)
#define annot_counter(name, value) ANNOT_PUT(ANNOT_OP_COUNTER | ANNOT_OP_HAS_VALUE, name, value)

#endif /* !ANNOT_DISABLE */

/*
 * ANNOT_SCOPE(name), ANNOT_SCOPE_VALUE(name, value), ANNOT_WAIT_SCOPE(name): a span from here to
 * the end of the enclosing block, however it is left: by its end, return, break, goto; in C++, or
 * with -fexceptions, by an exception. Not by longjmp() or exit(): those leave the span open.
 * It is a declaration: one to a line, and not the lone body of an if.
 * Cost: a begin and an end.
 */
#define ANNOT_JOIN2(a, b) a##b
#define ANNOT_JOIN(a, b) ANNOT_JOIN2(a, b)
#define ANNOT_SCOPE_NAME ANNOT_JOIN(annot_scope_line_, __LINE__)

#ifdef __cplusplus

#define ANNOT_SCOPE_CALL(type, call) \
	const ::annot::type ANNOT_SCOPE_NAME(((call), ::annot::begun()))

#define ANNOT_SCOPE(name) ANNOT_SCOPE_CALL(scope, annot_begin(name))
#define ANNOT_SCOPE_VALUE(name, value) ANNOT_SCOPE_CALL(scope, annot_begin_value(name, value))
#define ANNOT_WAIT_SCOPE(name) ANNOT_SCOPE_CALL(wait_scope, annot_wait_begin(name))

#else

static inline void annot_scope_end(const char *scope)
{
	(void)scope;
	annot_end();
}

#define ANNOT_SCOPE_CALL(call)                            \
	__attribute__((cleanup(annot_scope_end), unused)) \
	const char ANNOT_SCOPE_NAME = ((call), (char)0)

#define ANNOT_SCOPE(name) ANNOT_SCOPE_CALL(annot_begin(name))
#define ANNOT_SCOPE_VALUE(name, value) ANNOT_SCOPE_CALL(annot_begin_value(name, value))
#define ANNOT_WAIT_SCOPE(name) ANNOT_SCOPE_CALL(annot_wait_begin(name))

#endif

#endif /* ANNOT_H */
