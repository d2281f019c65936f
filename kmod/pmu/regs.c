// SPDX-License-Identifier: GPL-2.0
/*
 * The general registers in perf's order. perf's own function for this is not exported.
 */
#include <linux/kernel.h>
#include <linux/ptrace.h>

#include "pmu/regs.h"

#ifdef CONFIG_X86_64

#include <asm/perf_regs.h>

#define REGS_NOT_SAVED                                                                    \
	(BIT_ULL(PERF_REG_X86_DS) | BIT_ULL(PERF_REG_X86_ES) | BIT_ULL(PERF_REG_X86_FS) | \
	 BIT_ULL(PERF_REG_X86_GS))

static const u8 reg_offsets[ANNOT_PMU_REGS_MAX] = {
	[PERF_REG_X86_AX] = offsetof(struct pt_regs, ax),
	[PERF_REG_X86_BX] = offsetof(struct pt_regs, bx),
	[PERF_REG_X86_CX] = offsetof(struct pt_regs, cx),
	[PERF_REG_X86_DX] = offsetof(struct pt_regs, dx),
	[PERF_REG_X86_SI] = offsetof(struct pt_regs, si),
	[PERF_REG_X86_DI] = offsetof(struct pt_regs, di),
	[PERF_REG_X86_BP] = offsetof(struct pt_regs, bp),
	[PERF_REG_X86_SP] = offsetof(struct pt_regs, sp),
	[PERF_REG_X86_IP] = offsetof(struct pt_regs, ip),
	[PERF_REG_X86_FLAGS] = offsetof(struct pt_regs, flags),
	[PERF_REG_X86_CS] = offsetof(struct pt_regs, cs),
	[PERF_REG_X86_SS] = offsetof(struct pt_regs, ss),
	[PERF_REG_X86_R8] = offsetof(struct pt_regs, r8),
	[PERF_REG_X86_R9] = offsetof(struct pt_regs, r9),
	[PERF_REG_X86_R10] = offsetof(struct pt_regs, r10),
	[PERF_REG_X86_R11] = offsetof(struct pt_regs, r11),
	[PERF_REG_X86_R12] = offsetof(struct pt_regs, r12),
	[PERF_REG_X86_R13] = offsetof(struct pt_regs, r13),
	[PERF_REG_X86_R14] = offsetof(struct pt_regs, r14),
	[PERF_REG_X86_R15] = offsetof(struct pt_regs, r15),
};

u64 annot_pmu_regs_mask(void)
{
	return GENMASK_ULL(ANNOT_PMU_REGS_MAX - 1, 0) & ~REGS_NOT_SAVED;
}

u32 annot_pmu_regs_copy(u64 *values, struct pt_regs *regs)
{
	u64 mask = annot_pmu_regs_mask();
	u32 i;

	for (i = 0; i < ANNOT_PMU_REGS_MAX; i++) {
		if (mask & BIT_ULL(i))
			values[i] = *(unsigned long *)((char *)regs + reg_offsets[i]);
		else
			values[i] = 0;
	}
	return ANNOT_PMU_REGS_MAX;
}

#else

u64 annot_pmu_regs_mask(void)
{
	return 0;
}

u32 annot_pmu_regs_copy(u64 *values, struct pt_regs *regs)
{
	return 0;
}

#endif
