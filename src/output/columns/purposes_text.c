// SPDX-License-Identifier: GPL-2.0-only
#include "nettop/purpose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double least_pct = 0.5; /* less looks like nothing */

struct share {
	enum nt_purpose purpose;
	double pct;
};

static int compare(const void *a, const void *b)
{
	const struct share *x = a, *y = b;
	if (x->pct != y->pct)
		return x->pct > y->pct ? -1 : 1;
	return (int)x->purpose - (int)y->purpose;
}

static size_t choose(const struct nt_f64 pct[NT_PURPOSE_COUNT], struct share chosen[NT_PURPOSE_COUNT])
{
	size_t count = 0;
	for (unsigned i = 0; i < NT_PURPOSE_COUNT; i++)
		if (pct[i].known && pct[i].v >= least_pct)
			chosen[count++] = (struct share){ (enum nt_purpose)i, pct[i].v };
	qsort(chosen, count, sizeof(*chosen), compare);
	return count;
}

void nt_purposes_text(const struct nt_f64 pct[NT_PURPOSE_COUNT], int cells, char text[NT_PURPOSES_BYTES])
{
	struct share chosen[NT_PURPOSE_COUNT];
	size_t count = choose(pct, chosen);
	int used = 0;
	text[0] = '\0';
	for (size_t i = 0; i < count; i++) {
		char one[32];
		int length = snprintf(one, sizeof(one), "%s%s %.0f%%", i ? "  " : "", nt_purpose_name(chosen[i].purpose), chosen[i].pct);
		if (used + length > cells || used + length >= NT_PURPOSES_BYTES)
			return;
		memcpy(text + used, one, (size_t)length + 1);
		used += length;
	}
}
