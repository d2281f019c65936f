/* SPDX-License-Identifier: MIT */
/*
 * The values of the marks that tell of messages, for the reader of the trace.
 *
 *	@rank		the process's rank in MPI_COMM_WORLD; once in a recording
 *	@send		a message is sent, by the call that is open
 *	@recv		a message has been received, by the call that is open
 *	@collective	a collective operation begins
 *	@untracked	so many requests found no room: what they receive is not told
 *
 * @send and @recv:
 *
 *	bits 44 to 63	rank of the partner in MPI_COMM_WORLD. 0xfffff: unknown, or as high or higher
 *	bits 24 to 43	tag. 0xfffff: as high or higher
 *	bits 0 to 23	bytes: the lower 19 bits shifted to the left by the upper 5. Exact below 512 KB;
 *			else rounded down, by less than 4 in a million
 *
 * Messages between two ranks with the same tag arrive in the order in which they are sent, within a communicator.
 *
 * @collective:
 *
 *	bits 32 to 63	the communicator: a number that is the same in all its processes. MPI_COMM_WORLD is 0
 *	bits 0 to 31	how many collective operations came before on this communicator
 *
 * The same value in several processes is one operation.
 */
#ifndef LIBANNOT_ATTACH_MPI_MESSAGE_H
#define LIBANNOT_ATTACH_MPI_MESSAGE_H

#include <stdint.h>

#define MPI_MESSAGE_FIELD_MAX 0xfffff
#define MPI_MESSAGE_BYTES_MANTISSA_BITS 19

static inline uint64_t mpi_message_field(int64_t value)
{
	return value < 0 || value > MPI_MESSAGE_FIELD_MAX ? MPI_MESSAGE_FIELD_MAX : (uint64_t)value;
}

static inline uint64_t mpi_message_bytes(uint64_t nr_bytes)
{
	uint64_t shift = 0;

	while (nr_bytes >> shift >> MPI_MESSAGE_BYTES_MANTISSA_BITS)
		shift++;
	return shift << MPI_MESSAGE_BYTES_MANTISSA_BITS | nr_bytes >> shift;
}

static inline int64_t mpi_message_value(int world_rank, int tag, uint64_t nr_bytes)
{
	return (int64_t)(mpi_message_field(world_rank) << 44 | mpi_message_field(tag) << 24 |
			 mpi_message_bytes(nr_bytes));
}

#endif /* LIBANNOT_ATTACH_MPI_MESSAGE_H */
