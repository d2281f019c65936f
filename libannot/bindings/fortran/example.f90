! SPDX-License-Identifier: MIT
!
! All that Fortran has of libannot, in a small program. To build and record it:
!
!     gfortran -fopenmp $(pkg-config --cflags annot) annot.f90 annot_fortran.c example.f90 $(pkg-config --libs annot) -o example
!     annot record -- ./example
program example
  use annot
  use, intrinsic :: iso_fortran_env, only: int64
  use omp_lib
  implicit none
  integer, parameter :: nr_workers = 2, nr_rows = 3
  character(len=80) :: status

  call annot_thread_name("example")
  call annot_mark("start")
  call annot_begin("setup", 7)
  call annot_begin("read")
  call annot_end()
  call annot_end()

  !$omp parallel num_threads(nr_workers + 1)
  if (omp_get_thread_num() > 0) call work(omp_get_thread_num() - 1)
  !$omp end parallel

  call annot_begin("outer")
  call annot_wait_begin("wide", -1_int64)
  call annot_end()
  call annot_end()
  call annot_mark("caught", huge(1_int64))
  call annot_begin("phase 1")
  call annot_next("phase 2", 2)
  call annot_end()
  call annot_flush()
  call annot_status(status)
  if (status == "") error stop "no status"
  if (annot_enabled()) then
    print "(a)", "recorded"
  else
    print "(a)", "not recorded"
  end if

contains

  ! Names in variables are padded; their blanks are no part of the name.
  subroutine work(number)
    integer, intent(in) :: number
    character(len=20) :: name
    integer :: i

    write (name, "(a, i0)") "worker", number
    call annot_thread_name(name)
    do i = 0, nr_rows - 1
      call annot_begin("row", 10 * number + i)
      call annot_counter("rows done", i + 1)
      call annot_end()
    end do
    ! A name for each: to be avoided where there are many.
    do i = 1, 2
      write (name, "(a, i0)") "column ", i
      call annot_begin(name)
      call annot_end()
    end do
    call annot_wait_begin("barrier")
    call annot_end()
  end subroutine
end program
