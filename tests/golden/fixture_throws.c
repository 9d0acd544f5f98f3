// SPDX-License-Identifier: GPL-2.0-only
/* Screen 6 by place and one by one: key v. */
#include "fixture_rows.h"

#include "base/arena.h"

#include <string.h>

#define MS NT_NS_PER_MS

static const struct nt_call_frame parse_frames[] = {
	{ .name = "System.Number.ThrowFormatException<char>(ReadOnlySpan<char>)", .module = "System.Private.CoreLib" },
	{ .name = "Shop.Cart.ParseSku(string)", .module = "Shop.Web" },
	{ .name = "Shop.Api.Checkout(HttpContext) async", .module = "Shop.Web" },
};
static const struct nt_call_stack parse = { .frames = parse_frames, .count = 3, .site = 1 };

static const struct nt_throw_site_row site_rows[] = {
	{ .site = "Shop.Cart.ParseSku(string)",
	  .thrown_from = &parse,
	  .type = "System.FormatException",
	  .count = 2100,
	  .count_all = 21400 },
	{ .site = "Shop.Payment.Client.PayAsync(Order) async",
	  .type = "System.Net.Http.HttpRequestException",
	  .count = 2,
	  .count_all = 116 },
	{ .site = "[System.Net.Http.dll+0x1a2b3c]", .type = "System.Net.Http.HttpRequestException", .count_all = 2, .fresh = true },
};

static const struct nt_thrown_row thrown_rows[] = {
	{ .tid = 4802,
	  .thread = ".NET TP Worker",
	  .type = "System.FormatException",
	  .message = "Input 'SKU-' was not in a correct format.",
	  .thrown_at = "Shop.Cart.ParseSku(string)",
	  .thrown_from = &parse,
	  .fate = NT_FATE_UNDER_WAY },
	{ .tid = 4811,
	  .thread = ".NET TP Worker",
	  .type = "System.FormatException",
	  .message = "Input 'SKU' was not in a correct format.",
	  .thrown_at = "Shop.Cart.ParseSku(string)",
	  .thrown_from = &parse,
	  .caught_at = "Shop.Api.Checkout(HttpContext) async",
	  .fate = NT_FATE_CAUGHT },
	{ .tid = 4811,
	  .type = "System.Net.Http.HttpRequestException",
	  .message = "Connection refused (pay:443)",
	  .thrown_at = "Shop.Payment.Client.PayAsync(Order) async",
	  .caught_at = "Shop.Api.Checkout(HttpContext) async",
	  .fate = NT_FATE_RETHROWN,
	  .nested = true },
	{ .tid = 4733, .type = "System.InvalidOperationException", .thrown_at = "Shop.Report.Total(Order)", .fate = NT_FATE_NO_CATCH },
	{ .tid = 4790, .type = "System.NullReferenceException", .message = "Object reference not set to an instance of an object." },
	{ .tid = 4790,
	  .type = "System.ArgumentException",
	  .message = "of a process that is watched on after its end",
	  .fate = NT_FATE_UNHANDLED },
};

void fixture_add_throws(struct nt_snapshot *snapshot)
{
	static const char *const trends[] = { "11111578", "22222222", "       1" };
	static const nt_time ago[] = { 3 * MS, 40 * MS, 900 * MS, 61000 * MS, 120000 * MS, 240000 * MS };
	struct nt_process_snapshot *process = &snapshot->processes[0];
	if (!snapshot->arena)
		snapshot->arena = nt_arena_new();
	process->throw_site_count = sizeof(site_rows) / sizeof(site_rows[0]);
	process->throw_sites = nt_arena_alloc(snapshot->arena, sizeof(site_rows));
	memcpy(process->throw_sites, site_rows, sizeof(site_rows));
	for (size_t i = 0; i < process->throw_site_count; i++) {
		process->throw_sites[i].id = i + 1;
		process->throw_sites[i].trend = fixture_trend(trends[i], (double)site_rows[i].count);
	}
	process->thrown_count = sizeof(thrown_rows) / sizeof(thrown_rows[0]);
	process->thrown = nt_arena_alloc(snapshot->arena, sizeof(thrown_rows));
	memcpy(process->thrown, thrown_rows, sizeof(thrown_rows));
	for (size_t i = 0; i < process->thrown_count; i++) {
		process->thrown[i].id = 9000 - i;
		process->thrown[i].time = snapshot->t1 - ago[i];
	}
}

void fixture_name_throws(struct nt_process_snapshot *process, const char *const *names, size_t count)
{
	for (size_t i = 0; i < process->throw_site_count; i++)
		process->throw_sites[i].site = process->throw_sites[i].type = names[i % count];
	for (size_t i = 0; i < process->thrown_count; i++) {
		struct nt_thrown_row *row = &process->thrown[i];
		row->type = row->message = row->thread = names[i % count];
		row->thrown_at = row->caught_at = names[(i + 1) % count];
	}
}

void fixture_no_throw_stacks(struct nt_process_snapshot *process)
{
	process->throw_site_count = 0;
	for (size_t i = 0; i < process->thrown_count; i++) {
		struct nt_thrown_row *row = &process->thrown[i];
		row->thrown_at = row->caught_at = NULL;
		row->thrown_from = NULL;
		row->fate = NT_FATE_UNKNOWN;
	}
}
