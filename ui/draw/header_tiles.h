/* SPDX-License-Identifier: GPL-2.0-only */
/* The tiles of the header: two a line, one a line, or their headlines in one line. */
#ifndef NT_UI_HEADER_TILES_H
#define NT_UI_HEADER_TILES_H

#include "nettop/tile.h"
#include "ui/screen/grid.h"
#include "ui/state/state.h"

void nt_header_tiles_draw(const struct nt_ui *ui, struct nt_grid *grid);

/* Whose tile is drawn at these cells; NT_SUBJECT_COUNT = none's. */
enum nt_subject_id nt_header_tile_at(const struct nt_ui *ui, int x, int y);

/* What a tile says here. */
void nt_header_tile_make(const struct nt_ui *ui, enum nt_subject_id id, struct nt_tile *out);

#endif
