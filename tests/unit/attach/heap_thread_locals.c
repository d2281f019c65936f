// SPDX-License-Identifier: GPL-2.0
/*
 * Threads that end in all ways, and a library that is loaded between them: where each thread has its thread-local
 * variables, as the loader says in the thread itself, and as raw_thread_locals.py prints it. Those of the library are not
 * among these, though the threads use them.
 */
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static __thread int counts[100];

static int nr_initial; /* files that are loaded with the program */
static int *(*of_library)(void);

static int count_file(struct dl_phdr_info *info, size_t size, void *nr)
{
	(void)info;
	(void)size;
	++*(int *)nr;
	return 0;
}

static void say_block(const struct dl_phdr_info *info, const ElfW(Phdr) * segment)
{
	char path[4096];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);

	path[length < 0 ? 0 : length] = '\0';
	printf("%d begin %zx %p %s\n", gettid(), (size_t)segment->p_memsz, info->dlpi_tls_data,
	       *info->dlpi_name ? info->dlpi_name : path);
	/* The first thread ends with the process. */
	if (gettid() != getpid())
		printf("%d end %p\n", gettid(), info->dlpi_tls_data);
}

static int say_file(struct dl_phdr_info *info, size_t size, void *nr)
{
	(void)size;
	for (int i = 0; i < info->dlpi_phnum && *(int *)nr < nr_initial; i++) {
		if (info->dlpi_phdr[i].p_type == PT_TLS)
			say_block(info, &info->dlpi_phdr[i]);
	}
	++*(int *)nr;
	return 0;
}

static void say_all(void)
{
	int nr = 0;

	counts[7]++;
	if (of_library)
		++*of_library();
	dl_iterate_phdr(say_file, &nr);
}

static void *returns(void *unused)
{
	say_all();
	return unused;
}

static void *exits(void *unused)
{
	say_all();
	pthread_exit(unused);
}

static void run(void *(*start)(void *))
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, start, NULL) || pthread_join(thread, NULL))
		printf("not so: a thread\n");
}

int main(int argc, char **argv)
{
	void *library;

	dl_iterate_phdr(count_file, &nr_initial);
	say_all();
	run(returns);
	library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
	if (library)
		*(void **)&of_library = dlsym(library, "of_library");
	if (!of_library)
		printf("not so: a library\n");
	run(returns);
	run(exits);
	return 0;
}
