// SPDX-License-Identifier: GPL-2.0
#include "made_machine.h"

#include <ftw.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* What stands behind name and severity in a line of 80 columns. */
#define ROOM 59

static char root[64];

int made_machine_setup(void **state)
{
	static struct machine machine;

	strcpy(root, "/tmp/annot-doctor-XXXXXX");
	/* Others than its owner look at it, too. */
	if (!mkdtemp(root) || chmod(root, 0755))
		return -1;
	machine = (struct machine){
		.root = root,
		.release = "6.1.0-42",
		.user = "somebody",
		.euid = 1000,
		.groups = { 1000 },
		.nr_groups = 1,
		.nr_cpus = 4,
		.memlock_bytes = 8 << 20,
		.page_bytes = 4096,
		.buffer_kb = 4096,
	};
	*state = &machine;
	return 0;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *where)
{
	(void)status;
	(void)type;
	(void)where;
	return remove(path);
}

int made_machine_teardown(void **state)
{
	(void)state;
	/* A test that failed may have left off as somebody else. */
	if (seteuid(getuid()))
		return -1;
	return nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void full_path(const struct machine *machine, const char *path, char *full)
{
	snprintf(full, PATH_MAX, "%s%s", machine->root, path);
	for (char *at = full + strlen(machine->root) + 1; (at = strchr(at, '/')); at++) {
		*at = '\0';
		mkdir(full, 0755);
		*at = '/';
	}
}

void made_bytes(const struct machine *machine, const char *path, const void *bytes, size_t length)
{
	char full[PATH_MAX];
	FILE *file;

	full_path(machine, path, full);
	file = fopen(full, "w");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, length, file), length);
	fclose(file);
}

void made_file(const struct machine *machine, const char *path, const char *text)
{
	made_bytes(machine, path, text, strlen(text));
}

void made_link(const struct machine *machine, const char *path, const char *target)
{
	char full[PATH_MAX];

	full_path(machine, path, full);
	unlink(full);
	assert_int_equal(symlink(target, full), 0);
}

void made_remove(const struct machine *machine, const char *path)
{
	char full[PATH_MAX];

	full_path(machine, path, full);
	assert_int_equal(remove(full), 0);
}

void expect(const struct machine *machine, enum doctor_check check, enum severity severity,
	    const char *what, const char *cure)
{
	struct verdict verdict;

	doctor_check_run(check, machine, &verdict);
	if (verdict.severity != severity || !strstr(verdict.what, what) ||
	    !strstr(verdict.cure, cure) || !*cure != !*verdict.cure)
		fail_msg("%s: %s, '%s', '%s', not %s, '%s', '%s'", doctor_check_name(check),
			 severity_name(verdict.severity), verdict.what, verdict.cure,
			 severity_name(severity), what, cure);
	if (strlen(verdict.what) > ROOM || strlen(verdict.cure) > ROOM)
		fail_msg("%s: does not fit: '%s', '%s'", doctor_check_name(check), verdict.what,
			 verdict.cure);
}
