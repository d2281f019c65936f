// SPDX-License-Identifier: GPL-2.0
/*
 * The same of C++: containers of its library, an allocator of one's own, new with and without a constructor.
 */
#include <cstdlib>
#include <list>
#include <memory>
#include <vector>

#include "blocks_tell.h"

#define CASE static __attribute__((noinline)) void

struct point {
	double x, y;
};

struct made : point {
	long id;
	explicit made(long id) : point{ 1, 2 }, id(id) {}
};

template <typename T> struct arena_allocator {
	typedef T value_type;

	T *allocate(size_t nr) { return static_cast<T *>(malloc(nr * sizeof(T))); }
	void deallocate(T *, size_t) {}
	bool operator==(const arena_allocator &) const { return true; }
};

static volatile size_t nr = 12;

CASE vector()
{
	auto *points = new std::vector<point>(nr);

	ELEMENT(points->data(), [7].y);
}

CASE grown_vector()
{
	auto *points = new std::vector<point>;

	for (size_t i = 0; i < nr; i++)
		points->push_back(point{ 1, 2 });
	ELEMENT(points->data(), [11].x);
}

CASE with_allocator()
{
	auto *points = new std::vector<point, arena_allocator<point>>(nr);

	ELEMENT(points->data(), [3].y);
}

CASE with_new()
{
	point *points = new point[nr];

	ELEMENT_OR_OFFSET(points, [2].y);
}

/* By `this' of its constructor: of its base class, too, which is smaller. */
CASE constructed()
{
	made *one = new made(long(nr));

	MEMBER_OR_OFFSET(one, id);
	MEMBER_OR_OFFSET(one, y);
}

int main()
{
	tell_maps();
	vector();
	grown_vector();
	with_allocator();
	with_new();
	constructed();
	return 0;
}
