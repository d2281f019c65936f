// SPDX-License-Identifier: GPL-2.0
#include "analysis/spinning/spin_waits.h"

#include "model/account.h"
#include "util/xalloc.h"

static uint64_t spun_ns(const struct thread_account *account)
{
	uint64_t on_cpu_ns = account->state_ns[STATE_RUNNING] - account->stolen_ns;
	uint64_t asleep_ns = account->state_ns[STATE_SLEEPING] +
			     account->state_ns[STATE_UNINTERRUPTIBLE];

	return on_cpu_ns < SPIN_GOING_NS && on_cpu_ns < asleep_ns ? 0 : on_cpu_ns;
}

uint64_t *spin_waits_compute(const struct model *model, const struct wait_spans *waits)
{
	uint64_t *spun = xcalloc(waits->nr, sizeof(*spun));

	for (size_t i = 0; i < waits->nr; i++) {
		struct thread_account account;

		model_account(model, waits->thread[i], waits->start_ns[i], waits->end_ns[i],
			      &account);
		spun[i] = spun_ns(&account);
	}
	return spun;
}
