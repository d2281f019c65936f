// SPDX-License-Identifier: GPL-2.0
/*
 * Objects of classes, and where what they inherit is.
 */
#include <cstdint>

#include "fields_tell.h"

namespace shop
{

struct empty {
};

struct base {
	virtual ~base() = default;
	int64_t number = 1;
	char tail = 0;
	/* 7 bytes of padding, in which classes that inherit have members */
};

struct second_base {
	int32_t first, second;
};

struct both : empty, base, second_base {
	char own = 0;
	struct inner {
		int16_t values[4];
	} inners[3];
	static int outside;
	enum class kind : uint8_t {
		small,
		large
	} kind = kind::small;
};

struct grandchild : both {
	union {
		double real;
		second_base pair;
	};
	const int32_t &reference = outside;
	int64_t both::*member = &both::number;
	void (both::*call)() = nullptr;
};

template <typename T, int N> struct buffer {
	T values[N];
	int nr;
};

int both::outside = 3;
grandchild family[2];
static buffer<buffer<short, 3>, 4> buffers;
thread_local int own_copy[4];

template <typename T> T &counted()
{
	static T value;

	return value;
}

inline second_base &only_one()
{
	static second_base value;

	return value;
}

} // namespace shop

using namespace shop;

static int thread_count = 0;

#define OF_MEMBER(object, member) tell("shop::" #object "." #member, &object.member, 0)

int main()
{
	tell_maps();
	OF_MEMBER(family[0], number);
	OF_MEMBER(family[1], number);
	OF_MEMBER(family[1], tail);
	OF_MEMBER(family[1], first);
	OF_MEMBER(family[1], second);
	OF_MEMBER(family[1], own);
	OF_MEMBER(family[1], inners[2].values[3]);
	OF_MEMBER(family[1], kind);
	OF_MEMBER(family[1], real);
	INSIDE("shop::family[1].real", family[1].pair.second, 0);
	INSIDE("shop::family[1].reference", family[1].member, 0 - sizeof(void *));
	OF_MEMBER(family[1], member);
	OF_MEMBER(family[1], call);
	OF_MEMBER(buffers, values[3].values[2]);
	OF_MEMBER(buffers, values[3].nr);
	OF_MEMBER(buffers, nr);
	INSIDE("shop::both::outside", both::outside, 0);
	INSIDE("shop::only_one()::value.second", only_one().second, 0);
	INSIDE("shop::counted<shop::second_base>()::value.second", counted<second_base>().second,
	       0);
	FIELD(thread_count);
	tell_second();
	return 0;
}
