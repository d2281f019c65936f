! SPDX-License-Identifier: GPL-2.0
! Two ranks; attach_mpi.sh knows what they do.
program calls
	use mpi_f08
	implicit none
	integer :: rank
	type(MPI_Request) :: requests(2)
	type(MPI_Status) :: status
	double precision :: numbers(4), others(4), total

	call MPI_Init()
	call MPI_Comm_rank(MPI_COMM_WORLD, rank)
	numbers = rank
	if (rank == 0) then
		call MPI_Send(numbers, 4, MPI_DOUBLE_PRECISION, 1, 5, MPI_COMM_WORLD)
	else
		call MPI_Recv(others, 4, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, status)
		if (status%MPI_SOURCE /= 0 .or. any(others /= 0)) call MPI_Abort(MPI_COMM_WORLD, 1)
	end if
	call MPI_Irecv(others, 4, MPI_DOUBLE_PRECISION, 1 - rank, 6, MPI_COMM_WORLD, requests(1))
	call MPI_Isend(numbers, 2, MPI_DOUBLE_PRECISION, 1 - rank, 6, MPI_COMM_WORLD, requests(2))
	call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
	call MPI_Allreduce(numbers(1), total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
	call MPI_Barrier(MPI_COMM_WORLD)
	call MPI_Finalize()
	if (total == 1) print '(i2, a)', rank, ' done'
end program calls
