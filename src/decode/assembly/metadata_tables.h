/* SPDX-License-Identifier: GPL-2.0-only */
/* What the tables of metadata look like (ECMA-335 II.22): the columns of each, and from them how long a row is. For metadata.c only. */
#ifndef NT_DECODE_METADATA_TABLES_H
#define NT_DECODE_METADATA_TABLES_H

#include "decode/assembly/metadata.h"

/* Put the length of a row and the width of each column, in bytes, into every table; md's row counts and heap sizes are known. */
void nt_metadata_lay_out(struct nt_metadata *md);

#endif
