/* SPDX-License-Identifier: GPL-2.0-only */
/* What is on the screen, written to a file by the key w. */
#ifndef NT_APP_VIEW_FILE_H
#define NT_APP_VIEW_FILE_H

#include "nettop/listing.h"
#include "nettop/status.h"
#include "output/jit/jit_report.h"
#include "ui/act/ui.h"

/* NUMBERS: files of one second at most; somebody holds the key down. */
enum { NT_VIEW_FILE_NAME = 160, NT_VIEW_FILE_NUMBERS = 100 };

/* Rows of each table of a report. */
enum { NT_REPORT_ROWS = 10 };

/* `wanted`; from 2 on with the number before what says the kind of file. */
void nt_view_file_name(const char *wanted, int number, char name[NT_VIEW_FILE_NAME]);

/*
 * Write to a new file, for its owner alone, what is wished: the listing with the header of a text frame, a report of its snapshot, for which `started_with` is needed (nt_report_settings()), or all
 * call stacks that its snapshot has. A file
 * that is there already stays as it is: under a suggested name `-2` and so on come before the suffix, any other name is refused. The name is left in `name`.
 * No file remains when it could not be written whole: `err` says why.
 */
enum nt_status nt_view_file_write(const struct nt_listing *listing, int64_t realtime_offset_ns, const struct nt_jit_report *started_with,
				  const struct nt_file_wish *wish, char name[NT_VIEW_FILE_NAME], struct nt_error *err);

#endif
