! SPDX-License-Identifier: GPL-2.0
! OpenMP in Fortran: loops, tasks, critical sections, locks. The lines are those of the directives.
program omp_fortran
	use omp_lib
	use iso_c_binding
	implicit none

	interface
		subroutine did(kind, line, number) bind(c)
			import
			character(kind=c_char), intent(in) :: kind(*)
			integer(c_int), value :: line
			integer(c_long), value :: number
		end subroutine
		subroutine work_ns(ns) bind(c)
			import
			integer(c_long), value :: ns
		end subroutine
	end interface

	integer(c_long) :: total
	integer(kind=omp_lock_kind) :: lock
	integer(kind=omp_nest_lock_kind) :: nest
	integer :: i
	character(kind=c_char), parameter :: nul = c_null_char

	total = 0
	call omp_init_lock(lock)
	call omp_init_nest_lock(nest)

	!$omp parallel num_threads(3) private(i) shared(total, lock, nest)
	call in_region(__LINE__ - 1)
	call did("wait:barrier" // nul, 0, 4_c_long)
	call did("for" // nul, __LINE__ + 1, 1_c_long)
	!$omp do schedule(dynamic, 1) reduction(+ : total)
	do i = 1, 50
		call did("chunks" // nul, __LINE__ - 2, 1_c_long)
		total = total + i
	end do
	!$omp end do
	call did("critical:shared_total" // nul, 0, 1_c_long)
	call did("wait:critical:shared_total" // nul, 0, 1_c_long)
	!$omp critical (shared_total)
	total = total + 5
	!$omp end critical (shared_total)
	call did("single" // nul, __LINE__ + 1, 0_c_long)
	!$omp single
	call did("single" // nul, __LINE__ - 1, 1_c_long)
	do i = 1, 20
		!$omp task firstprivate(i) shared(total)
		call did("task" // nul, __LINE__ - 1, 1_c_long)
		!$omp atomic
		total = total + i
		!$omp end task
	end do
	!$omp end single
	!$omp master
	call omp_set_nest_lock(nest)
	call omp_set_nest_lock(nest)
	call omp_unset_nest_lock(nest)
	call omp_unset_nest_lock(nest)
	call omp_set_lock(lock)
	!$omp end master
	!$omp barrier
	!$omp master
	call work_ns(20000000_c_long)
	call omp_unset_lock(lock)
	!$omp end master
	if (omp_get_thread_num() /= 0) then
		call did("wait:lock" // nul, __LINE__ + 1, 1_c_long)
		call omp_set_lock(lock)
		call omp_unset_lock(lock)
	end if
	!$omp barrier
	call did("for" // nul, __LINE__ + 1, 1_c_long)
	!$omp do schedule(guided)
	do i = 1, 50
	end do
	!$omp end do nowait
	!$omp end parallel

	!$omp parallel do num_threads(2) schedule(dynamic, 5) reduction(+ : total)
	do i = 1, 50
		total = total + i
	end do
	!$omp end parallel do
	call did("parallel" // nul, __LINE__ - 5, 2_c_long)
	call did("wait:team" // nul, 0, 2_c_long)
	call did("team" // nul, 0, 1_c_long)
	call did("for" // nul, __LINE__ - 8, 2_c_long)
	print '(a, i0)', "sum ", total
	stop 3

contains

	subroutine in_region(line)
		integer, intent(in) :: line

		call did("parallel" // nul, line, 1_c_long)
		call did("wait:team" // nul, 0, 1_c_long)
		if (omp_get_thread_num() == 0) call did("team" // nul, 0, 1_c_long)
	end subroutine
end program
