// SPDX-License-Identifier: GPL-2.0-only
/* Rows of a report as a table. */
#include "output/jit/jit_text.h"

#include "base/alloc.h"
#include "nettop/listing.h"

void nt_jit_write_rows(const struct nt_column *columns, size_t column_count, const char *title, const void *rows, size_t count, size_t size,
		       FILE *out)
{
	struct nt_listing listing = { .fitted = true };
	struct nt_column last = columns[column_count - 1];
	last.title = title;
	for (size_t i = 0; i + 1 < column_count; i++)
		nt_listing_add_column(&listing, &columns[i]);
	nt_listing_add_column(&listing, &last);
	listing.rows = nt_realloc(NULL, count, sizeof(*listing.rows));
	listing.row_count = count;
	for (size_t i = 0; i < count; i++)
		listing.rows[i] = (struct nt_listing_row){ .row = (const char *)rows + i * size, .lead = ' ' };
	nt_listing_write(&listing, out);
	nt_listing_fini(&listing);
}
