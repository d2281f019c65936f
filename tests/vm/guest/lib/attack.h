/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the tests that attack the module share: processes that are of an ordinary user.
 */
#ifndef ATTACK_H
#define ATTACK_H

#include <grp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "ring.h"

#define USER_ID 1000
#define GROUP_ID 100 /* whose members may open the devices: the guest's script says so */

/* For good: no capability, no saved id. What the process shows of itself is as before. */
static inline void become(uid_t user)
{
	if (setgroups(0, NULL) || setgid(GROUP_ID) || setuid(user))
		die("setuid");
	if (prctl(PR_SET_DUMPABLE, 1))
		die("PR_SET_DUMPABLE");
}

static inline void become_user(void)
{
	become(USER_ID);
}

/* A process that does @task and ends; what was printed so far comes first. */
static inline pid_t fork_task(int (*task)(void *argument), void *argument)
{
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child < 0)
		die("fork");
	if (child)
		return child;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	exit(task(argument));
}

/* Return: its exit status, or 128 and the signal that ended it. */
static inline int wait_for(pid_t child)
{
	int status;

	if (waitpid(child, &status, 0) != child)
		die("waitpid");
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static inline int run_task(int (*task)(void *argument), void *argument)
{
	return wait_for(fork_task(task, argument));
}

/* As that user's own root, in namespaces of its own. */
static inline void become_root_of_namespace(void)
{
	char map[32];

	if (unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID))
		die("unshare");
	set("/proc/self/setgroups", "deny");
	snprintf(map, sizeof(map), "0 %d 1", USER_ID);
	set("/proc/self/uid_map", map);
	snprintf(map, sizeof(map), "0 %d 1", GROUP_ID);
	set("/proc/self/gid_map", map);
}

/* Memory that the processes of a test share. */
static inline void *shared_memory(size_t bytes)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		die("mmap");
	return memory;
}

/* From /proc/meminfo, in kB. */
static inline long memory_kb(const char *what)
{
	FILE *file = fopen("/proc/meminfo", "r");
	char line[128];
	long kb = -1;

	while (file && fgets(line, sizeof(line), file)) {
		if (!strncmp(line, what, strlen(what)) && line[strlen(what)] == ':')
			kb = atol(line + strlen(what) + 1);
	}
	if (file)
		fclose(file);
	return kb;
}

#endif /* ATTACK_H */
