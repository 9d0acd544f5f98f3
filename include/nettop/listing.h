/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rows of a table as somebody wants them: chosen, in order, with some of the columns. What the screen hands over to be written (key w), and what the
 * text frames end with.
 */
#ifndef NETTOP_LISTING_H
#define NETTOP_LISTING_H

#include <stdio.h>

#include "nettop/column.h"

enum { NT_LISTING_COLUMNS = 32 };

struct nt_listing_row {
	const void *row; /* borrowed from the snapshot */
	char lead;       /* sign in column 1: '!', '.' or ' ' */
};

struct nt_listing {
	const struct nt_table *table;
	struct nt_column_context context; /* borrowed: holds as long as the snapshot */
	const struct nt_column *columns[NT_LISTING_COLUMNS];
	size_t column_count;
	struct nt_listing_row *rows; /* owned */
	size_t row_count;
	char *heading; /* owned; whole lines that come first, NULL = none. Free of control characters but the newlines */
	bool fitted; /* columns as wide as their widest cell: one listing to be read alone. Else as in the tables: frames under each other */
};

/* Add a column, unless it is a drawing: those do not go into text. */
void nt_listing_add_column(struct nt_listing *listing, const struct nt_column *column);

/* Titles and rows: no escapes, nothing cut. Write errors stay in the stream. */
void nt_listing_write(const struct nt_listing *listing, FILE *out);

void nt_listing_fini(struct nt_listing *listing);

#endif
