/* SPDX-License-Identifier: GPL-2.0-only */
/* A process with three compiled methods, and its report: what tests of reports begin with. */
#ifndef NT_TESTS_JIT_SHOP_H
#define NT_TESTS_JIT_SHOP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "output/jit/jit_compare.h"

#include <stdlib.h>
#include <string.h>

/* Borrows nothing that ends: constants. */
static inline struct nt_process_snapshot process_of_shop(void)
{
	static struct nt_jit_row methods[] = {
		{ .id = 1,
		  .name = "Shop.Cart.Total(ref Cart)",
		  .module = "Shop",
		  .tier = NT_TIER_1,
		  .trigger = NT_JIT_BACKGROUND,
		  .count_all = 2,
		  .time_all_ns = 7250000,
		  .max_ns = 5000000,
		  .il_bytes = 120,
		  .native_bytes = 2048,
		  .cpu_count_all = 2,
		  .cpu_all_ns = 7000000 },
		{ .id = 2,
		  .name = "lambda_method(Closure, Row)",
		  .module = "(dynamic)",
		  .tier = NT_TIER_OPTIMIZED,
		  .trigger = NT_JIT_FOREGROUND,
		  .count_all = 30,
		  .time_all_ns = 6000000,
		  .max_ns = 900000,
		  .native_bytes = 640,
		  .cpu_count_all = 30,
		  .cpu_all_ns = 3000000 },
		{ .id = 3,
		  .name = "Lib.Text.Parse(string)",
		  .tier = NT_TIER_0,
		  .trigger = NT_JIT_REJECTED,
		  .count_all = 1,
		  .time_all_ns = 1500000,
		  .max_ns = 1500000,
		  .rejected_all = 1,
		  .il_bytes = 40,
		  .native_bytes = 512,
		  .cpu_count_all = 1,
		  .cpu_all_ns = 1000000 },
	};
	static struct nt_jit_group_row modules[] = { { .name = "Shop", .all = { 2, 7250000, 240, 3000, 2, 7000000 } },
						     { .name = "(dynamic)", .all = { 30, 6000000, 0, 19200, 30, 3000000 } },
						     { .all = { 1, 1500000, 40, 512, 1, 1000000 } } };
	static struct nt_jit_group_row namespaces[] = { { .name = "Shop", .all = { 2, 7250000, 240, 3000, 2, 7000000 } },
							{ .name = "(dynamic)", .all = { 30, 6000000, 0, 19200, 30, 3000000 } },
							{ .name = "Lib.Text", .all = { 1, 1500000, 40, 512, 1, 1000000 } } };
	static struct nt_jit_group_row tiers[] = { { .name = "tier0", .all = { 2, 3750000, 160, 1464, 2, 3000000 } },
						   { .name = "tier1", .all = { 1, 5000000, 120, 2048, 1, 5000000 } },
						   { .name = "opt", .all = { 30, 6000000, 0, 19200, 30, 3000000 } } };
	static struct nt_jit_group_row triggers[] = { { .name = "foreground", .all = { 31, 8250000, 120, 20152, 31, 5000000 } },
						      { .name = "background", .all = { 1, 5000000, 120, 2048, 1, 5000000 } },
						      { .name = "r2r reject", .all = { 1, 1500000, 40, 512, 1, 1000000 } } };
	struct nt_process_snapshot process = {
		.target = { .pid = 4711, .name = "shop", .runtime = "10.0.12", .cpu_ns = NT_KNOWN(59000000) },
		.jit_methods = methods,
		.jit_method_count = sizeof(methods) / sizeof(methods[0]),
		.jit_groups = { [NT_JIT_BY_MODULE] = modules,
				[NT_JIT_BY_NAMESPACE] = namespaces,
				[NT_JIT_BY_TIER] = tiers,
				[NT_JIT_BY_TRIGGER] = triggers },
		.jit_group_count = { 3, 3, 3, 3 },
	};
	process.total.lived_ns = 2 * NT_NS_PER_S;
	process.total.cpu.time_ns = nt_u64_of(29500000);
	process.total.jit.method_count = nt_u64_of(33);
	process.total.jit.time_ns = nt_u64_of(14750000);
	process.total.jit.cpu_ns = nt_u64_of(11000000);
	process.total.jit.cpu_count = nt_u64_of(33);
	process.total.jit.il_bytes = nt_u64_of(280);
	process.total.jit.native_bytes = nt_u64_of(22712);
	process.total.jit.dynamic_count = nt_u64_of(30);
	process.total.jit.rejected_count = nt_u64_of(1);
	return process;
}

static inline struct nt_jit_report *report_of(struct nt_process_snapshot process, bool from_start)
{
	const struct nt_snapshot snapshot = { .final = true, .complete = true, .processes = &process, .process_count = 1 };
	struct nt_jit_report *report = NULL;
	struct nt_error err = { 0 };
	if (nt_jit_report_of(&snapshot, from_start, &report, &err) != NT_OK)
		fail_msg("%s", err.cause[0]);
	report->settings_known = report->file_settings_known = true;
	return report;
}

/* The caller's. */
static inline char *table_of(const struct nt_jit_report *before, const struct nt_jit_report *report)
{
	char *text = NULL;
	size_t length = 0;
	FILE *file = open_memstream(&text, &length);
	assert_non_null(file);
	if (before)
		nt_jit_compare_write(before, report, file);
	else
		nt_jit_report_write(report, file);
	fclose(file);
	return text;
}

static inline void assert_text(char *text, const char *expected)
{
	assert_string_equal(text, expected);
	free(text);
}

#endif
