/* SPDX-License-Identifier: MIT */
/*
 * annot.h - annotate what a program does, in a trace of the machine.
 *
 *	annot_thread_name("pe0");
 *	annot_begin("loop48");			a span of work: a loop, a phase, a request
 *	...
 *	annot_end();
 *	annot_wait_begin("barrier");		a span of waiting: a barrier, a lock
 *	pthread_barrier_wait(&barrier);
 *	annot_end();
 *
 * or, for a span that ends with its block:
 *
 *	{
 *		ANNOT_SCOPE("loop48");
 *		...
 *	}
 *
 * Where annotations go. Each annotation becomes an event in the kernel's ftrace buffer, beside the
 * events of the scheduler and on the same clock.
 *	with the module annot.ko
 *		The thread stores a record of 32 bytes into the ring of its CPU. The kernel empties
 *		the ring at the next switch. If there is no ring, the annotation is a write() to
 *		/dev/annot/cpuN. While annot record --count counts, it is a system call that reads
 *		the counters.
 *	without the module
 *		While something records, the annotation is a write() to ftrace's trace_marker, in
 *		the format that systrace and Perfetto read. Under annot record, the thread gathers
 *		its annotations and writes up to 250 at a time to trace_marker_raw: a batch.
 *	without either
 *		The annotation is dropped.
 * annot_status() says which of these applies, and ANNOT_DEBUG=1 in the environment prints it.
 * annot(3) describes environment, permissions and the ways without the module.
 *
 * When batches are written. A thread writes its batch with its first annotation after 10 ms, when it
 * ends, and when the process exits, forks or executes another program. Any other thread that
 * annotates writes the batch of a thread that sleeps. So a thread that blocks, or computes without
 * annotating, may keep its last annotations for as long. SIGKILL loses them: at most the last 250 of
 * each thread. With the module, nothing is lost in this way.
 *
 * What an annotation costs. Without a recording, one load and one branch: the word is in a page that
 * is shared with the kernel, and is 0. Without the module, in a program that may write to ftrace, it
 * costs two more loads and one more branch. After a thread was preempted, it also reads two files of
 * tracefs, at most once in 20 ms. The first annotation of a process opens the devices. During a
 * recording, an annotation costs little more than reading the clock if the name is a literal: the
 * call site then remembers the name's number. Any other name is looked up each time.
 *
 * Mark spans that wait for other threads as waits. Reports need the difference between work and
 * waiting to compute load imbalance.
 *
 * Spans nest and belong to a thread: annot_end() ends the innermost span that its own thread began.
 * A name is any text. It is read during the call and not kept. The trace holds up to 255 bytes of
 * it, cut between UTF-8 characters. Control characters, NULL and "" become '?'. Let the name say the
 * kind of work, and let the 64-bit value distinguish its instances: annot_begin_value("row", i), not
 * a new name for each i.
 *
 * The contract, for everything in this file. "Cost" below is the cost during a recording.
 *	Errors		none are returned. errno is preserved. An annotation that cannot be written
 *			is dropped.
 *	Threads		safe in any thread. The only lock is one for each thread's own batch.
 *	Signals		async-signal-safe; does not allocate.
 *	Cancellation	not a cancellation point.
 *	Time of call	any: in constructors, after fork(), in atexit handlers and destructors.
 *			Do not call any of this in the child of vfork(): POSIX forbids it.
 *
 * If ANNOT_DISABLE is defined, all of this is empty: the library need not be linked, and
 * annot_enabled() is the constant 0. Arguments are still evaluated, so that a program does the same
 * with and without it. Put costly arguments behind if (annot_enabled()).
 *
 * The functions that take a name are also macros of the same name, so that each call site remembers
 * the name's number. (annot_begin)(name) is the plain function. Use it where a macro cannot be used:
 * in the initialiser of a global object, and in an inline function of C that is not static.
 *
 * Needs C11 or C++17 with the GNU extensions that gcc and clang share.
 *
 * How this may grow after 0.2.0. The code of this header is compiled into programs. A program that
 * was built with it works with each later libannot.so.0. So everything here keeps its name, type,
 * layout, number and meaning. A later release may add functions, macros and operations (ANNOT_OP_*).
 * A new symbol of the library gets a new node in libannot/libannot.map: the loader refuses a program
 * that needs it if the library is older. annot_emit() ignores an operation that it does not know; the
 * module counts a record with one as lost. Any other change needs a new number in libannot.so.0.
 * Versions are not compared while a program runs, except between library and module: uapi/annot.h.
 * CONTRIBUTING.md, "How to change the ABI", has the steps.
 */
#ifndef ANNOT_H
#define ANNOT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The interface between this header and the library. Programs use the functions further down.
 *
 * Operations: their numbers are those of the kernel's records.
 */
#define ANNOT_OP_BEGIN 0
#define ANNOT_OP_WAIT_BEGIN 1
#define ANNOT_OP_END 2
#define ANNOT_OP_MARK 3
#define ANNOT_OP_COUNTER 4
#define ANNOT_OP_NEXT 5
#define ANNOT_OP_HAS_VALUE 0x100 /* or'ed to the above: value counts */

/* A call site: the number of its name, or'ed to annot_rings.generation; at first 0. */
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

/* annot_control_page.recording without the module: annotate, unless the calling thread rests. */
#define ANNOT_UNLESS_RESTING 0x10000

/*
 * A page of the program's data, over which the library maps the page of /dev/annot/ctl.
 * @recording is 0 when an annotation would be dropped. At first it is 1, so that the first
 * annotation calls annot_emit(), which chooses where annotations go. Without the module it is a
 * constant.
 *
 * A thread rests after it has checked that nothing records, until it is preempted: the kernel then
 * sets rseq_cs of its struct rseq to 0. So the thread checks again after another thread has run on
 * its CPU. A recorder therefore runs on each CPU when it begins.
 * @rseq_offset: offset of the thread's struct rseq from its thread pointer
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
 * The rings of this process, in a page of its own. The kernel fills this page with zeros in the child
 * of any kind of fork: a child inherits neither rings nor the numbers of names.
 *
 * @rseq_offset: offset of the thread's struct rseq from its thread pointer; 0: there are no rings
 * @index_offset: offset from the thread pointer of the 32-bit number of the ring to write to: the
 *		number of the CPU if each CPU has a ring, of the thread if each thread has one
 * @generation:	in its upper half; differs from that of any ancestor
 * @rings:	the ring of each number; a ring that is always full if there is none
 * @page_bytes:	bytes from a ring to its records
 * @nr_rings:	numbers from here on have no ring
 * @progress, @source: used by the library only
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

/* Makes an annotation that could not be stored inline. @site: NULL unless the name is fixed. */
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
 * False: an annotation would be dropped. The branch hints favour the program that is not recorded:
 * during a recording, storing an annotation costs more than a jump.
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

/* The words at offset 16 of struct annot_record: number of the name, operation, flags. */
static inline uint64_t annot_record_meta(unsigned int op, uint64_t name)
{
	uint64_t op_and_flag = op; /* the flag is 1 in the byte after the op, as in op itself */

	return (name & 0xffffffff) | op_and_flag << 32;
}

/*
 * Stores into the ring of this CPU or thread. Returns 0 if there is no ring, if it is full or due to
 * be emptied, or if the name has no number yet.
 * The offset is read first and used to the end: a signal handler may fork, and its child may return
 * to here. It then finds no ring.
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

#ifdef ANNOT_RSEQ_TWO

/* As annot_store(), of two records with one operation, not ANNOT_OP_END, and one time. */
static inline __attribute__((always_inline)) int
annot_store_two(struct annot_site *site, int64_t value, struct annot_site *next_site,
		int64_t next_value, unsigned int op)
{
	int64_t rseq_offset = __atomic_load_n(&annot_rings.rseq_offset, __ATOMIC_ACQUIRE);
	uint64_t name = __atomic_load_n(&site->name, __ATOMIC_RELAXED);
	uint64_t next_name = __atomic_load_n(&next_site->name, __ATOMIC_RELAXED);
	uint64_t generation = annot_rings.generation;

	if (__builtin_expect(((name ^ generation) | (next_name ^ generation)) >> 32 != 0, 0))
		return 0;
	return annot_rseq_store_two(rseq_offset, annot_record_meta(op, name), value,
				    annot_record_meta(op, next_name), next_value);
}

#else

static inline int annot_store_two(struct annot_site *site, int64_t value,
				  struct annot_site *next_site, int64_t next_value, unsigned int op)
{
	(void)site;
	(void)value;
	(void)next_site;
	(void)next_value;
	(void)op;
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
 * Returns not 0 if annotations are being recorded now. Use it to skip work that only an annotation
 * needs.
 * Cost: that of an annotation without a recording.
 */
static inline int annot_enabled(void)
{
	return annot_is_wanted() && annot_recording();
}

/*
 * Returns one line that says where the annotations of this process go, and why. The text is static:
 * do not free it.
 * Cost: the first call opens the devices, as the first annotation does; later calls are one load.
 */
ANNOT_EXPORT const char *annot_status(void);

/*
 * Writes into the trace all annotations that the threads of the process have gathered. Call it before
 * an execve() or _exit() that bypasses the C library. Only batches need it: annot(3), "Batches".
 * Cost: a system call for a hundred annotations; without batches, a load.
 */
ANNOT_EXPORT void annot_flush(void);

/*
 * Names the calling thread, in the trace and in every tool that shows threads, by PR_SET_NAME of
 * prctl(2). The kernel keeps 15 bytes. Takes effect whether or not anything records. In the main
 * thread, it also changes the program's name for ps and pkill.
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
 * Cost: with a ring, one record; if @name is not a literal, also a look-up of the name. Without a
 * ring, one write() to the device; without the module, one write() to trace_marker. A cheap system
 * call before each write() checks that the descriptor is still the library's. In batches: as with a
 * ring, and five system calls for 250 annotations.
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
 * Ends the calling thread's innermost span, of work or of waiting. Does nothing without an open span.
 * Cost: as annot_begin().
 */
static inline void annot_end(void)
{
	annot_put(0, ANNOT_OP_END, 0, 0);
}

/*
 * Ends the calling thread's innermost span and begins a span of work at the same time. Use it for
 * phases that follow each other. Without an open span, it is annot_begin().
 * Cost: one annotation; annot_end() and annot_begin() are two.
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
 * Marks an instant in the calling thread.
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
 * Sets the counter @name to @value from now on: a queue's length, bytes in use.
 * Cost: as annot_begin().
 */
static inline void annot_counter(const char *name, int64_t value)
{
	annot_put(0, ANNOT_OP_COUNTER | ANNOT_OP_HAS_VALUE, name, value);
}

/* The notes that annot_object() makes, and the bytes of a name of which the library sees the end. */
#define ANNOT_OBJECT_NOTE "@object "
#define ANNOT_OBJECT_BYTES_NOTE "@object_bytes"
#define ANNOT_OBJECT_END_NOTE "@object_end"
#define ANNOT_NAME_BYTES 259

/* Values of annotations, without a cast that one of C and C++ warns of. */
static inline int64_t annot_bits(uint64_t bits)
{
	int64_t value;

	__builtin_memcpy(&value, &bits, sizeof(value));
	return value;
}

static inline int64_t annot_address(const void *pointer)
{
	uintptr_t address;

	__builtin_memcpy(&address, &pointer, sizeof(address));
	return annot_bits(address);
}

/*
 * Names memory: an array, a buffer, a pool. @bytes from @pointer on are the object @name, until
 * annot_object_end(@pointer), the next annot_object() with the same @pointer, or an exec. Samples of
 * misses and other events that have an address are then told by object: annot report --by object.
 * Objects may lie within each other; an address belongs to the innermost one. Any thread of the process
 * may name an object, and any may end it; the child of a fork() has its parent's.
 *
 * The reader of the trace alone uses @pointer and @bytes: nothing is read there. Nothing happens if
 * @pointer is NULL or @bytes is 0. What is named while nothing records is not in the trace: begin the
 * recording first. Of @name, 247 bytes are kept.
 * Cost: two annotations whose names are not literals; annot_object_end() is one. It is meant for
 * hundreds of objects, not for each block of an allocator.
 */
static inline void annot_object(const char *name, const void *pointer, uint64_t bytes)
{
	char note[ANNOT_NAME_BYTES + 1] = ANNOT_OBJECT_NOTE;
	unsigned int at = sizeof(ANNOT_OBJECT_NOTE) - 1;

	if (!pointer || !bytes || !annot_enabled())
		return;
	while (name && *name && at < ANNOT_NAME_BYTES)
		note[at++] = *name++;
	note[at] = '\0';
	annot_put(0, ANNOT_OP_MARK | ANNOT_OP_HAS_VALUE, ANNOT_OBJECT_BYTES_NOTE,
		  annot_bits(bytes));
	annot_put(0, ANNOT_OP_MARK | ANNOT_OP_HAS_VALUE, note, annot_address(pointer));
}

/* Call it before the memory is freed: what is there afterwards is something else. */
static inline void annot_object_end(const void *pointer)
{
	if (pointer)
		annot_put(0, ANNOT_OP_MARK | ANNOT_OP_HAS_VALUE, ANNOT_OBJECT_END_NOTE,
			  annot_address(pointer));
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

/* Tag: a macro has begun the span. */
struct begun {
};

/* A span of work from construction to destruction. Cost: a begin and an end. */
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

/* A span of waiting from construction to destruction. Cost: a begin and an end. */
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
 * The functions as macros: each call site has a variable that remembers the number of its name.
 * Whether the name is a literal is decided before anything is inlined, so that one variable never
 * stands for two names.
 *
 * In C++ a unique type finds the variable. A static variable of an inline function or template would
 * be shared by the whole process, and would keep its object loaded after dlclose().
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
 * the end of the enclosing block, however the block is left: by its end, return, break, goto, and in
 * C++ or with -fexceptions by an exception. longjmp() and exit() leave the span open.
 * The macro is a declaration: use one per line, and not as the only body of an if.
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
