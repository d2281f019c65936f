// SPDX-License-Identifier: MIT
/* Blocks signals around code that no handler may interrupt. */
#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "signals.h"

/* Signals that the thread itself causes stay unblocked: a blocked one would kill the process. */
uint64_t annot_signals_block(void)
{
	static const int own_faults[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS };
	uint64_t blocked = UINT64_MAX, before = 0;
	size_t i;

	for (i = 0; i < sizeof(own_faults) / sizeof(own_faults[0]); i++)
		blocked &= ~(UINT64_C(1) << (own_faults[i] - 1));
	syscall(SYS_rt_sigprocmask, SIG_BLOCK, &blocked, &before, sizeof(before));
	return before;
}

void annot_signals_restore(uint64_t before)
{
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof(before));
}
