/* SPDX-License-Identifier: MIT */
/* The C library's functions, as they are behind the wrappers here. */
#ifndef LIBANNOT_ATTACH_PTHREAD_REAL_H
#define LIBANNOT_ATTACH_PTHREAD_REAL_H

#define REAL_EACH(X)                  \
	X(pthread_mutex_lock)         \
	X(pthread_mutex_timedlock)    \
	X(pthread_mutex_clocklock)    \
	X(pthread_rwlock_rdlock)      \
	X(pthread_rwlock_timedrdlock) \
	X(pthread_rwlock_clockrdlock) \
	X(pthread_rwlock_wrlock)      \
	X(pthread_rwlock_timedwrlock) \
	X(pthread_rwlock_clockwrlock) \
	X(pthread_cond_wait)          \
	X(pthread_cond_timedwait)     \
	X(pthread_cond_clockwait)     \
	X(pthread_barrier_wait)       \
	X(pthread_join)               \
	X(pthread_timedjoin_np)       \
	X(pthread_clockjoin_np)       \
	X(sem_wait)                   \
	X(sem_timedwait)              \
	X(sem_clockwait)              \
	X(mtx_lock)                   \
	X(mtx_timedlock)              \
	X(cnd_wait)                   \
	X(cnd_timedwait)              \
	X(thrd_join)

#define REAL_INDEX(name) REAL_##name,
enum real_index {
	REAL_EACH(REAL_INDEX) REAL_FUNCTIONS
};

extern void *real_addresses[REAL_FUNCTIONS];

/* For calls that come before this object's constructor. */
__attribute__((cold)) void *real_look_up(enum real_index index);

static inline void *real_address(enum real_index index)
{
	void *address = __atomic_load_n(&real_addresses[index], __ATOMIC_RELAXED);

	return __builtin_expect(address != 0, 1) ? address : real_look_up(index);
}

#define REAL(name) ((__typeof__(&(name)))real_address(REAL_##name))

#endif /* LIBANNOT_ATTACH_PTHREAD_REAL_H */
