! SPDX-License-Identifier: GPL-2.0
! Annotations of all kinds, with names of all kinds.
program names
  use annot
  use, intrinsic :: iso_c_binding, only: c_null_ptr
  use, intrinsic :: iso_fortran_env, only: int32, int64
  implicit none
  character(len=40) :: variable
  character(len=:), allocatable :: long
  character(len=300) :: status
  character(len=3) :: cut
  integer :: i

  call annot_begin("begin")
  call annot_begin("begin", -huge(1_int32) - 1)
  call annot_begin("begin", -huge(1_int64) - 1)
  call annot_wait_begin("wait for it")
  call annot_wait_begin("wait for it", 1)
  call annot_wait_begin("wait for it", 1_int64)
  do i = 1, 6
    call annot_end()
  end do
  call annot_next("next")
  call annot_next("next", 2)
  call annot_next("next", 2_int64)
  call annot_end()
  call annot_mark("mark")
  call annot_mark("mark", 3)
  call annot_mark("mark", 3_int64)
  call annot_counter("counter", 4)
  call annot_counter("counter", 4_int64)
  call annot_object("grid  ", transfer(4096_int64, c_null_ptr), 64_int64)
  call annot_object("nothing", c_null_ptr, 64_int64)
  call annot_object("nothing", transfer(4096_int64, c_null_ptr), -1_int64)
  call annot_object_end(transfer(4096_int64, c_null_ptr))

  ! A literal that others begin with; blanks before and within a name are a part of it.
  call annot_mark("mar")
  call annot_mark("  two words   ")
  call annot_mark("")
  call annot_mark("    ")
  ! More names at one address than the shim keeps in all.
  do i = 1, 200
    write (variable, "(a, i0)") "variable ", i
    call annot_mark(variable, i)
    call annot_mark(variable(:9), i)
  end do
  long = repeat("é", 200)
  call annot_mark(long)
  call annot_mark(repeat("l", 52))
  call annot_mark(repeat("l", 53))

  call annot_thread_name("a name of more than 15 bytes")
  call annot_status(status)
  call annot_status(cut)
  if (index(status, "/trace_marker") == 0 .or. cut /= status(:3)) error stop "status"
  call annot_flush()
end program
