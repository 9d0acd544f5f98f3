/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A zip archive (APPNOTE.TXT of PKWARE, 4.3 to 4.5), written as it comes, in one go: each file of it as it is, of any length, its sizes behind it, in the form for long ones (zip64). Not packed, because of the reader that
 * it is written for: where a packed file gives it less at a time than it has asked for, TraceEvent 3.1.23 and its like leave out samples (269 of 1703).
 */
#ifndef NT_OUTPUT_ZIP_FILE_H
#define NT_OUTPUT_ZIP_FILE_H

#include <stdint.h>
#include <stdio.h>

struct nt_zip;

/* `out` is borrowed; whether everything could be written is what ferror(out) says. Files are of the time `unix_s`. */
struct nt_zip *nt_zip_new(FILE *out, int64_t unix_s);

/* A new file of that name, a static text of ASCII: what is written into the stream is in it. The caller closes it, before the next one and before the end. */
FILE *nt_zip_open(struct nt_zip *zip, const char *name);

/* Write the list of files. `zip` is gone. */
void nt_zip_end(struct nt_zip *zip);

#endif
