// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: rseq_plugin OBJECT: prints whether the library, linked into the object, would register
 * restartable sequences. With PLUGIN defined, the object.
 */
#ifdef PLUGIN
#include "rseq_own.h"

int have(void);

int have(void)
{
	return annot_rseq_have();
}
#else
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	void *object = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
	int (*have)(void);
	int answer;

	if (!object) {
		puts(argc == 2 ? dlerror() : "usage: rseq_plugin OBJECT");
		return 1;
	}
	*(void **)&have = dlsym(object, "have");
	answer = have();
	puts(answer == -ENOLINK ? "may be unloaded" : answer == -ENOSYS ? "none" : "registered");
	return 0;
}
#endif
