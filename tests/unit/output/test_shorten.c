// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "nettop/shorten.h"
#include "ui/screen/grid.h"

#include <locale.h>
#include <string.h>

typedef const char *shorten(const char *text, int room, char *out, size_t size);

static void check(shorten *function, const char *text, int room, const char *expected)
{
	char out[256];
	assert_string_equal(function(text, room, out, sizeof(out)), expected);
	assert_true(nt_text_cells(out) <= room);
}

static void a_tail_is_cut_at_a_character(void **state)
{
	(void)state;
	check(nt_shorten_tail, "abc", 3, "abc");
	check(nt_shorten_tail, "abcd", 3, "ab…");
	check(nt_shorten_tail, "日本語", 6, "日本語");
	check(nt_shorten_tail, "日本語", 5, "日本…");
	check(nt_shorten_tail, "日本語", 4, "日…");
	check(nt_shorten_tail, "abc", 0, "");
}

static void out_is_never_overrun(void **state)
{
	char out[5];
	(void)state;
	assert_string_equal(nt_shorten_tail("日本語", 6, out, sizeof(out)), "日");
	assert_string_equal(nt_shorten_tail("abcdefgh", 6, out, sizeof(out)), "a…");
	assert_string_equal(nt_shorten_method("A.B.C.Method(int)", 40, out, sizeof(out)), "A.B.");
}

/* The names of the first screen, as 36 columns show them. */
static void methods_lose_arguments_then_namespace_then_tail(void **state)
{
	static const struct {
		const char *name, *shown;
	} cases[] = {
		{ "Shop.Export.CsvWriter.Grow(int)", "Shop.Export.CsvWriter.Grow(int)" },
		{ "Shop.Export.CsvWriter.AppendRow(ref Row)", "Shop.Export.CsvWriter.AppendRow(…)" },
		{ "SVR::gc_heap::mark_object_simple1(uint8_t*, uint8_t*, int)", "SVR::gc_heap::mark_object_simple1(…)" },
		{ "System.Number.TryFormatUInt64<char>(ulong, Span<char>, ref int)", "…Number.TryFormatUInt64<char>(…)" },
		{ "Shop.Export.CsvExport.WriteAsync(Stream) async", "…CsvExport.WriteAsync(…) async" },
		{ "async Shop.Export.CsvExport.WriteAsync", "async …Export.CsvExport.WriteAsync" },
		{ "async Shop.Export.CsvExporters.WriteEverythingAsync", "async …CsvExporters.WriteEverything…" },
		{ "Shop.Catalogue.Search.Run → lambda #2(Row, int)", "…Catalogue.Search.Run → lambda #2(…)" },
		{ "iterator Shop.Catalogue.Search.Rows → Inner", "iterator …Search.Rows → Inner" },
		{ "System.Text.Json.Utf8JsonWriter.WriteStringEscapeValue(ReadOnlySpan<byte>, int)",
		  "…Utf8JsonWriter.WriteStringEscapeVa…" },
		{ "__memset_avx512_unaligned_erms_and_more_of_it", "__memset_avx512_unaligned_erms_and_…" },
		{ "System.Collections.Generic.Dictionary<System.String, System.Object>..ctor()", "…Dictionary<…>..ctor()" },
		{ "System.Collections.Generic.Dictionary<__Canon, List<Nullable<int>>>.TryInsert(__Canon)", "…Dictionary<…>.TryInsert(…)" },
		{ "System.Runtime.CompilerServices.AsyncTaskMethodBuilder<VoidTaskResult>.AsyncStateMachineBox<Main>.MoveNext(Thread)",
		  "…AsyncStateMachineBox<…>.MoveNext(…)" },
		{ "async Shop.Orders.Handler<CreateOrderCommand, OrderResult>.Handle<T0> → lambda",
		  "async …Handler<…>.Handle<T0> → lamb…" },
		{ "Shop.Long.Namespace.Here.Catalogue.Find<int, string>", "…Here.Catalogue.Find<int, string>" },
		{ "seq Shop.Catalogue.Search.SomewhereElse.rows @12", "seq …Search.SomewhereElse.rows @12" },
		{ "state of async Shop.Export.CsvWriter.AppendRowAsync", "state of async …CsvWriter.AppendRow…" },
		{ "System.Collections.Generic.List<System.Collections.Generic.List<int>>[]", "…Generic.List<System.Collections.Ge…" },
		{ "Shop.Long.Namespace.Here.Program.<Main>$(string[])", "…Namespace.Here.Program.<Main>$(…)" },
		{ "Shop.Long.Namespace.Here.Catalogue..ctor()", "…Namespace.Here.Catalogue..ctor()" },
		{ "Parse()", "Parse()" },
		{ ")))(((.", ")))(((." },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		check(nt_shorten_method, cases[i].name, 36, cases[i].shown);
	check(nt_shorten_method, "SVR::gc_heap::mark_object_simple1(uint8_t*)", 27, "…mark_object_simple1(…)");
	check(nt_shorten_method, "Shop.Export.CsvWriter.AppendRow(ref Row)", 27, "…CsvWriter.AppendRow(…)");
	check(nt_shorten_method, "Shop.Export.CsvWriter.Grow(int)", 27, "…Export.CsvWriter.Grow(int)");
}

static void modules_become_initials(void **state)
{
	(void)state;
	check(nt_shorten_module, "Shop.Web", 12, "Shop.Web");
	check(nt_shorten_module, "System.Private.CoreLib", 22, "System.Private.CoreLib");
	check(nt_shorten_module, "System.Private.CoreLib", 12, "S.P.CoreLib");
	check(nt_shorten_module, "System.Text.Json", 12, "S.Text.Json");
	check(nt_shorten_module, "Legacy.Pricing", 12, "L.Pricing");
	check(nt_shorten_module, "Microsoft.AspNetCore.Server.Kestrel.Core", 22, "M.A.S.Kestrel.Core");
	check(nt_shorten_module, "libcoreclr.so", 12, "libcoreclr");
	check(nt_shorten_module, "libc.so.6", 12, "libc.so.6");
	check(nt_shorten_module, "libSystem.Native.so", 12, "libSystem.N…");
	check(nt_shorten_module, "libx.sockets.so.6", 12, "libx.sockets"); /* the first .so is no end */
	check(nt_shorten_module, "averyveryverylongname", 12, "averyveryve…");
	check(nt_shorten_module, "....................", 12, "...........…");
}

static void types_lose_their_namespace(void **state)
{
	(void)state;
	check(nt_shorten_type, "System.Net.Http.HttpRequestException", 20, "HttpRequestException");
	check(nt_shorten_type, "System.Net.Http.HttpRequestException", 15, "HttpRequestExc…");
	check(nt_shorten_type, "Exception", 16, "Exception");
	check(nt_shorten_type, "Ns.Outer<System.String>+Inner", 30, "Outer<System.String>+Inner");
}

static int use_utf8(void **state)
{
	(void)state;
	return setlocale(LC_CTYPE, "C.UTF-8") ? 0 : -1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tail_is_cut_at_a_character),
		cmocka_unit_test(out_is_never_overrun),
		cmocka_unit_test(methods_lose_arguments_then_namespace_then_tail),
		cmocka_unit_test(modules_become_initials),
		cmocka_unit_test(types_lose_their_namespace),
	};
	return cmocka_run_group_tests(tests, use_utf8, NULL);
}
