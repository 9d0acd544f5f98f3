/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the program writes while the screen is taken: two pipes that are always read, so that it never waits for a reader, into the log. As long as there
 * is no screen, it is passed through besides.
 */
#ifndef NT_APP_CHILD_OUTPUT_H
#define NT_APP_CHILD_OUTPUT_H

#include "nettop/log.h"
#include "nettop/status.h"

struct nt_child_output;

/* `log` is borrowed. *out is the caller's. */
enum nt_status nt_child_output_new(struct nt_log *log, struct nt_child_output **out, struct nt_error *err);
void nt_child_output_free(struct nt_child_output *output); /* NULL is allowed */

/* The program's ends of the pipes, for its standard output and its standard error. */
int nt_child_output_for_out(const struct nt_child_output *output);
int nt_child_output_for_err(const struct nt_child_output *output);

/* The program has them now: close ours, so that its end is seen. */
void nt_child_output_given(struct nt_child_output *output);

/* Readable when there is something to read, at the end of both no more. */
int nt_child_output_fd(const struct nt_child_output *output);

/* Pass what comes from now on through to our own standard streams, or do not. */
void nt_child_output_pass_through(struct nt_child_output *output, bool on);

/* Read what is there, within a budget. True: the log has new lines. */
bool nt_child_output_read(struct nt_child_output *output);

#endif
