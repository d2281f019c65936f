// SPDX-License-Identifier: GPL-2.0
/*
 * An object that annotates is taken away again and again, while signals and other programs
 * interrupt: the kernel must never find that this thread is in a sequence of the object's. With
 * PLUGIN defined, this is the object.
 */
#include "annot/annot.h"

#ifdef PLUGIN

#ifdef __cplusplus

/* What one compiler or another makes a variable of the whole process from. */
inline void begin()
{
	annot_begin("of an object");
}

template <int number> void end()
{
	annot_next("of an object");
	annot_end();
}

extern "C" void annotate();

extern "C" void annotate()
{
	auto lambda = [] { annot_begin("of an object"); };

	for (int i = 0; i < 5; i++) {
		begin();
		end<1>();
		lambda();
	}
}

#else

void annotate(void);

void annotate(void)
{
	int i;

	for (i = 0; i < 10; i++) {
		annot_begin("of an object");
		annot_end();
	}
}

#endif

#else

#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>

#include "anon_rings.h"

#define NR_TIMES 2000
#define RING_BYTES (1u << 21)

static void ignore(int signal)
{
	(void)signal;
}

static const char *annotate_from(const char *path)
{
	void *object = dlopen(path, RTLD_NOW);
	void (*annotate)(void);

	if (!object)
		return dlerror();
	*(void **)&annotate = dlsym(object, "annotate");
	if (!annotate)
		return dlerror();
	annotate();
	if (dlclose(object) || dlopen(path, RTLD_NOW | RTLD_NOLOAD))
		return "the object cannot be taken away";
	sched_yield();
	return NULL;
}

static const char *check_rings(void)
{
	uint64_t nr_bytes = 0, position;
	uint32_t cpu;

	for (cpu = 0; cpu < anon_rings_nr_cpus(); cpu++) {
		const struct annot_ring *ring = anon_ring(cpu);

		nr_bytes += ring->head;
		for (position = 0; position < ring->head; position += sizeof(struct annot_record)) {
			const struct annot_record *record = anon_ring_record(ring, position);

			if (record->op == ANNOT_OP_BEGIN &&
			    strcmp(anon_ring_name(record), "of an object"))
				return "wrong name";
		}
	}
	return nr_bytes == 20 * NR_TIMES * sizeof(struct annot_record) ? NULL : "records are lost";
}

static const char *run(const char *path)
{
	struct itimerval often = { { 0, 1000 }, { 0, 1000 } };
	struct sigaction action = { .sa_handler = ignore, .sa_flags = SA_RESTART };
	const char *why;
	int i;

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	for (i = 0; i < NR_TIMES; i++) {
		why = annotate_from(path);
		if (why)
			return why;
	}
	return check_rings();
}

int main(int argc, char **argv)
{
	const char *why = "usage: rseq_dlclose OBJECT";

	if (anon_rings_install(RING_BYTES, NULL) == -ENOSYS) {
		printf("ok - objects come and go # SKIP no restartable sequences\n");
		return 0;
	}
	if (argc == 2)
		why = run(argv[1]);
	if (why)
		printf("# %s\nnot ok - objects come and go\n", why);
	else
		printf("ok - objects come and go\n");
	return 0;
}

#endif
