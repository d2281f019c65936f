/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Debug information of types that no compiler makes: names of each other, within themselves, larger than memory. Each
 * variable has 64 bytes.
 */
#define VARIABLE(name)           \
	.pushsection .data;      \
	.balign 64;              \
	.globl name;             \
	.type name, %object;     \
	.size name, 64;          \
	name:                    \
	.zero 64;                \
	.popsection

#define REFERENCE(label) .4byte label - unit
#define ADDRESS(name)    \
	.byte 9, 3;      \
	.8byte name

#define ABBREVIATION(number, tag, has_children) \
	.uleb128 number, tag;                   \
	.byte has_children
#define ATTRIBUTE(name, form) .uleb128 name, form
#define END_OF_ATTRIBUTES .byte 0, 0

/* A variable, with its type. */
#define TYPED(name, label)   \
	VARIABLE(name);      \
	.uleb128 2;          \
	.asciz #name;        \
	ADDRESS(name);       \
	REFERENCE(label)

#define STRUCTURE(bytes) \
	.uleb128 4;      \
	.8byte bytes

#define MEMBER(name, label, offset) \
	.uleb128 5;                 \
	.asciz name;                \
	REFERENCE(label);           \
	.8byte offset

#define BIT_FIELD(name, label, first, bits) \
	.uleb128 6;                         \
	.asciz name;                        \
	REFERENCE(label);                   \
	.8byte first, bits

#define ARRAY(label) \
	.uleb128 8;  \
	REFERENCE(label)

#define COUNT(count) \
	.uleb128 9;  \
	.8byte count

#define END .byte 0

	.section .debug_abbrev, "", %progbits
abbreviations:
	ABBREVIATION(1, 0x11, 1) /* unit */
	ATTRIBUTE(0x13, 0x05)
	END_OF_ATTRIBUTES
	ABBREVIATION(2, 0x34, 0) /* variable */
	ATTRIBUTE(0x03, 0x08)
	ATTRIBUTE(0x02, 0x18)
	ATTRIBUTE(0x49, 0x13)
	END_OF_ATTRIBUTES
	ABBREVIATION(3, 0x16, 0) /* typedef */
	ATTRIBUTE(0x49, 0x13)
	END_OF_ATTRIBUTES
	ABBREVIATION(4, 0x13, 1) /* structure */
	ATTRIBUTE(0x0b, 0x07)
	END_OF_ATTRIBUTES
	ABBREVIATION(5, 0x0d, 0) /* member */
	ATTRIBUTE(0x03, 0x08)
	ATTRIBUTE(0x49, 0x13)
	ATTRIBUTE(0x38, 0x07)
	END_OF_ATTRIBUTES
	ABBREVIATION(6, 0x0d, 0) /* bit field */
	ATTRIBUTE(0x03, 0x08)
	ATTRIBUTE(0x49, 0x13)
	ATTRIBUTE(0x6b, 0x07)
	ATTRIBUTE(0x0d, 0x07)
	END_OF_ATTRIBUTES
	ABBREVIATION(7, 0x24, 0) /* base type */
	ATTRIBUTE(0x0b, 0x0b)
	END_OF_ATTRIBUTES
	ABBREVIATION(8, 0x01, 1) /* array */
	ATTRIBUTE(0x49, 0x13)
	END_OF_ATTRIBUTES
	ABBREVIATION(9, 0x21, 0) /* its dimension */
	ATTRIBUTE(0x37, 0x07)
	END_OF_ATTRIBUTES
	ABBREVIATION(10, 0x0d, 0) /* member, with the one that follows */
	ATTRIBUTE(0x01, 0x13)
	ATTRIBUTE(0x03, 0x08)
	ATTRIBUTE(0x49, 0x13)
	ATTRIBUTE(0x38, 0x07)
	END_OF_ATTRIBUTES
	ABBREVIATION(11, 0x34, 0) /* variable, as another one */
	ATTRIBUTE(0x47, 0x13)
	ATTRIBUTE(0x02, 0x18)
	END_OF_ATTRIBUTES
	ABBREVIATION(12, 0x0b, 1) /* block, with what follows it */
	ATTRIBUTE(0x01, 0x13)
	END_OF_ATTRIBUTES
	.byte 0

	.section .debug_info, "", %progbits
unit:
	.4byte unit_end - unit_version
unit_version:
	.2byte 4
	.4byte abbreviations
	.byte 8
	.uleb128 1
	.2byte 0x0c /* C99 */

number:
	.uleb128 7
	.byte 8

	/* As sound as the rest is not. */
	TYPED(sound, sound_type)
sound_type:
	STRUCTURE(64)
	MEMBER("first", number, 0)
	MEMBER("second", number, 8)
	END

	TYPED(names_of_names, first_name)
first_name:
	.uleb128 3
	REFERENCE(second_name)
second_name:
	.uleb128 3
	REFERENCE(first_name)

	TYPED(within_itself, self_type)
self_type:
	STRUCTURE(64)
	MEMBER("same", self_type, 0)
	END

	TYPED(array_of_itself, array_type)
array_type:
	ARRAY(array_type)
	COUNT(2)
	END

	/* Two ways into each of them: 2^28 in all. */
	TYPED(many_ways, ways)
	.set way, 0
	.rept 28
	.if way == 0
ways:
	.endif
	STRUCTURE(64)
	.uleb128 5
	.asciz "a"
	.4byte ways_of_ways + (way + 1) * (ways_second - ways_first)
	.8byte 0
	.uleb128 5
	.asciz "b"
	.4byte ways_of_ways + (way + 1) * (ways_second - ways_first)
	.8byte 0
	END
	.if way == 0
ways_first:
	.endif
	.if way == 1
ways_second:
	.endif
	.set way, way + 1
	.endr
	STRUCTURE(64)
	END
	.set ways_of_ways, ways - unit

	TYPED(larger_than_memory, large_type)
large_type:
	ARRAY(number)
	COUNT(0x4000000000000000)
	COUNT(0x4000000000000000)
	END

	TYPED(as_large_as_memory, endless_type)
endless_type:
	ARRAY(number)
	COUNT(0x1fffffffffffffff)
	END

	TYPED(of_nothing, nothing_array)
nothing_array:
	ARRAY(nothing)
	COUNT(4)
	END
nothing:
	STRUCTURE(0)
	END

	TYPED(no_elements, empty_array)
empty_array:
	ARRAY(number)
	COUNT(0)
	END

	TYPED(far_away, far_type)
far_type:
	STRUCTURE(64)
	MEMBER("far", number, 0xfffffffffffffffc)
	BIT_FIELD("wide", number, 0, 0xffffffffffffffff)
	BIT_FIELD("high", number, 0xffffffffffffffff, 3)
	END

	TYPED(no_type, unit_end + 1000)
	TYPED(type_in_a_number, number + 1)

	TYPED(long_name, long_type)
long_type:
	STRUCTURE(64)
	.uleb128 5
	.rept 600
	.byte 0x78
	.endr
	.byte 0
	REFERENCE(number)
	.8byte 0
	END

	VARIABLE(its_own_example)
example:
	.uleb128 11
	REFERENCE(example)
	ADDRESS(its_own_example)

	/* Each is followed by what is in it: 2^40 ways. */
	.rept 40
	.uleb128 12
	.4byte . + 4 - unit
	.endr
	TYPED(within_and_behind, sound_type)
	.zero 40

	/* The last one, as nothing can be found behind it. */
	TYPED(followed_by_itself, loop_type)
loop_type:
	STRUCTURE(64)
loop_member:
	.uleb128 10
	REFERENCE(loop_member)
	.asciz "again"
	REFERENCE(number)
	.8byte 32
	END
	END
unit_end:

	.section .note.GNU-stack, "", %progbits
