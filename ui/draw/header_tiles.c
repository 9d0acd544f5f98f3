// SPDX-License-Identifier: GPL-2.0-only
#include "ui/draw/header_tiles.h"

#include "base/text.h"
#include "nettop/shorten.h"
#include "ui/screen/spark.h"

#include <string.h>

enum { LABEL_CELLS = 5, SHORT_HEADLINE_CELLS = 6 };

void nt_header_tile_make(const struct nt_ui *ui, enum nt_subject_id id, struct nt_tile *out)
{
	if (!ui->has_process) {
		*out = (struct nt_tile){ .label = nt_subjects[id]->label };
		return;
	}
	const struct nt_tile_input input = {
		.figures = &ui->process.interval,
		.wide = ui->layout.wide,
		.fact_cells = ui->layout.fact_cells,
		.events_lost = nt_tile_events_lost(ui->shown),
	};
	nt_tile_make(id, &input, out);
}

/* A reason is a sentence; when it does not fit, its part behind the last colon, with the key of the screen that has it in full. */
static const char *reason_text(const char *reason, int room, char *out, size_t size)
{
	static const char pointer[] = ": 0";
	const char *colon = strrchr(reason, ':');
	bool has_tail = colon && colon[1] == ' ';
	if (nt_text_cells(reason) <= room || !has_tail)
		return nt_shorten_tail(reason, room, out, size);
	nt_shorten_tail(colon + 2, room - (int)sizeof(pointer) + 1, out, size - sizeof(pointer));
	return strcat(out, pointer);
}

static void draw_reason(const struct nt_ui *ui, const struct nt_tile *tile, struct nt_grid *grid, int x, int y)
{
	char text[NT_REASON_BYTES];
	/* In place of the facts; a longer one takes the cells of sparkline and headline too. */
	int end = x + 1 + LABEL_CELLS + 1 + NT_TILE_HEADLINE_CELLS + 1 + ui->layout.spark_cells + 1 + ui->layout.fact_cells;
	int least = x + 1 + LABEL_CELLS + 1, facts = end - ui->layout.fact_cells;
	/* How it ended stands in the line of the finding; behind the last colon it would read like a count. */
	bool ended = ui->has_process && ui->process.target.ended;
	reason_text(ended ? "ended" : tile->reason, end - least, text, sizeof(text));
	int start = end - nt_text_cells(text);
	nt_grid_put(grid, start < facts ? start : facts, y, end - least, NT_STYLE_DIM, text);
}

/* Whether a finding is about this tile; the most important one also colours it. */
static enum nt_style tile_style(const struct nt_ui *ui, enum nt_subject_id id, bool *marked)
{
	*marked = false;
	for (size_t i = 0; ui->has_process && i < ui->process.finding_count; i++) {
		if (ui->process.findings[i].headline != id)
			continue;
		*marked = true;
		return i == 0 ? NT_STYLE_ALERT : NT_STYLE_MARK;
	}
	return NT_STYLE_PLAIN;
}

/* mark, label, headline, sparkline, facts. */
static void draw_tile(const struct nt_ui *ui, enum nt_subject_id id, struct nt_grid *grid, int x, int y)
{
	struct nt_tile tile;
	char cut[NT_TILE_HEADLINE_BYTES], bars[NT_SPARK_BYTES];
	nt_header_tile_make(ui, id, &tile);
	nt_grid_put(grid, x + 1, y, LABEL_CELLS, NT_STYLE_DIM, tile.label);
	if (*tile.reason) {
		draw_reason(ui, &tile, grid, x, y);
		return;
	}
	int headline = x + 1 + LABEL_CELLS + 1, spark = headline + NT_TILE_HEADLINE_CELLS + 1, facts = spark + ui->layout.spark_cells + 1;
	bool marked;
	enum nt_style style = tile_style(ui, id, &marked);
	if (marked)
		nt_grid_put(grid, x, y, 1, NT_STYLE_MARK, "!");
	nt_grid_put_right(grid, headline, y, NT_TILE_HEADLINE_CELLS, style,
			  nt_shorten_tail(tile.headline, NT_TILE_HEADLINE_CELLS, cut, sizeof(cut)));
	if (ui->has_process && !ui->layout.no_sparks)
		nt_grid_put(grid, spark, y, ui->layout.spark_cells, NT_STYLE_PLAIN,
			    nt_spark_series(&ui->process.series[id], ui->layout.spark_cells, nt_subjects[id]->much, bars));
	nt_grid_put(grid, facts, y, ui->layout.fact_cells, NT_STYLE_PLAIN, tile.facts);
}

/* ---- where they are ---- */

/* A tile, or its headline alone in the short header: `label` is not NULL then. */
struct place {
	enum nt_subject_id id;
	int x, y, width;
	const char *label;
	int label_cells, gap; /* before the headline */
};

/* One headline in the short header. */
struct slot {
	enum nt_subject_id id;
	const char *label;
	int label_cells;
	bool wide; /* right-aligned to SHORT_HEADLINE_CELLS */
};

/* From `x` on, when it fits; returns where the next one begins. */
static int add_headline(const struct nt_ui *ui, const struct slot *slot, int x, struct place *places, size_t *count)
{
	struct nt_tile tile;
	nt_header_tile_make(ui, slot->id, &tile);
	int cells = nt_text_cells(tile.headline);
	int room = slot->wide && cells < SHORT_HEADLINE_CELLS ? SHORT_HEADLINE_CELLS : cells;
	int gap = slot->wide && cells < room ? 0 : 1, width = slot->label_cells + gap + room;
	if (!cells || x + width > ui->layout.width)
		return x;
	places[(*count)++] = (struct place){ slot->id, x, 1, width, slot->label, slot->label_cells, gap };
	return x + width + (ui->layout.compact ? 1 : 2);
}

/* `!GC    23.4% CPU  512% q 212 blk 0`: labels and headlines in one line. The worst one comes first, GC when there is none; then as many as fit. */
static size_t place_headlines(const struct nt_ui *ui, struct place *places)
{
	static const struct {
		enum nt_subject_id id;
		const char *label;
		bool wide;
	} slots[] = {
		{ NT_SUBJECT_GC, "GC", true },           { NT_SUBJECT_CPU, "CPU", true },     { NT_SUBJECT_POOL, "q", false },
		{ NT_SUBJECT_THREADS, "blk", false },    { NT_SUBJECT_JIT, "JIT", true },     { NT_SUBJECT_ALLOC, "ALLOC", true },
		{ NT_SUBJECT_EXCEPTIONS, "EXC", false }, { NT_SUBJECT_LOCKS, "LOCK", false }, { NT_SUBJECT_REQUESTS, "REQ", false },
		{ NT_SUBJECT_HOST, "HOST", true },
	};
	enum nt_subject_id worst = ui->has_process && ui->process.finding_count ? ui->process.findings[0].headline : NT_SUBJECT_GC;
	const struct slot first = { worst, nt_subjects[worst]->label, LABEL_CELLS, true };
	size_t count = 0;
	int x = add_headline(ui, &first, 1, places, &count);
	for (size_t i = 0; i < sizeof(slots) / sizeof(slots[0]); i++) {
		const struct slot slot = { slots[i].id, slots[i].label, nt_text_cells(slots[i].label), slots[i].wide };
		if (slot.id != worst)
			x = add_headline(ui, &slot, x, places, &count);
	}
	return count;
}

/* One tile per line: CPU and GC, then what else is out of its range. */
static size_t place_singles(const struct nt_ui *ui, struct place *places)
{
	size_t count = 0;
	for (int pass = 0; pass < 2; pass++)
		for (int i = 0; i < NT_SUBJECT_TILES && (int)count < ui->layout.tiles_height; i++) {
			bool marked, always = i == NT_SUBJECT_CPU || i == NT_SUBJECT_GC;
			tile_style(ui, (enum nt_subject_id)i, &marked);
			if (pass == 0 ? always : marked && !always) {
				places[count] = (struct place){ (enum nt_subject_id)i, 0, 1 + (int)count, ui->layout.width, NULL, 0, 0 };
				count++;
			}
		}
	return count;
}

static size_t place_pairs(const struct nt_ui *ui, struct place *places)
{
	int half = ui->layout.wide ? 60 : 40;
	for (int i = 0; i < ui->layout.tile_count; i++)
		places[i] = (struct place){ (enum nt_subject_id)i, i % 2 ? half : 0, 1 + i / 2, half, NULL, 0, 0 };
	return (size_t)ui->layout.tile_count;
}

/* All tiles that are on the screen. Returns how many. */
static size_t place_tiles(const struct nt_ui *ui, struct place places[NT_SUBJECT_TILES])
{
	switch (ui->layout.tiles) {
	case NT_TILES_PAIRS:
		return place_pairs(ui, places);
	case NT_TILES_SINGLE:
		return place_singles(ui, places);
	case NT_TILES_HEADLINES:
		return place_headlines(ui, places);
	case NT_TILES_NONE:
		break;
	}
	return 0;
}

static void draw_headline(const struct nt_ui *ui, const struct place *place, struct nt_grid *grid)
{
	struct nt_tile tile;
	bool marked;
	enum nt_style style = tile_style(ui, place->id, &marked);
	int before = place->label_cells + place->gap;
	nt_header_tile_make(ui, place->id, &tile);
	if (marked)
		nt_grid_put(grid, place->x - 1, place->y, 1, NT_STYLE_MARK, "!");
	nt_grid_put(grid, place->x, place->y, place->label_cells, NT_STYLE_DIM, place->label);
	nt_grid_put_right(grid, place->x + before, place->y, place->width - before, style, tile.headline);
}

void nt_header_tiles_draw(const struct nt_ui *ui, struct nt_grid *grid)
{
	struct place places[NT_SUBJECT_TILES];
	size_t count = place_tiles(ui, places);
	for (size_t i = 0; i < count; i++)
		if (places[i].label)
			draw_headline(ui, &places[i], grid);
		else
			draw_tile(ui, places[i].id, grid, places[i].x, places[i].y);
}

enum nt_subject_id nt_header_tile_at(const struct nt_ui *ui, int x, int y)
{
	struct place places[NT_SUBJECT_TILES];
	size_t count = ui->config.list ? 0 : place_tiles(ui, places);
	for (size_t i = 0; i < count; i++)
		if (y == places[i].y && x >= places[i].x && x < places[i].x + places[i].width)
			return places[i].id;
	return NT_SUBJECT_COUNT;
}
