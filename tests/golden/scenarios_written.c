// SPDX-License-Identifier: GPL-2.0-only
/* Key w: its menu, what it asks, what it writes; a process that is recorded. */
#include "scenarios.h"

#include "scenario_sets.h"

static const struct scenario scenarios[] = {
	{ "processes-written", 80, 24, PROCESSES, "w@R@R", TEXT },
	{ "watched-written", 120, 40, WATCHED, "w@R@R", TEXT },
	{ "written-allocations", 80, 24, SHOP, "5w@R@R", TEXT },
	{ "code-written", 120, 40, SHOP, "aw@R@R", TEXT },
	{ "written-counters", 80, 24, SHOP, "cw@R@R", TEXT },
	{ "partial-written", 80, 24, PARTIAL, "3w@R@R", TEXT },
	{ "wall-written", 80, 24, WALL, "w@R@R", TEXT },
	{ "calls-written", 80, 24, SHOP, "@D@D@D@D@D@D@D@D@Rw@R@R", TEXT },
	{ "write-menu", 80, 24, SHOP, "w", TEXT },
	{ "write-menu", 40, 10, SHOP, "w@D@D", TEXT },
	{ "write-menu-calls", 120, 40, SHOP, "@Rw@D", TEXT },
	{ "write-menu-processes", 80, 24, PROCESSES, "w", TEXT },
	{ "write-nothing-kept", 80, 24, SHOP, "w@D@D@D@D@D@D@R", TEXT },
	{ "write-recording", 80, 24, SHOP, "w@D@D@D@D@D@R", TEXT },
	{ "records", 80, 24, SHOP, "", RECORDS },
	{ "records", 120, 40, SHOP, "", RECORDS },
	{ "records", 40, 10, SHOP, "", RECORDS },
	{ "records-menu", 80, 24, SHOP, "w", RECORDS },
	{ "records-paused", 80, 24, SHOP, " ", RECORDS },
	{ "write-name", 80, 24, SHOP, "w@R", TEXT },
	{ "write-name", 40, 10, SHOP, "w@R", TEXT },
	{ "write-no-name", 80, 24, SHOP, "w@R@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@B@R", TEXT },
	{ "written-columns", 80, 24, SHOP, "C@D@D@D@D@D@D @D@D @E/csv@Rw@R@R", TEXT },
	{ "written-methods", 80, 24, SHOP, "/csv@RKw@R@R", TEXT },
	{ "written-gc", 80, 24, SHOP, "2w@R@R", TEXT },
	{ "written-thread-methods", 80, 24, SHOP, "4@D@D@Rw@R@R", TEXT },
	{ "written-sources", 40, 10, POOR, "0w@R@R", TEXT },
	{ "written-hostile", 80, 24, HOSTILE, "w@R@R", TEXT },
	{ "written-jit", 80, 24, SHOP, "3w@R@R", TEXT },
	{ "written-threads", 80, 24, SHOP, "4w@R@R", TEXT },
};

const struct scenario_table scenarios_of_files = { scenarios, sizeof(scenarios) / sizeof(scenarios[0]) };
