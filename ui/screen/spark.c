// SPDX-License-Identifier: GPL-2.0-only
#include "ui/screen/spark.h"

#include <math.h>
#include <string.h>

enum { LEVELS = 8 };

/* 0 to LEVELS - 1; only a measured 0 is the lowest, which is a sign of one byte: most cells have it, and they move at each refresh. */
static int level_of(double value, double largest)
{
	if (!(value > 0) || !(largest > 0))
		return 0;
	int level = (int)lround(value / largest * (LEVELS - 1));
	return level < 1 ? 1 : level;
}

static const char *draw(const struct nt_f64 *values, int count, double least, char *out)
{
	static const char *const bars[LEVELS] = { "_", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	double largest = least;
	size_t used = 0;
	for (int i = 0; i < count; i++)
		if (values[i].known && isfinite(values[i].v) && values[i].v > largest)
			largest = values[i].v;
	for (int i = 0; i < count; i++) {
		bool known = values[i].known && isfinite(values[i].v);
		const char *cell = known ? bars[level_of(values[i].v, largest)] : " ";
		memcpy(out + used, cell, strlen(cell));
		used += strlen(cell);
	}
	out[used] = '\0';
	return out;
}

const char *nt_spark_series(const struct nt_series *series, int cells, double least, char out[NT_SPARK_BYTES])
{
	return draw(series->cells + (NT_SERIES_CELLS - cells), cells, least, out);
}

const char *nt_spark_trend(const struct nt_trend *trend, double least, char out[NT_SPARK_BYTES])
{
	struct nt_f64 values[NT_TREND_CELLS];
	for (int i = 0; i < NT_TREND_CELLS; i++)
		values[i] = (struct nt_f64){ .v = (double)trend->cells[i], .known = trend->known >> i & 1 };
	return draw(values, NT_TREND_CELLS, least, out);
}
