// SPDX-License-Identifier: GPL-2.0
/*
 * As symbols_program.c, in C++: names that are mangled. "hot" is shop::till<int>::hot, "cold" is the
 * operator() of shop::basket, and "zeroed" is shop::stock.
 */
#include <cstdio>

extern "C" {
#include "symbols_library.h"
}

namespace shop
{
char stock[1 << 16];

template <typename coin> struct till {
	__attribute__((noinline)) struct place hot(coin, const char *);
};

template <typename coin> struct place till<coin>::hot(coin, const char *)
{
	return { return_address(), __LINE__ };
}

struct basket {
	__attribute__((noinline)) struct place operator()(long, till<int> &) const
	{
		return { return_address(), __LINE__ };
	}
};
}

static void print_place(const char *name, struct place place)
{
	std::printf("code %s %#lx %d\n", name, place.ip, place.line);
}

int main()
{
	std::FILE *maps = std::fopen("/proc/self/maps", "r");
	shop::till<int> till;
	char line[4096];

	while (maps && std::fgets(line, sizeof(line), maps))
		std::printf("map %s", line);
	print_place("hot", till.hot(1, ""));
	print_place("cold", shop::basket()(2, till));
	std::printf("data zeroed %#lx\n", reinterpret_cast<unsigned long>(shop::stock) + 50000);
	return maps ? std::fclose(maps) : 1;
}
