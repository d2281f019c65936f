// SPDX-License-Identifier: MIT
/*
 * All that C++ has of libannot, in a small program. To build and record it:
 *
 *	c++ -std=c++17 example.cc $(pkg-config --cflags --libs annot) -pthread -o example
 *	annot record -- ./example
 */
#include <annot/annot.h>

#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

static const int nr_workers = 2, nr_rows = 3;

/* C++17 has no std::barrier. */
class barrier
{
public:
	void wait()
	{
		std::unique_lock<std::mutex> lock(mutex);

		if (++nr_here == nr_workers)
			all_here.notify_all();
		all_here.wait(lock, [this] { return nr_here == nr_workers; });
	}

private:
	std::mutex mutex;
	std::condition_variable all_here;
	int nr_here = 0;
};

static void work(barrier &done, int number)
{
	annot_thread_name(("worker" + std::to_string(number)).c_str());
	for (int i = 0; i < nr_rows; i++) {
		ANNOT_SCOPE_VALUE("row", 10 * number + i);
		annot_counter("rows done", i + 1);
	}
	ANNOT_WAIT_SCOPE("barrier");
	done.wait();
}

/* A span ends with its block, also when that is left by an exception. */
static void risk()
{
	annot::scope outer("outer");
	annot::scope risky("risky", -1);

	throw std::runtime_error("out of luck");
}

int main()
{
	barrier done;

	annot_thread_name("example");
	annot_mark("start");
	{
		ANNOT_SCOPE_VALUE("setup", 7);
		ANNOT_SCOPE("read");
	}
	std::thread workers[nr_workers];

	for (int i = 0; i < nr_workers; i++)
		workers[i] = std::thread(work, std::ref(done), i);
	{
		ANNOT_WAIT_SCOPE("join");
		for (std::thread &worker : workers)
			worker.join();
	}
	try {
		risk();
	} catch (const std::runtime_error &) {
		annot_mark_value("caught", 1);
	}
	annot_begin("phase 1");
	annot_next_value("phase 2", 2);
	annot_end();
	std::puts(annot_enabled() ? "recorded" : "not recorded");
}
