// SPDX-License-Identifier: MIT
/*
 * The ends of a program that the C library tells nobody of: exec*() and _exit(). What is gathered
 * in memory is written out, and the C library's own function does the rest. In a child of vfork()
 * annot_flush() does nothing, as it must.
 *
 * In the shared library only; and only found by objects that are linked to it before the C library,
 * or where it is preloaded. Whoever misses it calls annot_flush().
 */
#include <dlfcn.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

#include "annot/annot.h"

#define WRAPPER __attribute__((visibility("default")))

WRAPPER int execve(const char *path, char *const argv[], char *const envp[]);
WRAPPER int execv(const char *path, char *const argv[]);
WRAPPER int execvp(const char *file, char *const argv[]);
WRAPPER int execvpe(const char *file, char *const argv[], char *const envp[]);
WRAPPER int execl(const char *path, const char *argument, ...);
WRAPPER int execlp(const char *file, const char *argument, ...);
WRAPPER int execle(const char *path, const char *argument, ...);
WRAPPER int fexecve(int fd, char *const argv[], char *const envp[]);
WRAPPER int execveat(int fd, const char *path, char *const argv[], char *const envp[], int flags);
WRAPPER void _exit(int status);
WRAPPER void _Exit(int status);

/* The C library's. */
static struct {
	int (*execve)(const char *path, char *const argv[], char *const envp[]);
	int (*execvpe)(const char *file, char *const argv[], char *const envp[]);
	int (*fexecve)(int fd, char *const argv[], char *const envp[]);
	int (*execveat)(int fd, const char *path, char *const argv[], char *const envp[],
			int flags);
	void (*exit)(int status);
} real;

/*
 * When the program starts, for dlsym() is not for signal handlers, and these functions are. Earlier
 * constructors, of libraries that do not know this one, find it not done.
 */
__attribute__((constructor(101))) static void look_up(void)
{
	*(void **)&real.execve = dlsym(RTLD_NEXT, "execve");
	*(void **)&real.execvpe = dlsym(RTLD_NEXT, "execvpe");
	*(void **)&real.fexecve = dlsym(RTLD_NEXT, "fexecve");
	*(void **)&real.execveat = dlsym(RTLD_NEXT, "execveat");
	*(void **)&real.exit = dlsym(RTLD_NEXT, "_exit");
}

static void prepare(void)
{
	if (!real.exit)
		look_up();
	annot_flush();
}

int execve(const char *path, char *const argv[], char *const envp[])
{
	prepare();
	return real.execve(path, argv, envp);
}

int execv(const char *path, char *const argv[])
{
	return execve(path, argv, environ);
}

int execvpe(const char *file, char *const argv[], char *const envp[])
{
	prepare();
	return real.execvpe(file, argv, envp);
}

int execvp(const char *file, char *const argv[])
{
	return execvpe(file, argv, environ);
}

int fexecve(int fd, char *const argv[], char *const envp[])
{
	prepare();
	return real.fexecve(fd, argv, envp);
}

int execveat(int fd, const char *path, char *const argv[], char *const envp[], int flags)
{
	prepare();
	return real.execveat(fd, path, argv, envp, flags);
}

/* How many there are, from @first up to the NULL. */
static size_t count(const char *first, va_list arguments)
{
	size_t nr = 0;

	for (; first; first = va_arg(arguments, const char *))
		nr++;
	return nr;
}

/* The same, and the NULL. */
static void gather(char *argv[], const char *first, va_list *arguments)
{
	*argv = (char *)first;
	while (*argv++)
		*argv = va_arg(*arguments, char *);
}

#define GATHER(argv, first)                  \
	va_list arguments;                   \
	va_start(arguments, first);          \
	size_t nr = count(first, arguments); \
	va_end(arguments);                   \
	char *argv[nr + 1];                  \
	va_start(arguments, first);          \
	gather(argv, first, &arguments)

int execl(const char *path, const char *argument, ...)
{
	GATHER(argv, argument);
	va_end(arguments);
	return execve(path, argv, environ);
}

int execlp(const char *file, const char *argument, ...)
{
	GATHER(argv, argument);
	va_end(arguments);
	return execvpe(file, argv, environ);
}

int execle(const char *path, const char *argument, ...)
{
	char *const *envp;

	GATHER(argv, argument);
	envp = va_arg(arguments, char *const *);
	va_end(arguments);
	return execve(path, argv, envp);
}

void _exit(int status)
{
	prepare();
	for (;;)
		real.exit(status);
}

void _Exit(int status)
{
	_exit(status);
}
