// SPDX-License-Identifier: GPL-2.0
/*
 * Says where places in it are: see places_tell.h. C, or C++ with names of it.
 */
#include "places_tell.h"

#ifdef __cplusplus
namespace shop
{
template <typename T> __attribute__((noinline)) void work(T)
{
	TELL("shop::work<int>", work<T>);
}
} // namespace shop

extern "C" void in_library(void);

int main(void)
{
	shop::work(1);
	in_library();
	return 0;
}
#else
void in_library(void);
int main(void);

__attribute__((noinline)) static void work(void)
{
	TELL("work", work);
}

int main(void)
{
	TELL("main", main);
	TELL("main", main);
	work();
	in_library();
	/* gcc makes a function of its own of that. */
#ifdef _OPENMP
#pragma omp parallel num_threads(1)
	TELL("main", 0);
#endif
	return 0;
}
#endif
