// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: slow_files serve DIRECTORY DEAF
 *	  slow_files use FILE DEAF [SECONDS]
 *
 * The server of a FUSE filesystem with one file, which answers nobody any more that asks for more than what is
 * in the file, once there is a file DEAF. And a program that opens FILE, makes DEAF, maps FILE as code, and
 * goes on for SECONDS, or some, with page faults.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define REQUEST_MAX_BYTES (256 << 10)
#define FILE_NODE 2
#define FILE_BYTES 4096
#define VALID_S 1000
#define USED_S 4

static const char *deaf;

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void answer(int fd, const struct fuse_in_header *to, int error, const void *data,
		   size_t bytes)
{
	struct {
		struct fuse_out_header header;
		char data[FILE_BYTES];
	} message = { .header = { sizeof(message.header) + (unsigned int)bytes, error,
				  to->unique } };

	if (bytes)
		memcpy(message.data, data, bytes);
	if (write(fd, &message, message.header.len) < 0 && errno != ENOENT)
		die("write to /dev/fuse");
}

static struct fuse_attr attributes_of(uint64_t node)
{
	bool is_file = node == FILE_NODE;

	return (struct fuse_attr){ .ino = node,
				   .size = is_file ? FILE_BYTES : 0,
				   .mode = is_file ? S_IFREG | 0755 : S_IFDIR | 0755,
				   .nlink = 1 };
}

static void answer_request(int fd, const struct fuse_in_header *to)
{
	static const char zeroes[FILE_BYTES];
	struct fuse_init_out init = { .major = FUSE_KERNEL_VERSION,
				      .minor = FUSE_KERNEL_MINOR_VERSION,
				      .max_write = FILE_BYTES };
	struct fuse_entry_out entry = { .nodeid = FILE_NODE,
					.entry_valid = VALID_S,
					.attr_valid = VALID_S,
					.attr = attributes_of(FILE_NODE) };
	struct fuse_attr_out attributes = { .attr_valid = VALID_S,
					    .attr = attributes_of(to->nodeid) };
	struct fuse_open_out opened = { .open_flags = FOPEN_KEEP_CACHE };

	switch (to->opcode) {
	case FUSE_INIT:
		return answer(fd, to, 0, &init, sizeof(init));
	case FUSE_READ:
		return answer(fd, to, 0, zeroes, sizeof(zeroes));
	case FUSE_FORGET:
	case FUSE_BATCH_FORGET:
		return;
	}
	if (!access(deaf, F_OK) && to->opcode != FUSE_RELEASE && to->opcode != FUSE_FLUSH)
		return;
	switch (to->opcode) {
	case FUSE_LOOKUP:
		return answer(fd, to, 0, &entry, sizeof(entry));
	case FUSE_GETATTR:
		return answer(fd, to, 0, &attributes, sizeof(attributes));
	case FUSE_OPEN:
		return answer(fd, to, 0, &opened, sizeof(opened));
	case FUSE_RELEASE:
	case FUSE_FLUSH:
		return answer(fd, to, 0, NULL, 0);
	default:
		return answer(fd, to, -ENOSYS, NULL, 0);
	}
}

static int serve(const char *directory)
{
	static char request[REQUEST_MAX_BYTES] __attribute__((aligned(8)));
	int fd = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	char options[96];

	snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other",
		 fd);
	if (fd < 0 || mount("slow", directory, "fuse", 0, options))
		die(directory);
	while (read(fd, request, sizeof(request)) > 0 || errno == EINTR)
		answer_request(fd, (struct fuse_in_header *)request);
	return 0;
}

static void fault_for(time_t seconds)
{
	const size_t bytes = 1 << 20;
	time_t end = time(NULL) + seconds;

	while (time(NULL) < end) {
		char *fresh = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				   -1, 0);

		if (fresh == MAP_FAILED)
			die("mmap");
		for (size_t i = 0; i < bytes; i += 4096)
			fresh[i] = 1;
		munmap(fresh, bytes);
	}
}

static int use(const char *path, time_t seconds)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	volatile char *code;

	if (fd < 0 || creat(deaf, 0644) < 0)
		die(path);
	code = mmap(NULL, FILE_BYTES, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	if (code == MAP_FAILED)
		die("mmap");
	fault_for(seconds);
	return *code;
}

int main(int argc, char **argv)
{
	if (argc < 4 || argc > 5)
		return 2;
	deaf = argv[3];
	if (!strcmp(argv[1], "serve"))
		return serve(argv[2]);
	return use(argv[2], argc == 5 ? atoi(argv[4]) : USED_S);
}
