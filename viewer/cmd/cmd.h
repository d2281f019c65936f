/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The subcommands: one file each. argv[0] is the subcommand's name; the value returned is the
 * exit status of annot.
 */
#ifndef ANNOT_CMD_H
#define ANNOT_CMD_H

int cmd_record(int argc, char **argv);
int cmd_html(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_explain(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_stat(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_samples(int argc, char **argv);
int cmd_convert(int argc, char **argv);

#endif /* ANNOT_CMD_H */
