/* SPDX-License-Identifier: GPL-2.0-only */
/* What is on the screen, written to a file by the key P. */
#ifndef NT_APP_VIEW_FILE_H
#define NT_APP_VIEW_FILE_H

#include "nettop/listing.h"
#include "nettop/status.h"

enum { NT_VIEW_FILE_NAME = 96 };

/*
 * Write a listing with the header of a text frame to a new file in the current folder, named `nettop-PID-TABLE-yyyymmddThhmmss.txt` after the time of
 * the data (the list of processes: without PID and header); `-2` and so on when there is one of that name. The name is left in `name`. No file remains when it could not be written whole: `err`
 * says why.
 */
enum nt_status nt_view_file_write(const struct nt_listing *listing, int64_t realtime_offset_ns, char name[NT_VIEW_FILE_NAME],
				  struct nt_error *err);

/* Likewise all call stacks that the listing's snapshot has, as a flame graph: `nettop-PID-TABLE-yyyymmddThhmmss.svg`. */
enum nt_status nt_view_file_write_stacks(const struct nt_listing *listing, int64_t realtime_offset_ns, char name[NT_VIEW_FILE_NAME],
					 struct nt_error *err);

#endif
