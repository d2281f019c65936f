// SPDX-License-Identifier: GPL-2.0
/*
 * Waits of C++, which the C++ library makes for this program. Prints what they must be called in the trace, and
 * the lines of the calls.
 */
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <unistd.h>

/* Each line with SAID makes one wait, and says so. */
static void said(const char *word, int line)
{
	std::printf("%s %d %d\n", word, gettid(), line);
}

#define SAID(word) said(word, __LINE__)

static std::mutex mutex;
static std::timed_mutex timed_mutex;
static std::shared_mutex shared_mutex;
static std::condition_variable condition;
static bool is_due;

using std::chrono::milliseconds;
using std::chrono::seconds;
using steady = std::chrono::steady_clock;

static void wait_for_lock()
{
	SAID("mutex"), mutex.lock();
	mutex.unlock();
	(void)(SAID("mutex"), timed_mutex.try_lock_for(seconds(5)));
	timed_mutex.unlock();
	SAID("rwlock"), shared_mutex.lock_shared();
	shared_mutex.unlock_shared();
}

static void wait_for_condition()
{
	std::unique_lock<std::mutex> lock(mutex);

	SAID("condition"), condition.wait(lock);
	(void)(SAID("condition"), condition.wait_for(lock, milliseconds(10)));
	(void)(SAID("condition"), condition.wait_until(lock, steady::now() + milliseconds(10)));
	is_due = true;
}

/* Holds each for a while in which the other thread comes to wait for it. */
template <typename Mutex> static void hold(Mutex &held, int ms)
{
	std::this_thread::sleep_for(milliseconds(ms));
	held.unlock();
}

int main()
{
	mutex.lock();
	timed_mutex.lock();
	shared_mutex.lock();
	std::thread locking(wait_for_lock);
	hold(mutex, 100);
	hold(timed_mutex, 100);
	hold(shared_mutex, 100);
	SAID("join"), locking.join();

	std::thread waiting(wait_for_condition);
	for (bool done = false; !done;) {
		std::this_thread::sleep_for(milliseconds(100));
		std::lock_guard<std::mutex> lock(mutex);
		condition.notify_one();
		done = is_due;
	}
	SAID("join"), waiting.join();
	return 0;
}
