! SPDX-License-Identifier: MIT
!
! annot(3) for Fortran 2003 and later. Compile this and annot_fortran.c into the program, and link it with libannot:
!
!     gfortran $(pkg-config --cflags annot) annot.f90 annot_fortran.c program.f90 $(pkg-config --libs annot)
!
! Names need no NUL at their ends. Blanks at their ends are left out. A value is any integer of 32 or 64 bits.
! Nothing here allocates.
module annot
  use, intrinsic :: iso_c_binding, only: c_char, c_f_pointer, c_int, c_int32_t, c_int64_t, c_null_char, c_ptr, c_size_t
  implicit none
  private

  public :: annot_begin, annot_wait_begin, annot_end, annot_next, annot_mark, annot_counter
  public :: annot_object, annot_object_end
  public :: annot_thread_name, annot_enabled, annot_status, annot_flush

  ! The operations of annot/annot.h.
  integer(c_int), parameter :: op_begin = 0, op_wait_begin = 1, op_mark = 3, op_counter = 4, op_next = 5
  integer(c_int), parameter :: op_has_value = 256

  ! call annot_begin("row") or call annot_begin("row", i); likewise the others.
  interface annot_begin
    module procedure begin_name, begin_value32, begin_value64
  end interface
  interface annot_wait_begin
    module procedure wait_begin_name, wait_begin_value32, wait_begin_value64
  end interface
  interface annot_next
    module procedure next_name, next_value32, next_value64
  end interface
  interface annot_mark
    module procedure mark_name, mark_value32, mark_value64
  end interface
  interface annot_counter
    module procedure counter_value32, counter_value64
  end interface

  interface
    subroutine put(op, name, nr_bytes, value) bind(c, name="annot_fortran_put")
      import :: c_char, c_int, c_int64_t, c_size_t
      integer(c_int), value :: op
      character(kind=c_char), intent(in) :: name(*)
      integer(c_size_t), value :: nr_bytes
      integer(c_int64_t), value :: value
    end subroutine

    subroutine annot_end() bind(c, name="annot_fortran_end")
    end subroutine

    subroutine put_object(name, nr_bytes, pointer, bytes) bind(c, name="annot_fortran_object")
      import :: c_char, c_int64_t, c_ptr, c_size_t
      character(kind=c_char), intent(in) :: name(*)
      integer(c_size_t), value :: nr_bytes
      type(c_ptr), value :: pointer
      integer(c_int64_t), value :: bytes
    end subroutine

    ! Before the memory is freed.
    subroutine annot_object_end(pointer) bind(c, name="annot_fortran_object_end")
      import :: c_ptr
      type(c_ptr), value :: pointer
    end subroutine

    ! Writes what the threads have annotated so far into the trace.
    subroutine annot_flush() bind(c, name="annot_flush")
    end subroutine

    subroutine put_thread_name(name, nr_bytes) bind(c, name="annot_fortran_thread_name")
      import :: c_char, c_size_t
      character(kind=c_char), intent(in) :: name(*)
      integer(c_size_t), value :: nr_bytes
    end subroutine

    integer(c_int) function is_enabled() bind(c, name="annot_fortran_enabled")
      import :: c_int
    end function

    type(c_ptr) function status_text() bind(c, name="annot_status")
      import :: c_ptr
    end function

    integer(c_size_t) function text_length(text) bind(c, name="strlen")
      import :: c_ptr, c_size_t
      type(c_ptr), value :: text
    end function
  end interface

contains

  subroutine begin_name(name)
    character(len=*), intent(in) :: name
    call put(op_begin, name, len(name, c_size_t), 0_c_int64_t)
  end subroutine

  subroutine begin_value32(name, value)
    character(len=*), intent(in) :: name
    integer(c_int32_t), intent(in) :: value
    call put(op_begin + op_has_value, name, len(name, c_size_t), int(value, c_int64_t))
  end subroutine

  subroutine begin_value64(name, value)
    character(len=*), intent(in) :: name
    integer(c_int64_t), intent(in) :: value
    call put(op_begin + op_has_value, name, len(name, c_size_t), value)
  end subroutine

  subroutine wait_begin_name(name)
    character(len=*), intent(in) :: name
    call put(op_wait_begin, name, len(name, c_size_t), 0_c_int64_t)
  end subroutine

  subroutine wait_begin_value32(name, value)
    character(len=*), intent(in) :: name
    integer(c_int32_t), intent(in) :: value
    call put(op_wait_begin + op_has_value, name, len(name, c_size_t), int(value, c_int64_t))
  end subroutine

  subroutine wait_begin_value64(name, value)
    character(len=*), intent(in) :: name
    integer(c_int64_t), intent(in) :: value
    call put(op_wait_begin + op_has_value, name, len(name, c_size_t), value)
  end subroutine

  subroutine next_name(name)
    character(len=*), intent(in) :: name
    call put(op_next, name, len(name, c_size_t), 0_c_int64_t)
  end subroutine

  subroutine next_value32(name, value)
    character(len=*), intent(in) :: name
    integer(c_int32_t), intent(in) :: value
    call put(op_next + op_has_value, name, len(name, c_size_t), int(value, c_int64_t))
  end subroutine

  subroutine next_value64(name, value)
    character(len=*), intent(in) :: name
    integer(c_int64_t), intent(in) :: value
    call put(op_next + op_has_value, name, len(name, c_size_t), value)
  end subroutine

  subroutine mark_name(name)
    character(len=*), intent(in) :: name
    call put(op_mark, name, len(name, c_size_t), 0_c_int64_t)
  end subroutine

  subroutine mark_value32(name, value)
    character(len=*), intent(in) :: name
    integer(c_int32_t), intent(in) :: value
    call put(op_mark + op_has_value, name, len(name, c_size_t), int(value, c_int64_t))
  end subroutine

  subroutine mark_value64(name, value)
    character(len=*), intent(in) :: name
    integer(c_int64_t), intent(in) :: value
    call put(op_mark + op_has_value, name, len(name, c_size_t), value)
  end subroutine

  subroutine counter_value32(name, value)
    character(len=*), intent(in) :: name
    integer(c_int32_t), intent(in) :: value
    call put(op_counter + op_has_value, name, len(name, c_size_t), int(value, c_int64_t))
  end subroutine

  subroutine counter_value64(name, value)
    character(len=*), intent(in) :: name
    integer(c_int64_t), intent(in) :: value
    call put(op_counter + op_has_value, name, len(name, c_size_t), value)
  end subroutine

  ! Names memory: call annot_object("grid", c_loc(grid), size(grid) * storage_size(grid) / 8_c_int64_t)
  subroutine annot_object(name, pointer, bytes)
    character(len=*), intent(in) :: name
    type(c_ptr), intent(in) :: pointer
    integer(c_int64_t), intent(in) :: bytes
    call put_object(name, len(name, c_size_t), pointer, bytes)
  end subroutine

  subroutine annot_thread_name(name)
    character(len=*), intent(in) :: name
    call put_thread_name(name, len(name, c_size_t))
  end subroutine

  ! Whether annotations are being recorded now.
  logical function annot_enabled()
    annot_enabled = is_enabled() /= 0
  end function

  ! One line that says where annotations go, and why; cut, or padded with blanks, to the length of the text.
  subroutine annot_status(text)
    character(len=*), intent(out) :: text
    character(kind=c_char), pointer :: bytes(:)
    type(c_ptr) :: status
    integer :: i

    status = status_text()
    call c_f_pointer(status, bytes, [text_length(status)])
    text = ""
    do i = 1, min(len(text), size(bytes))
      text(i:i) = bytes(i)
    end do
  end subroutine
end module
