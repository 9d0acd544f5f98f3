// SPDX-License-Identifier: GPL-2.0-only
/*
 * Why a heap asked for a generation to be collected: the two words of GCPerHeapHistory (gen_to_condemn_tuning of the runtime's gc/gcrecord.h). The first has generations, two bits
 * each, the second a bit for each other reason.
 */
#include "model/gc/gc.h"

#include <stdio.h>
#include <string.h>

enum { WANTED, HIGHEST, BUDGET, TUNING, GENERATION_BITS = 2, GENERATION_MASK = 3 };

static const char *const words[] = {
	"induced",
	"heap expanded",
	"memory high",
	"memory very high",
	"low on ephemeral space",
	"cards of little use",
	"ephemeral fragmented",
	"gen2 fragmented",
	"gen2 to be fragmented",
	"gen2 fragmented and memory high",
	"gen2 fragmented and memory very high",
	"gen2 budget seen at gen1",
	"before out of memory",
	"gen2 too small for background",
	"induced, not forced",
	"before background",
	"almost all allocated",
	"avoids an unproductive one",
	"induced in provisional mode",
	"LOH allocation in provisional mode",
	"gen1 in provisional mode",
	"hard limit near",
	"hard limit and LOH fragmented",
	"hard limit and LOH to reclaim",
	"tuning begins",
	"tuning of blocking ones",
	"tuning of background ones",
	"tuning puts off",
	"stress mix",
	"stress",
	"aggressive",
};

static unsigned generation_of(const uint32_t reasons[2], unsigned which)
{
	return reasons[0] >> which * GENERATION_BITS & GENERATION_MASK;
}

uint32_t nt_gc_reasons_highest(const uint32_t reasons[2])
{
	return generation_of(reasons, HIGHEST);
}

/* Whole words only. */
static void add(char *out, size_t size, const char *word)
{
	size_t used = strlen(out);
	const char *separator = used ? "; " : "";
	if (used + strlen(separator) + strlen(word) < size)
		snprintf(out + used, size - used, "%s%s", separator, word);
}

static void add_generation(char *out, size_t size, unsigned generation, const char *what)
{
	char word[sizeof("gen3 wanted by tuning")];
	if (!generation)
		return;
	snprintf(word, sizeof(word), "gen%u %s", generation, what);
	add(out, size, word);
}

void nt_gc_reasons_text(const uint32_t reasons[2], char *out, size_t size)
{
	out[0] = '\0';
	add_generation(out, size, generation_of(reasons, BUDGET), "budget");
	add_generation(out, size, generation_of(reasons, TUNING), "time");
	add_generation(out, size, generation_of(reasons, WANTED), "wanted");
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (reasons[1] >> i & 1)
			add(out, size, words[i]);
}
