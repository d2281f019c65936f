// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: omp_cxx THREADS
 *
 * OpenMP in C++: data of tasks that are copied by constructors, exceptions within regions and tasks.
 */
#include <omp.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "omp_truth.h"

namespace
{

std::atomic<long> nr_alive{ 0 };

/* Knows its own address: whoever copies its bytes is caught. */
class tracked
{
public:
	explicit tracked(long value)
		: value_(value), text_(std::to_string(value) + " is long enough to be allocated")
	{
		nr_alive++;
	}
	tracked(const tracked &other) : value_(other.value()), text_(other.text_)
	{
		nr_alive++;
	}
	tracked &operator=(const tracked &) = delete;
	~tracked()
	{
		nr_alive--;
	}
	long value() const
	{
		if (self_ != this || std::stol(text_) != value_)
			std::abort();
		return value_;
	}

private:
	const tracked *self_ = this;
	long value_;
	std::string text_;
};

std::atomic<long> sum{ 0 };

void in_region(int line)
{
	did("parallel", line, 1);
	did("wait:team", 0, 1);
	if (omp_get_thread_num() == 0)
		did("team", 0, 1);
}

long throws_at(long value)
{
	if (value % 7 == 0)
		throw std::runtime_error("seven");
	return value;
}

void tasks(int nr_threads)
{
	tracked base(1000);

	HERE(region);
#pragma omp parallel num_threads(nr_threads)
	{
		in_region(region);
		did("wait:barrier", 0, 1);
		HERE(single);
#pragma omp single
		{
			did("single", single, 1);
			for (int i = 0; i < 40; i++) {
				tracked number(i);

				HERE(task);
#pragma omp task firstprivate(base, number)
				{
					did("task", task, 1);
					try {
						sum += throws_at(base.value() + number.value());
					} catch (const std::runtime_error &) {
						sum += 1;
					}
				}
			}
			did("taskloop", __LINE__ + 3, 1);
			did("task", __LINE__ + 2, 5);
			did("wait:taskgroup", 0, 1);
#pragma omp taskloop firstprivate(base) num_tasks(5)
			for (int i = 0; i < 50; i++)
				sum += base.value() + i;
		}
		sum += 1;
	}
}

/* Local data of a thread, each of which must be destroyed. */
void locals(int nr_threads)
{
	HERE(region);
#pragma omp parallel num_threads(nr_threads)
	{
		std::vector<tracked> mine;

		in_region(region);
		did("wait:barrier", 0, 1);
		did("for", __LINE__ + 1, 1);
#pragma omp for schedule(dynamic, 1)
		for (int i = 0; i < 30; i++) {
			did("chunks", __LINE__ - 2, 1);
			mine.emplace_back(i);
			try {
				sum += throws_at(i);
			} catch (const std::exception &) {
				did("critical:caught", 0, 1);
				did("wait:critical:caught", 0, 1);
#pragma omp critical(caught)
				sum += 2;
			}
		}
		for (const tracked &one : mine)
			sum += one.value();
	}
}

} /* namespace */

int main(int argc, char **argv)
{
	int nr_threads = argc > 1 ? std::atoi(argv[1]) : 2;

	tasks(nr_threads);
	locals(nr_threads);
	std::printf("sum %ld, %ld alive\n", sum.load(), nr_alive.load());
	return 3;
}
