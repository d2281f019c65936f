/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The numbers of trace-cmd.dat(5), for the reader and the writer.
 */
#ifndef ANNOT_TRACE_FILE_DAT_IDS_H
#define ANNOT_TRACE_FILE_DAT_IDS_H

#define DAT_MAGIC "\x17\x08\x44tracing"
#define DAT_MAGIC_BYTES (sizeof(DAT_MAGIC) - 1)

enum dat_option {
	OPTION_DONE = 0,
	OPTION_CPUSTAT = 2,
	OPTION_BUFFER = 3,
	OPTION_TRACECLOCK = 4,
	OPTION_UNAME = 5,
	OPTION_CPUCOUNT = 8,
	OPTION_VERSION = 9,
	OPTION_TRACEID = 11,
	OPTION_TSC2NSEC = 14,
	OPTION_HEADER_INFO = 16,
	OPTION_FTRACE_EVENTS = 17,
	OPTION_EVENT_FORMATS = 18,
	OPTION_KALLSYMS = 19,
	OPTION_PRINTK = 20,
	OPTION_CMDLINES = 21,
};

/* Of version 7. */
enum dat_section {
	SECTION_OPTIONS = 0,
	SECTION_BUFFER = 3,
	SECTION_STRINGS = 15,
	SECTION_HEADER_INFO = 16,
	SECTION_FTRACE_EVENTS = 17,
	SECTION_EVENT_FORMATS = 18,
	SECTION_KALLSYMS = 19,
	SECTION_PRINTK = 20,
	SECTION_CMDLINES = 21,
};

#define SECTION_HEADER_BYTES 16
#define SECTION_COMPRESSED 1u

/* Version 6: magic strings of the parts, including their NULs. */
#define DAT_V6_NAME_BYTES 10
#define DAT_V6_OPTIONS "options  "
#define DAT_V6_DATA "flyrecord"

#endif /* ANNOT_TRACE_FILE_DAT_IDS_H */
