// SPDX-License-Identifier: GPL-2.0
/* Three parallel loops with TBB. */
#include <atomic>
#include <cstdio>

#include <tbb/parallel_for.h>

int main()
{
	std::atomic<long> sum(0);

	for (int loop = 0; loop < 3; loop++) {
		sum = 0;
		tbb::parallel_for(0, 1000, [&](int block) {
			for (volatile int k = 0; k < 10000; k = k + 1)
				;
			sum += block * 10 - 45;
		});
	}
	std::printf("sum %ld of 1000 blocks\n", sum.load());
}
