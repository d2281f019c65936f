! SPDX-License-Identifier: GPL-2.0
!
! Arrays whose first index runs fastest, and where their elements are; as fields_tell.h says.
module fields
	use, intrinsic :: iso_c_binding
	implicit none

	type, bind(c) :: cell
		integer(c_int) :: kind
		real(c_double) :: x, y
	end type

	integer(c_int), bind(c), target :: matrix(3, -1:2)
	type(cell), bind(c), target :: cells(2, 3, 2)
	type(cell), bind(c), target :: row(0:4)
	real(c_double), bind(c), target :: total
contains
	subroutine tell(name, place)
		character(len=*), intent(in) :: name
		type(c_ptr), intent(in) :: place

		print '(4a,z16.16)', 'data ', name, ' ', '0x', transfer(place, 0_c_intptr_t)
	end subroutine

	! "[i]", or "[i][j]".
	function indices(numbers) result(text)
		integer, intent(in) :: numbers(:)
		character(len=:), allocatable :: text
		character(len=12) :: number
		integer :: i

		text = ''
		do i = 1, size(numbers)
			write (number, '(i0)') numbers(i)
			text = text // '[' // trim(number) // ']'
		end do
	end function

	subroutine tell_maps()
		character(len=4096) :: line
		integer :: maps, status

		open (newunit=maps, file='/proc/self/maps', action='read')
		do
			read (maps, '(a)', iostat=status) line
			if (status /= 0) exit
			print '(2a)', 'map ', trim(line)
		end do
		close (maps)
	end subroutine
end module

program tell_fields
	use fields
	implicit none
	integer :: i, j, k

	call tell_maps()
	do j = -1, 2
		do i = 1, 3
			call tell('matrix' // indices([i, j]), c_loc(matrix(i, j)))
		end do
	end do
	do k = 1, 2
		do j = 1, 3
			do i = 1, 2
				call tell('cells' // indices([i, j, k]) // '.y', c_loc(cells(i, j, k)%y))
			end do
		end do
	end do
	call tell('row[0].kind', c_loc(row(0)%kind))
	call tell('row[4].x', c_loc(row(4)%x))
	call tell('total', c_loc(total))
end program
