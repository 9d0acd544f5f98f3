// SPDX-License-Identifier: GPL-2.0-only
/* Two spans compared. */
#include "fixture.h"

#include <math.h>
#include <string.h>

#define MS 1e6

static const struct nt_difference_row rows[] = {
	{ .id = 1,
	  .name = "Shop.Pricing.Discounts.Apply(Cart, IReadOnlyList<Rule>)",
	  .module = "Shop.Pricing",
	  .before = { .known = true, .v = 101.2 * MS },
	  .after = { .known = true, .v = 148.9 * MS },
	  .before_pct = { .known = true, .v = 11.9 },
	  .after_pct = { .known = true, .v = 16.4 },
	  .change_pct = 58.2,
	  .error_pct = 5.3,
	  .chance = 1.1e-9,
	  .before_count = 601,
	  .after_count = 885 },
	{ .id = 2,
	  .name = "Shop.Pricing.RuleCache.Lookup(string)",
	  .module = "Shop.Pricing",
	  .before = { .known = true, .v = 0 },
	  .after = { .known = true, .v = 21.3 * MS },
	  .before_pct = { .known = true, .v = 0 },
	  .after_pct = { .known = true, .v = 2.3 },
	  .change_pct = INFINITY,
	  .error_pct = INFINITY,
	  .chance = 4e-12,
	  .after_count = 127 },
	{ .id = 3,
	  .name = "System.Collections.Generic.Dictionary<string, Price>.TryGetValue(string, out Price)",
	  .module = "System.Private.CoreLib",
	  .before = { .known = true, .v = 40.5 * MS },
	  .after = { .known = true, .v = 24.8 * MS },
	  .before_pct = { .known = true, .v = 4.8 },
	  .after_pct = { .known = true, .v = 2.7 },
	  .change_pct = -34.2,
	  .error_pct = 5.9,
	  .chance = 6.2e-6,
	  .before_count = 241,
	  .after_count = 147 },
	{ .id = 4,
	  .name = "Shop.Pricing.Rule[]",
	  .kind = NT_DIFFER_BYTES,
	  .before = { .known = true, .v = 3.1e6 },
	  .after = { .known = true, .v = 48.2e6 },
	  .before_pct = { .known = true, .v = 2.2 },
	  .after_pct = { .known = true, .v = 24.6 },
	  .change_pct = 1454,
	  .error_pct = 61.2,
	  .chance = 3e-11,
	  .before_count = 1804,
	  .after_count = 28013 },
	{ .id = 5,
	  .name = "POST /checkout/{cart} 200",
	  .kind = NT_DIFFER_REQUEST_TIME,
	  .before = { .known = true, .v = 31.4 * MS },
	  .after = { .known = true, .v = 44.8 * MS },
	  .change_pct = 42.7,
	  .error_pct = 4.4,
	  .chance = 5.1e-7,
	  .before_count = 2410,
	  .after_count = 2377 },
	{ .id = 6,
	  .name = "POST /checkout/{cart} 503 TimeoutException",
	  .kind = NT_DIFFER_REQUESTS,
	  .before = { .known = true, .v = 0 },
	  .after = { .known = true, .v = 1.2 },
	  .change_pct = INFINITY,
	  .error_pct = INFINITY,
	  .chance = 2e-8,
	  .after_count = 71 },
	{ .id = 7,
	  .name = "Shop.Web.CheckoutController.Post(string, CancellationToken)",
	  .module = "Shop.Web",
	  .kind = NT_DIFFER_CPU_CALLS,
	  .before = { .known = true, .v = 240 * MS },
	  .after = { .known = true, .v = 301 * MS },
	  .before_pct = { .known = true, .v = 28.3 },
	  .after_pct = { .known = true, .v = 33.2 },
	  .change_pct = 25.4,
	  .error_pct = 3.0,
	  .chance = 8e-6,
	  .before_count = 1427,
	  .after_count = 1793 },
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
		.compared = { [NT_DIFFER_CPU] = 43, [NT_DIFFER_BYTES] = 31, [NT_DIFFER_REQUEST_TIME] = 6, [NT_DIFFER_REQUESTS] = 9 },
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
	difference->after.samples = 0;
	memset(difference->compared, 0, sizeof(difference->compared));
	difference->needs.known = false;
	difference->reason = "one of both spans has no CPU samples";
	return snapshot;
}
