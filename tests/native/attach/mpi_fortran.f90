! SPDX-License-Identifier: GPL-2.0
! Two ranks; attach_mpi.sh knows what they do.
program calls
	use mpi
	implicit none
	integer :: rank, error, requests(2), status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, 2)
	double precision :: numbers(4), others(4), total

	call MPI_Init(error)
	call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
	numbers = rank
	if (rank == 0) then
		call MPI_Send(numbers, 4, MPI_DOUBLE_PRECISION, 1, 5, MPI_COMM_WORLD, error)
	else
		call MPI_Recv(others, 4, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, status, error)
		if (status(MPI_SOURCE) /= 0 .or. any(others /= 0)) call MPI_Abort(MPI_COMM_WORLD, 1, error)
	end if
	call MPI_Irecv(others, 4, MPI_DOUBLE_PRECISION, 1 - rank, 6, MPI_COMM_WORLD, requests(1), error)
	call MPI_Isend(numbers, 2, MPI_DOUBLE_PRECISION, 1 - rank, 6, MPI_COMM_WORLD, requests(2), error)
	call MPI_Waitall(2, requests, statuses, error)
	call MPI_Allreduce(numbers(1), total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
	call MPI_Barrier(MPI_COMM_WORLD, error)
	call MPI_Finalize(error)
	if (total == 1) print '(i2, a)', rank, ' done'
end program calls
