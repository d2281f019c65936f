// SPDX-License-Identifier: GPL-2.0
#include "dat/source.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "util/diag.h"

/* Each call costs; and to wait for a server after each piece would make it slow. */
#define RELEASE_BYTES (1024u * 1024)
#define LATE_RELEASE_BYTES (64u * 1024 * 1024)

uint64_t dat_source_bytes(const struct dat_cpu *cpu, uint32_t page_bytes)
{
	return cpu->bytes - cpu->bytes % page_bytes;
}

struct dat_source dat_source_of(const struct dat_cpu *cpu, uint32_t page_bytes)
{
	struct dat_source source = { .cpu = cpu, .end = dat_source_bytes(cpu, page_bytes) };

	if (source.end != cpu->bytes)
		diag_warn("record: %s: its last %" PRIu64
			  " bytes are not a whole page, and are left out",
			  cpu->path, cpu->bytes - source.end);
	return source;
}

int dat_source_read(struct dat_source *source, void *to, size_t size)
{
	while (size) {
		ssize_t got = pread(source->cpu->fd, to, size, (off_t)source->at);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return diag_error("record: %s: cannot be read at offset %" PRIu64 ": %s",
					  source->cpu->path, source->at, strerror(errno));
		if (!got)
			return diag_error("record: %s: ends at offset %" PRIu64 " of %" PRIu64,
					  source->cpu->path, source->at, source->cpu->bytes);
		to = (char *)to + got;
		source->at += (uint64_t)got;
		size -= (size_t)got;
	}
	return 0;
}

int dat_source_release(struct dat_source *source, struct dat_out *out)
{
	uint64_t least = out->fails_late ? LATE_RELEASE_BYTES : RELEASE_BYTES;
	uint64_t nr_bytes = source->at - source->released;

	if (nr_bytes < least && source->at < source->end)
		return 0;
	if (out->fails_late && dat_out_sync(out))
		return -1;
	/* Where there are no holes, it goes when the recording's files are removed. */
	(void)fallocate(source->cpu->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
			(off_t)source->released, (off_t)nr_bytes);
	source->released = source->at;
	return 0;
}
