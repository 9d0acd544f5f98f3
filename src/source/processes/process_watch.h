/* SPDX-License-Identifier: GPL-2.0-only */
/* Looks at all processes beside the main thread, one when it is asked for: a look takes some ten milliseconds, and waits for processes that hang. */
#ifndef NT_SOURCE_PROCESS_WATCH_H
#define NT_SOURCE_PROCESS_WATCH_H

#include "source/processes/process_scan.h"

struct nt_process_watch;

/* perf_hz, readonly and choice as for nt_process_scan_new(). *out is the caller's. */
enum nt_status nt_process_watch_new(const char *proc_root, unsigned perf_hz, bool readonly, const struct nt_process_choice *choice,
				    struct nt_process_watch **out, struct nt_error *err);
void nt_process_watch_free(struct nt_process_watch *watch); /* NULL is allowed */

/* Readable when a look is done; the watch's, for its life. */
int nt_process_watch_fd(const struct nt_process_watch *watch);

/* Begin a look, unless one is going on. What nt_process_watch_take() gave ends with it. */
void nt_process_watch_ask(struct nt_process_watch *watch);

/* The look that was asked for last: NT_AGAIN while it goes on or when it was taken, else NT_OK, or the error of nt_process_scan_look(). */
enum nt_status nt_process_watch_take(struct nt_process_watch *watch, struct nt_process_scan_result *out, struct nt_error *err);

#endif
