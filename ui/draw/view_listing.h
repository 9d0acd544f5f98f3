/* SPDX-License-Identifier: GPL-2.0-only */
/* The present view as a value, for a file: what nt_ui_render() shows of it, without a screen's limits. */
#ifndef NT_UI_VIEW_LISTING_H
#define NT_UI_VIEW_LISTING_H

#include "nettop/listing.h"

struct nt_ui;

/*
 * The present view in full: all rows that its filter leaves, in its order, with its columns. Only after NT_UI_WRITE. The caller's: end it with
 * nt_listing_fini(), before the next snapshot comes.
 */
void nt_ui_listing(const struct nt_ui *ui, struct nt_listing *out);

#endif
