// SPDX-License-Identifier: GPL-2.0-only
/* Two spans compared. */
#include "fixture.h"

#include <math.h>

#define MS 1e6

static const struct nt_difference_row rows[] = {
	{ .id = 1,
	  .name = "Shop.Pricing.Discounts.Apply(Cart, IReadOnlyList<Rule>)",
	  .module = "Shop.Pricing",
	  .before_ns = { .known = true, .v = 101.2 * MS },
	  .after_ns = { .known = true, .v = 148.9 * MS },
	  .before_pct = 11.9,
	  .after_pct = 16.4,
	  .change_pct = 58.2,
	  .error_pct = 5.3,
	  .chance = 1.1e-9,
	  .before_samples = 601,
	  .after_samples = 885 },
	{ .id = 2,
	  .name = "Shop.Pricing.RuleCache.Lookup(string)",
	  .module = "Shop.Pricing",
	  .before_ns = { .known = true, .v = 0 },
	  .after_ns = { .known = true, .v = 21.3 * MS },
	  .before_pct = 0,
	  .after_pct = 2.3,
	  .change_pct = INFINITY,
	  .error_pct = INFINITY,
	  .chance = 4e-12,
	  .after_samples = 127 },
	{ .id = 3,
	  .name = "System.Collections.Generic.Dictionary<string, Price>.TryGetValue(string, out Price)",
	  .module = "System.Private.CoreLib",
	  .before_ns = { .known = true, .v = 40.5 * MS },
	  .after_ns = { .known = true, .v = 24.8 * MS },
	  .before_pct = 4.8,
	  .after_pct = 2.7,
	  .change_pct = -34.2,
	  .error_pct = 5.9,
	  .chance = 6.2e-6,
	  .before_samples = 241,
	  .after_samples = 147 },
};

static struct nt_snapshot *compared(void)
{
	struct nt_snapshot *snapshot = fixture_shop();
	struct nt_difference *difference = &snapshot->processes[0].difference;
	nt_time end = snapshot->t1;
	*difference = (struct nt_difference){
		.after = { .t0 = end - 60 * NT_NS_PER_S, .t1 = end, .told_ns = 60 * NT_NS_PER_S, .samples = 5402, .batches = 60 },
		.before = { .t0 = end - 200 * NT_NS_PER_S,
			    .t1 = end - 140 * NT_NS_PER_S,
			    .told_ns = 58 * NT_NS_PER_S,
			    .samples = 5044,
			    .batches = 58 },
		.method_count = 43,
		.load = 0.93,
		.needs = nt_f64_of(4.96),
	};
	return snapshot;
}

struct nt_snapshot *fixture_compared_alike(void)
{
	return compared();
}

struct nt_snapshot *fixture_compared(void)
{
	struct nt_snapshot *snapshot = compared();
	struct nt_difference *difference = &snapshot->processes[0].difference;
	difference->rows = rows;
	difference->row_count = sizeof(rows) / sizeof(rows[0]);
	return snapshot;
}

struct nt_snapshot *fixture_compared_nothing(void)
{
	struct nt_snapshot *snapshot = compared();
	struct nt_difference *difference = &snapshot->processes[0].difference;
	difference->after.samples = difference->method_count = 0;
	difference->needs.known = false;
	difference->reason = "one of both spans has no CPU samples";
	return snapshot;
}
