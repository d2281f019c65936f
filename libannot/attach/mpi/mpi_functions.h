/* SPDX-License-Identifier: MIT */
/*
 * The functions of MPI 3.1 that wait, or take time, or that messages go by: kind and role (mpi_call.h), name, number of
 * parameters, and of collective operations, which parameter is the communicator. The other functions are left alone, and so
 * is MPI_Iprobe(), which programs call often to no effect.
 */
#ifndef LIBANNOT_ATTACH_MPI_FUNCTIONS_H
#define LIBANNOT_ATTACH_MPI_FUNCTIONS_H

// clang-format off
#define MPI_EACH_FUNCTION(F) \
	/* The process */ \
	F(WORK, INIT, Init, 2, 0) \
	F(WORK, INIT, Init_thread, 4, 0) \
	F(WORK, FINALIZE, Finalize, 0, 0) \
	/* Messages */ \
	F(WORK, SEND, Send, 6, 0) \
	F(WORK, SEND, Bsend, 6, 0) \
	F(WORK, SEND, Ssend, 6, 0) \
	F(WORK, SEND, Rsend, 6, 0) \
	F(WORK, SEND, Isend, 7, 0) \
	F(WORK, SEND, Ibsend, 7, 0) \
	F(WORK, SEND, Issend, 7, 0) \
	F(WORK, SEND, Irsend, 7, 0) \
	F(QUIET, SEND_OFTEN, Send_init, 7, 0) \
	F(QUIET, SEND_OFTEN, Bsend_init, 7, 0) \
	F(QUIET, SEND_OFTEN, Ssend_init, 7, 0) \
	F(QUIET, SEND_OFTEN, Rsend_init, 7, 0) \
	F(WAIT, RECV, Recv, 7, 0) \
	F(WORK, IRECV, Irecv, 7, 0) \
	F(QUIET, RECV_OFTEN, Recv_init, 7, 0) \
	F(WAIT, SENDRECV, Sendrecv, 12, 0) \
	F(WAIT, SENDRECV_REPLACE, Sendrecv_replace, 9, 0) \
	F(WAIT, PLAIN, Probe, 4, 0) \
	F(WAIT, MPROBE, Mprobe, 5, 0) \
	F(QUIET, IMPROBE, Improbe, 6, 0) \
	F(WAIT, MRECV, Mrecv, 5, 0) \
	F(WORK, IMRECV, Imrecv, 5, 0) \
	F(WORK, START, Start, 1, 0) \
	F(WORK, STARTALL, Startall, 2, 0) \
	F(WAIT, COMPLETE, Wait, 2, 0) \
	F(WAIT, COMPLETE_ALL, Waitall, 3, 0) \
	F(WAIT, COMPLETE_ANY, Waitany, 4, 0) \
	F(WAIT, COMPLETE_SOME, Waitsome, 5, 0) \
	F(QUIET, TEST, Test, 3, 0) \
	F(QUIET, TEST_ALL, Testall, 4, 0) \
	F(QUIET, TEST_ANY, Testany, 5, 0) \
	F(QUIET, COMPLETE_SOME, Testsome, 5, 0) \
	F(QUIET, REQUEST_FREE, Request_free, 1, 0) \
	F(WORK, PLAIN, Pack, 7, 0) \
	F(WORK, PLAIN, Unpack, 7, 0) \
	F(WORK, PLAIN, Pack_external, 7, 0) \
	F(WORK, PLAIN, Unpack_external, 7, 0) \
	F(WAIT, PLAIN, Buffer_detach, 2, 0) \
	/* Collective operations */ \
	F(WAIT, COLLECTIVE, Barrier, 1, 0) \
	F(WAIT, COLLECTIVE, Bcast, 5, 4) \
	F(WAIT, COLLECTIVE, Gather, 8, 7) \
	F(WAIT, COLLECTIVE, Gatherv, 9, 8) \
	F(WAIT, COLLECTIVE, Scatter, 8, 7) \
	F(WAIT, COLLECTIVE, Scatterv, 9, 8) \
	F(WAIT, COLLECTIVE, Allgather, 7, 6) \
	F(WAIT, COLLECTIVE, Allgatherv, 8, 7) \
	F(WAIT, COLLECTIVE, Alltoall, 7, 6) \
	F(WAIT, COLLECTIVE, Alltoallv, 9, 8) \
	F(WAIT, COLLECTIVE, Alltoallw, 9, 8) \
	F(WAIT, COLLECTIVE, Reduce, 7, 6) \
	F(WAIT, COLLECTIVE, Allreduce, 6, 5) \
	F(WAIT, COLLECTIVE, Reduce_scatter, 6, 5) \
	F(WAIT, COLLECTIVE, Reduce_scatter_block, 6, 5) \
	F(WAIT, COLLECTIVE, Scan, 6, 5) \
	F(WAIT, COLLECTIVE, Exscan, 6, 5) \
	F(WAIT, COLLECTIVE, Neighbor_allgather, 7, 6) \
	F(WAIT, COLLECTIVE, Neighbor_allgatherv, 8, 7) \
	F(WAIT, COLLECTIVE, Neighbor_alltoall, 7, 6) \
	F(WAIT, COLLECTIVE, Neighbor_alltoallv, 9, 8) \
	F(WAIT, COLLECTIVE, Neighbor_alltoallw, 9, 8) \
	F(WORK, COLLECTIVE, Ibarrier, 2, 0) \
	F(WORK, COLLECTIVE, Ibcast, 6, 4) \
	F(WORK, COLLECTIVE, Igather, 9, 7) \
	F(WORK, COLLECTIVE, Igatherv, 10, 8) \
	F(WORK, COLLECTIVE, Iscatter, 9, 7) \
	F(WORK, COLLECTIVE, Iscatterv, 10, 8) \
	F(WORK, COLLECTIVE, Iallgather, 8, 6) \
	F(WORK, COLLECTIVE, Iallgatherv, 9, 7) \
	F(WORK, COLLECTIVE, Ialltoall, 8, 6) \
	F(WORK, COLLECTIVE, Ialltoallv, 10, 8) \
	F(WORK, COLLECTIVE, Ialltoallw, 10, 8) \
	F(WORK, COLLECTIVE, Ireduce, 8, 6) \
	F(WORK, COLLECTIVE, Iallreduce, 7, 5) \
	F(WORK, COLLECTIVE, Ireduce_scatter, 7, 5) \
	F(WORK, COLLECTIVE, Ireduce_scatter_block, 7, 5) \
	F(WORK, COLLECTIVE, Iscan, 7, 5) \
	F(WORK, COLLECTIVE, Iexscan, 7, 5) \
	F(WORK, COLLECTIVE, Ineighbor_allgather, 8, 6) \
	F(WORK, COLLECTIVE, Ineighbor_allgatherv, 9, 7) \
	F(WORK, COLLECTIVE, Ineighbor_alltoall, 8, 6) \
	F(WORK, COLLECTIVE, Ineighbor_alltoallv, 10, 8) \
	F(WORK, COLLECTIVE, Ineighbor_alltoallw, 10, 8) \
	F(WORK, PLAIN, Reduce_local, 5, 0) \
	/* Communicators */ \
	F(WAIT, COMM_MAKE, Comm_dup, 2, 0) \
	F(WAIT, COMM_MAKE, Comm_dup_with_info, 3, 0) \
	F(WAIT, COMM_MAKE, Comm_create, 3, 0) \
	F(WAIT, COMM_MAKE, Comm_split, 4, 0) \
	F(WAIT, COMM_MAKE, Comm_split_type, 5, 0) \
	F(WAIT, COMM_MAKE, Cart_create, 6, 0) \
	F(WAIT, COMM_MAKE, Cart_sub, 3, 0) \
	F(WAIT, COMM_MAKE, Graph_create, 6, 0) \
	F(WAIT, COMM_MAKE, Dist_graph_create, 9, 0) \
	F(WAIT, COMM_MAKE, Dist_graph_create_adjacent, 10, 0) \
	F(WAIT, COMM_MAKE, Intercomm_create, 6, 0) \
	F(WAIT, COMM_MAKE, Intercomm_merge, 3, 0) \
	F(WAIT, COMM_MAKE, Comm_accept, 5, 3) \
	F(WAIT, COMM_MAKE, Comm_connect, 5, 3) \
	F(WORK, COLLECTIVE, Comm_idup, 3, 0) \
	F(WAIT, PLAIN, Comm_create_group, 4, 0) \
	F(WAIT, PLAIN, Comm_join, 2, 0) \
	F(WAIT, PLAIN, Comm_spawn, 8, 0) \
	F(WAIT, PLAIN, Comm_spawn_multiple, 9, 0) \
	F(WAIT, COMM_FREE, Comm_disconnect, 1, 0) \
	F(QUIET, COMM_FREE, Comm_free, 1, 0) \
	/* Memory of other processes */ \
	F(WAIT, PLAIN, Win_create, 6, 0) \
	F(WAIT, PLAIN, Win_allocate, 6, 0) \
	F(WAIT, PLAIN, Win_allocate_shared, 6, 0) \
	F(WAIT, PLAIN, Win_create_dynamic, 3, 0) \
	F(WAIT, PLAIN, Win_free, 1, 0) \
	F(WAIT, PLAIN, Win_fence, 2, 0) \
	F(WAIT, PLAIN, Win_start, 3, 0) \
	F(WAIT, PLAIN, Win_complete, 1, 0) \
	F(WAIT, PLAIN, Win_wait, 1, 0) \
	F(WAIT, PLAIN, Win_lock, 4, 0) \
	F(WAIT, PLAIN, Win_lock_all, 2, 0) \
	F(WAIT, PLAIN, Win_unlock, 2, 0) \
	F(WAIT, PLAIN, Win_unlock_all, 1, 0) \
	F(WAIT, PLAIN, Win_flush, 2, 0) \
	F(WAIT, PLAIN, Win_flush_all, 1, 0) \
	F(WAIT, PLAIN, Win_flush_local, 2, 0) \
	F(WAIT, PLAIN, Win_flush_local_all, 1, 0) \
	F(WORK, PLAIN, Win_post, 3, 0) \
	F(WORK, PLAIN, Put, 8, 0) \
	F(WORK, PLAIN, Get, 8, 0) \
	F(WORK, PLAIN, Accumulate, 9, 0) \
	F(WORK, PLAIN, Get_accumulate, 12, 0) \
	F(WORK, PLAIN, Fetch_and_op, 7, 0) \
	F(WORK, PLAIN, Compare_and_swap, 7, 0) \
	F(WORK, PLAIN, Rput, 9, 0) \
	F(WORK, PLAIN, Rget, 9, 0) \
	F(WORK, PLAIN, Raccumulate, 10, 0) \
	F(WORK, PLAIN, Rget_accumulate, 13, 0) \
	/* Files */ \
	F(WORK, PLAIN, File_open, 5, 0) \
	F(WORK, PLAIN, File_close, 1, 0) \
	F(WORK, PLAIN, File_delete, 2, 0) \
	F(WORK, PLAIN, File_sync, 1, 0) \
	F(WORK, PLAIN, File_set_size, 2, 0) \
	F(WORK, PLAIN, File_preallocate, 2, 0) \
	F(WORK, PLAIN, File_set_view, 6, 0) \
	F(WORK, PLAIN, File_read_at, 6, 0) \
	F(WORK, PLAIN, File_read_at_all, 6, 0) \
	F(WORK, PLAIN, File_write_at, 6, 0) \
	F(WORK, PLAIN, File_write_at_all, 6, 0) \
	F(WORK, PLAIN, File_iread_at, 6, 0) \
	F(WORK, PLAIN, File_iwrite_at, 6, 0) \
	F(WORK, PLAIN, File_iread_at_all, 6, 0) \
	F(WORK, PLAIN, File_iwrite_at_all, 6, 0) \
	F(WORK, PLAIN, File_read, 5, 0) \
	F(WORK, PLAIN, File_read_all, 5, 0) \
	F(WORK, PLAIN, File_write, 5, 0) \
	F(WORK, PLAIN, File_write_all, 5, 0) \
	F(WORK, PLAIN, File_iread, 5, 0) \
	F(WORK, PLAIN, File_iwrite, 5, 0) \
	F(WORK, PLAIN, File_iread_all, 5, 0) \
	F(WORK, PLAIN, File_iwrite_all, 5, 0) \
	F(WORK, PLAIN, File_read_shared, 5, 0) \
	F(WORK, PLAIN, File_write_shared, 5, 0) \
	F(WORK, PLAIN, File_iread_shared, 5, 0) \
	F(WORK, PLAIN, File_iwrite_shared, 5, 0) \
	F(WORK, PLAIN, File_read_ordered, 5, 0) \
	F(WORK, PLAIN, File_write_ordered, 5, 0) \
	F(WORK, PLAIN, File_read_at_all_begin, 5, 0) \
	F(WORK, PLAIN, File_read_at_all_end, 3, 0) \
	F(WORK, PLAIN, File_write_at_all_begin, 5, 0) \
	F(WORK, PLAIN, File_write_at_all_end, 3, 0) \
	F(WORK, PLAIN, File_read_all_begin, 4, 0) \
	F(WORK, PLAIN, File_read_all_end, 3, 0) \
	F(WORK, PLAIN, File_write_all_begin, 4, 0) \
	F(WORK, PLAIN, File_write_all_end, 3, 0) \
	F(WORK, PLAIN, File_read_ordered_begin, 4, 0) \
	F(WORK, PLAIN, File_read_ordered_end, 3, 0) \
	F(WORK, PLAIN, File_write_ordered_begin, 4, 0) \
	F(WORK, PLAIN, File_write_ordered_end, 3, 0)
// clang-format on

#endif /* LIBANNOT_ATTACH_MPI_FUNCTIONS_H */
