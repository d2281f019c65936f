// SPDX-License-Identifier: MIT
/*
 * exec*() and _exit() end a program without a call of its destructors. The functions here write out
 * what is gathered in memory, and then call the C library's function. In a child of vfork()
 * annot_flush() does nothing, as it must.
 *
 * They are in the shared library only. They are found by objects that are linked to it before the C
 * library, and where the library is preloaded. Other programs call annot_flush().
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
 * Called when the program starts: signal handlers may call these functions, but not dlsym(). An earlier
 * constructor of another library finds the pointers unset.
 */
__attribute__((constructor(101))) static void look_up(void)
{
	*(void **)&real.execve = dlsym(RTLD_NEXT, "execve");
	*(void **)&real.execvpe = dlsym(RTLD_NEXT, "execvpe");
	*(void **)&real.fexecve = dlsym(RTLD_NEXT, "fexecve");
	*(void **)&real.execveat = dlsym(RTLD_NEXT, "execveat");
	*(void **)&real.exit = dlsym(RTLD_NEXT, "_exit");
}

static void prepare_end(void)
{
	if (!real.exit)
		look_up();
	annot_flush();
}

int execve(const char *path, char *const argv[], char *const envp[])
{
	prepare_end();
	return real.execve(path, argv, envp);
}

int execv(const char *path, char *const argv[])
{
	return execve(path, argv, environ);
}

int execvpe(const char *file, char *const argv[], char *const envp[])
{
	prepare_end();
	return real.execvpe(file, argv, envp);
}

int execvp(const char *file, char *const argv[])
{
	return execvpe(file, argv, environ);
}

int fexecve(int fd, char *const argv[], char *const envp[])
{
	prepare_end();
	return real.fexecve(fd, argv, envp);
}

int execveat(int fd, const char *path, char *const argv[], char *const envp[], int flags)
{
	prepare_end();
	return real.execveat(fd, path, argv, envp, flags);
}

/* How many there are, from @first up to the NULL. */
static size_t count_arguments(const char *first, va_list arguments)
{
	size_t nr = 0;

	for (; first; first = va_arg(arguments, const char *))
		nr++;
	return nr;
}

/* The same, and the NULL. */
static void gather_arguments(char *argv[], const char *first, va_list *arguments)
{
	*argv = (char *)first;
	while (*argv++)
		*argv = va_arg(*arguments, char *);
}

#define GATHER(argv, first)                            \
	va_list arguments;                             \
	va_start(arguments, first);                    \
	size_t nr = count_arguments(first, arguments); \
	va_end(arguments);                             \
	char *argv[nr + 1];                            \
	va_start(arguments, first);                    \
	gather_arguments(argv, first, &arguments)

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
	prepare_end();
	for (;;)
		real.exit(status);
}

void _Exit(int status)
{
	_exit(status);
}
