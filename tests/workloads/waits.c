// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: waits TIMES
 *
 * Waits for all kinds of things, TIMES times each, a thread for each kind; what it waits for comes some milliseconds later:
 * from the thread "waker", or by a timer. Prints a line for each kind, once all are done:
 *
 *	KIND TID TIMES NS ENDED-BY CALLS OBJECT HOLDER CAUSE
 *
 * NS: the elapsed time of the waiting calls. ENDED-BY: waker, interrupt, or child. CALLS: the system call, by the names that it
 * may have. OBJECT: what is waited for, with '_' for each blank, of a futex FROM-TO, where its word is; '-': nothing that is
 * told. HOLDER: the tid of who holds it then, or 0. CAUSE is to the line's end.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WAIT_MS 4
#define OTHERS_MS 25 /* children and threads have to be made first */
#define PATH_BYTES 64

enum ended_by {
	BY_WAKER,
	BY_INTERRUPT,
	BY_CHILD,
};

static const char *const enders[] = { "waker", "interrupt", "child" };

/* What is waited for; one of each kind, used by its waiter and by the waker. */
static struct {
	pthread_mutex_t mutex, condition_mutex;
	pthread_cond_t condition;
	bool condition_holds;
	pthread_barrier_t barrier;
	sem_t semaphore;
	pthread_rwlock_t rwlock;
	int pipe_read[2], pipe_write[2];
	int stream[2], datagram[2];
	int listener;
	struct sockaddr_un address;
	int event;
	int epoll_pipe[2], poll_pipe[2];
	int lock_fd;
	int queue;
	int semaphores;
	int watch;
	char directory[PATH_BYTES], watched[PATH_BYTES], fifo[PATH_BYTES], lock_path[PATH_BYTES];
	pthread_t joined;
} on;

struct kind {
	const char *name;
	const char *cause;
	const char *calls;
	enum ended_by ended_by;
	void (*prepare)(void); /* before the wait; by its waiter */
	void (*wait)(void);
	void (*end)(void); /* by the waker; NULL: nothing to do */
	void (*settle)(void); /* after the wait; NULL: nothing to do */
};

/* A kind while it is waited for. */
struct run {
	const struct kind *kind;
	pid_t tid; /* of its waiter */
	pid_t holder; /* of what it waits for; 0: nobody */
	uint64_t ns;
	char object[PATH_BYTES];
	sem_t held, asked, over; /* between waiter and waker: a wait may begin, begins, has ended */
};

/* Of the kind that is being waited for: says what it waits for. */
static struct run *now_running;

static void fail(const char *what)
{
	fprintf(stderr, "waits: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void expect(bool is_so, const char *what)
{
	if (!is_so)
		fail(what);
}

static uint64_t now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void sleep_ms(long ms)
{
	nanosleep(&(struct timespec){ .tv_nsec = ms * 1000000 }, NULL);
}

static void say_futex(const void *from, size_t bytes)
{
	snprintf(now_running->object, sizeof(now_running->object), "%#lx-%#lx", (unsigned long)from,
		 (unsigned long)from + bytes);
}

static void say_fd(const char *name, int fd)
{
	snprintf(now_running->object, sizeof(now_running->object), "%s_(fd_%d)", name, fd);
}

/* @form has the number of its inode in it. */
static void say_inode(const char *form, int fd)
{
	struct stat stat;

	expect(!fstat(fd, &stat), "fstat");
	snprintf(now_running->object, sizeof(now_running->object), form,
		 (unsigned long)stat.st_ino);
}

static void say_pipe(int fd)
{
	say_inode("pipe:[%lu]", fd);
}

static void say_socket(int fd)
{
	say_inode("socket:[%lu]_(unix)", fd);
}

static void put_byte(int fd)
{
	expect(write(fd, "", 1) == 1, "write");
}

static void take_byte(int fd)
{
	char byte;

	expect(read(fd, &byte, 1) == 1, "read");
}

static void nothing(void)
{
}

/* Futexes. The waker holds locks before the wait begins: it does so in prepare, which has it asked for twice. */
static void mutex_wait(void)
{
	say_futex(&on.mutex, 4);
	pthread_mutex_lock(&on.mutex);
	pthread_mutex_unlock(&on.mutex);
}

static void condition_wait(void)
{
	say_futex(&on.condition, sizeof(on.condition));
	pthread_mutex_lock(&on.condition_mutex);
	while (!on.condition_holds)
		pthread_cond_wait(&on.condition, &on.condition_mutex);
	on.condition_holds = false;
	pthread_mutex_unlock(&on.condition_mutex);
}

static void condition_end(void)
{
	pthread_mutex_lock(&on.condition_mutex);
	on.condition_holds = true;
	pthread_mutex_unlock(&on.condition_mutex);
	pthread_cond_signal(&on.condition);
}

static void barrier_meet(void)
{
	pthread_barrier_wait(&on.barrier);
}

static void semaphore_wait(void)
{
	say_futex(&on.semaphore, sizeof(on.semaphore));
	sem_wait(&on.semaphore);
}

static void semaphore_end(void)
{
	sem_post(&on.semaphore);
}

static void rwlock_wait(void)
{
	say_futex(&on.rwlock, sizeof(on.rwlock));
	pthread_rwlock_rdlock(&on.rwlock);
	pthread_rwlock_unlock(&on.rwlock);
}

static void *sleep_and_end(void *unused)
{
	sleep_ms(OTHERS_MS);
	return unused;
}

static void join_prepare(void)
{
	expect(!pthread_create(&on.joined, NULL, sleep_and_end, NULL), "pthread_create");
}

static void join_wait(void)
{
	pthread_join(on.joined, NULL);
}

/* Pipes and sockets. */
static void pipe_read_wait(void)
{
	say_pipe(on.pipe_read[0]);
	take_byte(on.pipe_read[0]);
}

static void pipe_read_end(void)
{
	put_byte(on.pipe_read[1]);
}

static void pipe_fill(void)
{
	static const char bytes[4096];

	fcntl(on.pipe_write[1], F_SETFL, O_NONBLOCK);
	while (write(on.pipe_write[1], bytes, sizeof(bytes)) > 0)
		;
	fcntl(on.pipe_write[1], F_SETFL, 0);
}

static void pipe_write_wait(void)
{
	say_pipe(on.pipe_write[1]);
	put_byte(on.pipe_write[1]);
}

static void pipe_write_end(void)
{
	char bytes[65536];

	expect(read(on.pipe_write[0], bytes, sizeof(bytes)) > 0, "read");
}

static void fifo_wait(void)
{
	close(open(on.fifo, O_RDONLY | O_CLOEXEC));
}

static void fifo_end(void)
{
	close(open(on.fifo, O_WRONLY | O_CLOEXEC));
}

static void stream_wait(void)
{
	say_socket(on.stream[0]);
	take_byte(on.stream[0]);
}

static void stream_end(void)
{
	put_byte(on.stream[1]);
}

static void datagram_wait(void)
{
	say_socket(on.datagram[0]);
	take_byte(on.datagram[0]);
}

static void datagram_end(void)
{
	put_byte(on.datagram[1]);
}

static void accept_wait(void)
{
	say_socket(on.listener);
	close(accept(on.listener, NULL, NULL));
}

static void accept_end(void)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	expect(!connect(fd, (struct sockaddr *)&on.address, sizeof(on.address)), "connect");
	close(fd);
}

/* Descriptors of events. */
static void eventfd_wait(void)
{
	uint64_t value;

	say_fd("eventfd", on.event);
	expect(read(on.event, &value, sizeof(value)) == sizeof(value), "eventfd");
}

static void eventfd_end(void)
{
	const uint64_t one = 1;

	expect(write(on.event, &one, sizeof(one)) == sizeof(one), "eventfd");
}

static void timerfd_wait(void)
{
	const struct itimerspec in = { .it_value.tv_nsec = WAIT_MS * 1000000 };
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	uint64_t value;

	say_fd("timerfd", fd);
	expect(fd >= 0 && !timerfd_settime(fd, 0, &in, NULL), "timerfd");
	expect(read(fd, &value, sizeof(value)) == sizeof(value), "timerfd");
	close(fd);
}

static void epoll_wait_for_pipe(void)
{
	struct epoll_event event = { .events = EPOLLIN };
	int fd = epoll_create1(EPOLL_CLOEXEC);

	say_fd("epoll", fd);
	expect(fd >= 0 && !epoll_ctl(fd, EPOLL_CTL_ADD, on.epoll_pipe[0], &event), "epoll_ctl");
	expect(epoll_wait(fd, &event, 1, -1) == 1, "epoll_wait");
	close(fd);
}

static void epoll_end(void)
{
	put_byte(on.epoll_pipe[1]);
}

static void epoll_settle(void)
{
	take_byte(on.epoll_pipe[0]);
}

static void poll_wait(void)
{
	struct pollfd fd = { .fd = on.poll_pipe[0], .events = POLLIN };

	expect(poll(&fd, 1, -1) == 1, "poll");
}

static void poll_end(void)
{
	put_byte(on.poll_pipe[1]);
}

static void poll_settle(void)
{
	take_byte(on.poll_pipe[0]);
}

static void select_wait(void)
{
	struct timeval in = { .tv_usec = WAIT_MS * 1000 };

	select(0, NULL, NULL, NULL, &in);
}

static void inotify_wait(void)
{
	char events[4096];

	say_fd("inotify", on.watch);
	expect(read(on.watch, events, sizeof(events)) > 0, "inotify");
}

static void inotify_end(void)
{
	expect(!mkdir(on.watched, 0700), "mkdir");
}

static void inotify_settle(void)
{
	expect(!rmdir(on.watched), "rmdir");
	inotify_wait();
}

/* Time, children, signals. */
static void sleep_wait(void)
{
	sleep_ms(WAIT_MS);
}

static pid_t child;

static void child_prepare(void)
{
	child = fork();
	if (!child) {
		sleep_ms(OTHERS_MS);
		_exit(0);
	}
	expect(child > 0, "fork");
}

static void child_wait(void)
{
	expect(waitpid(child, NULL, 0) == child, "waitpid");
}

static void vfork_wait(void)
{
	child = vfork();
	if (!child) {
		syscall(SYS_nanosleep, &(struct timespec){ .tv_nsec = OTHERS_MS * 1000000 }, NULL);
		_exit(0);
	}
}

static pid_t signalled;

static void signal_prepare(void)
{
	signalled = (pid_t)syscall(SYS_gettid);
}

static void signal_wait(void)
{
	sigset_t set;
	int number;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	expect(!sigwait(&set, &number), "sigwait");
}

static void signal_end(void)
{
	expect(!syscall(SYS_tgkill, getpid(), signalled, SIGUSR1), "tgkill");
}

/* Files and System V. */
static void flock_wait(void)
{
	int fd = open(on.lock_path, O_RDWR | O_CLOEXEC);

	strcpy(now_running->object, "lock");
	expect(!flock(fd, LOCK_EX), "flock");
	close(fd);
}

static void queue_wait(void)
{
	struct {
		long type;
		char text[1];
	} message;

	expect(msgrcv(on.queue, &message, 1, 0, 0) == 1, "msgrcv");
}

static void queue_end(void)
{
	const struct {
		long type;
		char text[1];
	} message = { .type = 1 };

	expect(!msgsnd(on.queue, &message, 1, 0), "msgsnd");
}

static void system_semaphore_wait(void)
{
	struct sembuf take = { .sem_op = -1 };

	expect(!semop(on.semaphores, &take, 1), "semop");
}

static void system_semaphore_end(void)
{
	struct sembuf give = { .sem_op = 1 };

	expect(!semop(on.semaphores, &give, 1), "semop");
}

/* Locks that the waker holds from before the wait on. */
static void mutex_hold(void)
{
	now_running->holder = (pid_t)syscall(SYS_gettid);
	pthread_mutex_lock(&on.mutex);
}

static void mutex_release(void)
{
	pthread_mutex_unlock(&on.mutex);
}

static void rwlock_hold(void)
{
	pthread_rwlock_wrlock(&on.rwlock);
}

static void rwlock_release(void)
{
	pthread_rwlock_unlock(&on.rwlock);
}

static void flock_hold(void)
{
	expect(!flock(on.lock_fd, LOCK_EX), "flock");
}

static void flock_release(void)
{
	expect(!flock(on.lock_fd, LOCK_UN), "flock");
}

/* By the name of a kind: what the waker holds while it sleeps. */
static const struct {
	const char *name;
	void (*hold)(void);
} held[] = {
	{ "mutex", mutex_hold },
	{ "rwlock", rwlock_hold },
	{ "flock", flock_hold },
};

static const struct kind kinds[] = {
	{ "mutex", "futex", "futex", BY_WAKER, nothing, mutex_wait, mutex_release, NULL },
	{ "condition", "futex", "futex", BY_WAKER, nothing, condition_wait, condition_end, NULL },
	{ "barrier", "futex", "futex", BY_WAKER, nothing, barrier_meet, barrier_meet, NULL },
	{ "semaphore", "futex", "futex", BY_WAKER, nothing, semaphore_wait, semaphore_end, NULL },
	{ "rwlock", "futex", "futex", BY_WAKER, nothing, rwlock_wait, rwlock_release, NULL },
	{ "join", "futex", "futex", BY_CHILD, join_prepare, join_wait, NULL, NULL },
	{ "pipe-read", "pipe read", "read", BY_WAKER, nothing, pipe_read_wait, pipe_read_end,
	  NULL },
	{ "pipe-write", "pipe write", "write", BY_WAKER, pipe_fill, pipe_write_wait, pipe_write_end,
	  NULL },
	{ "fifo", "pipe open", "openat", BY_WAKER, nothing, fifo_wait, fifo_end, NULL },
	{ "stream", "socket receive", "read", BY_WAKER, nothing, stream_wait, stream_end, NULL },
	{ "datagram", "socket receive", "read", BY_WAKER, nothing, datagram_wait, datagram_end,
	  NULL },
	{ "accept", "socket accept", "accept", BY_WAKER, nothing, accept_wait, accept_end, NULL },
	{ "eventfd", "eventfd", "read", BY_WAKER, nothing, eventfd_wait, eventfd_end, NULL },
	{ "timerfd", "timerfd", "read", BY_INTERRUPT, nothing, timerfd_wait, NULL, NULL },
	{ "epoll", "epoll", "epoll_wait|epoll_pwait", BY_WAKER, nothing, epoll_wait_for_pipe,
	  epoll_end, epoll_settle },
	{ "poll", "poll", "poll|ppoll", BY_WAKER, nothing, poll_wait, poll_end, poll_settle },
	{ "select", "select", "select|pselect6", BY_INTERRUPT, nothing, select_wait, NULL, NULL },
	{ "inotify", "inotify", "read", BY_WAKER, nothing, inotify_wait, inotify_end,
	  inotify_settle },
	{ "sleep", "sleep", "nanosleep|clock_nanosleep", BY_INTERRUPT, nothing, sleep_wait, NULL,
	  NULL },
	{ "child", "child process", "wait4", BY_CHILD, child_prepare, child_wait, NULL, NULL },
	{ "vfork", "child process (vfork)", "vfork|clone", BY_CHILD, nothing, vfork_wait, NULL,
	  child_wait },
	{ "signal", "signal", "rt_sigtimedwait", BY_WAKER, signal_prepare, signal_wait, signal_end,
	  NULL },
	{ "flock", "file lock", "flock", BY_WAKER, nothing, flock_wait, flock_release, NULL },
	{ "queue", "message queue", "msgrcv", BY_WAKER, nothing, queue_wait, queue_end, NULL },
	{ "semop", "System V semaphore", "semop|semtimedop", BY_WAKER, nothing,
	  system_semaphore_wait, system_semaphore_end, NULL },
};

#define NR_KINDS (sizeof(kinds) / sizeof(kinds[0]))

static struct run runs[NR_KINDS];
static int times;

static bool is_asleep(pid_t tid)
{
	char path[PATH_BYTES], text[512] = "";
	const char *state;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
	file = fopen(path, "r");
	if (!file)
		return false;
	state = fgets(text, sizeof(text), file) ? strrchr(text, ')') : NULL;
	fclose(file);
	return state && (state[2] == 'S' || state[2] == 'D');
}

/* Holds what is to be held, lets the waiter go, and ends its wait WAIT_MS after it fell asleep. */
static void *end_waits(void *context)
{
	struct run *run = context;
	void (*hold)(void) = NULL;

	prctl(PR_SET_NAME, "waker");
	for (size_t i = 0; i < sizeof(held) / sizeof(held[0]); i++) {
		if (!strcmp(held[i].name, run->kind->name))
			hold = held[i].hold;
	}
	for (int i = 0; i < times; i++) {
		if (hold)
			hold();
		sem_post(&run->held);
		sem_wait(&run->asked);
		do
			sleep_ms(WAIT_MS);
		while (!is_asleep(run->tid));
		run->kind->end();
		sem_wait(&run->over);
	}
	return NULL;
}

static void wait_once(struct run *run)
{
	uint64_t from_ns;

	run->kind->prepare();
	if (run->kind->end) {
		sem_wait(&run->held);
		sem_post(&run->asked);
	}
	from_ns = now_ns();
	run->kind->wait();
	run->ns += now_ns() - from_ns;
	if (run->kind->end)
		sem_post(&run->over);
	if (run->kind->settle)
		run->kind->settle();
}

static void *wait_for_kind(void *context)
{
	struct run *run = context;

	prctl(PR_SET_NAME, run->kind->name);
	run->tid = (pid_t)syscall(SYS_gettid);
	for (int i = 0; i < times; i++)
		wait_once(run);
	return NULL;
}

static void make_pipe(int fds[2])
{
	expect(!pipe2(fds, O_CLOEXEC), "pipe2");
}

static void make_things(void)
{
	sigset_t set;

	snprintf(on.directory, sizeof(on.directory), "/tmp/waits-%d", getpid());
	expect(!mkdir(on.directory, 0700), on.directory);
	snprintf(on.watched, sizeof(on.watched), "%.40s/watched", on.directory);
	snprintf(on.fifo, sizeof(on.fifo), "%.40s/fifo", on.directory);
	snprintf(on.lock_path, sizeof(on.lock_path), "%.40s/lock", on.directory);
	expect(!mkfifo(on.fifo, 0600), on.fifo);
	on.lock_fd = open(on.lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	expect(on.lock_fd >= 0, on.lock_path);
	on.watch = inotify_init1(IN_CLOEXEC);
	expect(inotify_add_watch(on.watch, on.directory, IN_CREATE | IN_DELETE) >= 0, "inotify");
	pthread_mutex_init(&on.mutex, NULL);
	pthread_mutex_init(&on.condition_mutex, NULL);
	pthread_cond_init(&on.condition, NULL);
	pthread_barrier_init(&on.barrier, NULL, 2);
	sem_init(&on.semaphore, 0, 0);
	pthread_rwlock_init(&on.rwlock, NULL);
	make_pipe(on.pipe_read);
	make_pipe(on.pipe_write);
	make_pipe(on.epoll_pipe);
	make_pipe(on.poll_pipe);
	expect(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, on.stream), "socketpair");
	expect(!socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, on.datagram), "socketpair");
	on.address.sun_family = AF_UNIX;
	snprintf(on.address.sun_path + 1, sizeof(on.address.sun_path) - 1, "waits-%d", getpid());
	on.listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	expect(!bind(on.listener, (struct sockaddr *)&on.address, sizeof(on.address)) &&
		       !listen(on.listener, 8),
	       "listen");
	on.event = eventfd(0, EFD_CLOEXEC);
	on.queue = msgget(IPC_PRIVATE, 0600);
	on.semaphores = semget(IPC_PRIVATE, 1, 0600);
	expect(on.queue >= 0 && on.semaphores >= 0, "System V IPC");
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
}

static void remove_things(void)
{
	msgctl(on.queue, IPC_RMID, NULL);
	semctl(on.semaphores, 0, IPC_RMID);
	unlink(on.fifo);
	unlink(on.lock_path);
	rmdir(on.directory);
}

static void run_kind(struct run *run)
{
	pthread_t waiter, waker;

	now_running = run;
	strcpy(run->object, "-");
	sem_init(&run->asked, 0, 0);
	sem_init(&run->held, 0, 0);
	sem_init(&run->over, 0, 0);
	expect(!pthread_create(&waiter, NULL, wait_for_kind, run), "pthread_create");
	if (run->kind->end)
		expect(!pthread_create(&waker, NULL, end_waits, run), "pthread_create");
	pthread_join(waiter, NULL);
	if (run->kind->end)
		pthread_join(waker, NULL);
}

int main(int argc, char **argv)
{
	times = argc > 1 ? atoi(argv[1]) : 3;
	make_things();
	for (size_t i = 0; i < NR_KINDS; i++) {
		runs[i].kind = &kinds[i];
		run_kind(&runs[i]);
	}
	remove_things();
	for (size_t i = 0; i < NR_KINDS; i++)
		printf("%s %d %d %llu %s %s %s %d %s\n", kinds[i].name, runs[i].tid, times,
		       (unsigned long long)runs[i].ns, enders[kinds[i].ended_by], kinds[i].calls,
		       runs[i].object, runs[i].holder, kinds[i].cause);
	return 0;
}
