// SPDX-License-Identifier: GPL-2.0
/* Does with Kokkos what it writes down. Exits with 7. */
#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ProfileSection.hpp>

#include <cstdio>

#include "truth.h"

namespace
{
using values = Kokkos::View<double *>;

template <class T> struct pair_of {
};

template <class A, class B> struct fill {
	values out;
	KOKKOS_INLINE_FUNCTION void operator()(int i) const
	{
		out(i) = i;
	}
};

struct plain {
	values out;
	KOKKOS_INLINE_FUNCTION void operator()(int i) const
	{
		out(i) += 1;
	}
};

void kernels(values a, values b)
{
	double sum = 0;

	TRUTH_CALL(Kokkos::parallel_for("axpy", 1000, KOKKOS_LAMBDA(int i) { a(i) = 2 * i; }));
	truth('B', "axpy");
	truth('E', "");
	TRUTH_CALL(Kokkos::parallel_reduce(
		"dot", 1000, KOKKOS_LAMBDA(int i, double &s) { s += a(i); }, sum));
	truth('B', "dot");
	truth('E', "");
	TRUTH_CALL(Kokkos::parallel_scan(
		"scan", 1000, KOKKOS_LAMBDA(int i, double &s, bool last) {
			s += 1;
			if (last)
				b(i) = s;
		}));
	truth('B', "scan");
	truth('E', "");
	std::printf("%g %g\n", sum, b(999));
}

/* Those without a name are named after their types, which are long. */
void unnamed(values a)
{
	TRUTH_CALL(Kokkos::parallel_for(1000, plain{ a }));
	truth('B', "(anonymous namespace)::plain");
	truth('E', "");
	TRUTH_CALL(Kokkos::parallel_for(
		1000, fill<pair_of<pair_of<pair_of<pair_of<pair_of<plain> > > > >, int>{ a }));
	truth('B', "(anonymous namespace)::fill<(anonymous namespace)::pair_of<"
		   "(anonymous namespace)::pair_of<> >, int>");
	truth('E', "");
}

void copies(values a, values b)
{
	TRUTH_CALL(Kokkos::deep_copy(b, a));
	truth_value('B', "copy a to b", 8000);
	truth('E', "");
}

void regions()
{
	TRUTH_CALL(Kokkos::Profiling::pushRegion("outer"));
	truth('B', "outer");
	truth_work_ns(100000);
	/* As a type's name, this would be "int". */
	TRUTH_CALL(Kokkos::Profiling::pushRegion("i"));
	truth('B', "i");
	TRUTH_CALL(Kokkos::Profiling::popRegion());
	truth('E', "");
	TRUTH_CALL(Kokkos::Profiling::markEvent("event"));
	truth('I', "event");
	TRUTH_CALL(Kokkos::Profiling::popRegion());
	truth('E', "");
}

/* A section that ends in the midst of a region ends with it. */
void sections()
{
	Kokkos::Profiling::ProfilingSection section("section");

	for (int i = 0; i < 3; i++) {
		TRUTH_CALL(section.start());
		truth('B', "section");
		TRUTH_CALL(Kokkos::Profiling::pushRegion("in it"));
		truth('B', "in it");
		section.stop();
		truth_work_ns(50000);
		TRUTH_CALL(Kokkos::Profiling::popRegion());
		truth('E', "");
		truth('E', "");
	}
}
} // namespace

int main(int argc, char **argv)
{
	Kokkos::initialize(argc, argv);
	{
		/* Filled by Kokkos itself, which tells of that, too. */
		values a(Kokkos::view_alloc("a", Kokkos::WithoutInitializing), 1000);
		values b(Kokkos::view_alloc("b", Kokkos::WithoutInitializing), 1000);

		for (int i = 0; i < 20; i++) {
			kernels(a, b);
			unnamed(a);
			copies(a, b);
			regions();
			sections();
		}
	}
	Kokkos::finalize();
	std::puts("done all");
	return 7;
}
