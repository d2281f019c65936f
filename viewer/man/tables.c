// SPDX-License-Identifier: GPL-2.0
/*
 * Prints the part of annot-report(1) that lists the columns of analyses. make man-tables puts it there.
 */
#include "report/table/table_columns.h"

int main(void)
{
	table_columns_mdoc(stdout);
	return ferror(stdout) || fclose(stdout);
}
