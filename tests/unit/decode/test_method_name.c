// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/names/dynamic_name.h"
#include "decode/names/method_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct nt_slice text(const char *s)
{
	return (struct nt_slice){ s, strlen(s) };
}

static void check_perfmap(const char *raw, const char *display, const char *module, enum nt_tier tier, enum nt_code_kind kind)
{
	struct nt_perfmap_name name;
	nt_method_name_from_perfmap(text(raw), &name);
	assert_string_equal(name.display, display);
	assert_int_equal(name.display_length, strlen(display));
	assert_int_equal(name.module.length, strlen(module));
	assert_memory_equal(name.module.text, module, name.module.length);
	assert_int_equal(name.tier, tier);
	assert_int_equal(name.kind, kind);
}

static void check_parts(const char *type, const char *method, const char *signature, const char *display)
{
	char buf[NT_METHOD_NAME_MAX];
	size_t length = nt_method_name_from_parts(text(type), text(method), text(signature), buf, sizeof(buf));
	assert_string_equal(buf, display);
	assert_int_equal(length, strlen(display));
}

static void test_display_form(void **state)
{
	(void)state;
	check_parts("Shop.Export.CsvWriter", "Grow", "instance void  (int32)", "Shop.Export.CsvWriter.Grow(int)");
	check_parts("Shop.Cart", "Total", "int32  (value class Shop.Row&)", "Shop.Cart.Total(ref Row)");
	check_parts("Shop.Odd.Outer`1+Inner`1[System.Int32,System.__Canon]", "M", "instance generic !!0  (!0,!1,!!0)",
		    "Shop.Odd.Outer<int>.Inner<__Canon>.M<T0>(int, __Canon, T0)");
	check_parts("System.Collections.Generic.Dictionary`2+Enumerator[System.Int32,System.String]", "MoveNext", "instance bool  ()",
		    "System.Collections.Generic.Dictionary<int, string>.Enumerator.MoveNext()");
	check_parts("A", "F", "void  (fnptr void(int32,class System.String)[],int32[,],unsigned int)",
		    "A.F(fnptr void(int, string)[], int[,], nuint)");
	check_parts("dynamicClass", "Twice", "int32  (pMT: 0x7fe7ebecfef8,int32)", "Twice(?, int)");
}

static void test_perf_map_form(void **state)
{
	(void)state;
	check_perfmap("void [System.Private.CoreLib] System.Threading.Thread::StartCallback()[OptimizedTier1]",
		      "System.Threading.Thread.StartCallback()", "System.Private.CoreLib", NT_TIER_1, NT_CODE_JIT);
	check_perfmap("instance valuetype [System.Runtime]System.ValueTuple`2<int32,int32> [app] "
		      "Shop.Odd+<>c::<Run>b__28_4(object[])[QuickJitted]",
		      "Shop.Odd.Run → lambda #5(object[])", "app", NT_TIER_0, NT_CODE_JIT);
	check_perfmap("int32 [Anonymously Hosted DynamicMethods Assembly] "
		      "dynamicClass::lambda_method1(System.Runtime.CompilerServices.Closure /* MT: 0x7fe7ebecfef8 */,int32)[Optimized]",
		      "expression tree lambda_method1(int)", "(dynamic)", NT_TIER_OPTIMIZED, NT_CODE_JIT);
	check_perfmap("stub<17> AllocateTemporaryEntryPoints<PRECODE_FIXUP>", "[stub PRECODE_FIXUP]", "", NT_TIER_UNKNOWN, NT_CODE_STUB);
	check_perfmap("stub ReportStubBlock<VSD_ResolveStub>", "[stub VSD_ResolveStub]", "", NT_TIER_UNKNOWN, NT_CODE_STUB);
	check_perfmap("void [a] B::C()[PreJIT]", "B.C()", "a", NT_TIER_UNKNOWN, NT_CODE_R2R);
	check_perfmap("void [a] B::C()[TierOfTheFuture]", "B.C()", "a", NT_TIER_UNKNOWN, NT_CODE_JIT);
	check_perfmap("void [a] B::C()", "B.C()", "a", NT_TIER_UNKNOWN, NT_CODE_JIT);
}

/* What the C# compiler made, as people wrote it; all but the last ones were seen in .NET 10 processes. */
static void test_compiled_names_are_shown_as_written(void **state)
{
	static const struct {
		const char *type, *method, *signature, *display;
	} cases[] = {
		{ "Shop.Cart+<>c", "<Run>b__3_0", "instance void  (int32)", "Shop.Cart.Run → lambda(int)" },
		{ "Shop.Cart+<>c__DisplayClass3_0", "<Run>b__1", "instance bool  ()", "Shop.Cart.Run → lambda #2()" },
		{ "Shop.Cart", "<Run>b__3_0", "instance void  (int32)", "Shop.Cart.Run → lambda(int)" },
		{ "Shop.Cart+<>c__3`1[System.Int32]", "<Run>b__3_0", "instance void  (!0)", "Shop.Cart.Run<int> → lambda(int)" },
		{ "Shop.Cart`1+<>c[System.Int32]", "<Run>b__3_0", "instance void  (!0)", "Shop.Cart<int>.Run → lambda(int)" },
		{ "Shop.Cart", "<Run>g__Local|3_0", "int32  (class System.String)", "Shop.Cart.Run → Local(string)" },
		{ "Shop.Cart+<>c__DisplayClass3_0", "<Run>g__Local|0", "instance int32  ()", "Shop.Cart.Run → Local()" },
		{ "Shop.Cart+<RunAsync>d__5", "MoveNext", "instance void  ()", "async Shop.Cart.RunAsync" },
		{ "Shop.Cart+<RunAsync>d__5`1[System.Int32]", "MoveNext", "instance void  ()", "async Shop.Cart.RunAsync<int>" },
		{ "Shop.Cart+<>c+<<Run>b__3_1>d", "MoveNext", "instance void  ()", "async Shop.Cart.Run → lambda #2" },
		{ "Shop.Cart+<<Run>g__Local|3_0>d", "MoveNext", "instance void  ()", "async Shop.Cart.Run → Local" },
		{ "Shop.Cart+<Rows>d__7", "MoveNext", "instance bool  ()", "iterator Shop.Cart.Rows" },
		{ "Shop.Cart+<Rows>d__7", ".ctor", "instance void  (int32)", "Shop.Cart.Rows → .ctor(int)" },
		{ "Shop.Col+<System-Collections-Generic-IEnumerable<System-Int32\\[\\]>-GetEnumerator>d__0", "MoveNext",
		  "instance bool  ()", "iterator Shop.Col.System.Collections.Generic.IEnumerable<System.Int32[]>.GetEnumerator" },
		{ "Program", "<Main>$", "void  (class System.String[])", "Program.Main(string[])" },
		{ "Program+<>c", "<<Main>$>b__0_0", "instance void  ()", "Program.Main → lambda()" },
		{ "Program+<<Main>$>d__0", "MoveNext", "instance void  ()", "async Program.Main" },
		{ "Program+<>c+<<<Main>$>b__0_2>d", "MoveNext", "instance void  ()", "async Program.Main → lambda #3" },
		{ "Gen.<RegexGenerator_g>F0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF__Word_0+Runner", "Scan",
		  "instance void  ()", "Gen.Word_0.Runner.Scan()" },
		{ "System.Box`2[System.Int32,Shop.Cart+<RunAsync>d__5]", "MoveNext", "instance void  ()",
		  "System.Box<int, RunAsync>.MoveNext()" },
		/* What only looks like one of them. */
		{ "Shop.Cart+<>c", ".cctor", "void  ()", "Shop.Cart.<>c..cctor()" },
		{ "Shop.Cart+<>c+Inner", "M", "void  ()", "Shop.Cart.<>c.Inner.M()" },
		{ "Shop.Cart+<Run>d__x", "MoveNext", "instance void  ()", "Shop.Cart.<Run>d__x.MoveNext()" },
		{ "Shop.Cart+<Rows>d__7", "MoveNext", "instance bool  (int32)", "Shop.Cart.Rows → MoveNext(int)" },
		{ "Shop.Cart", "<Run>b__", "void  ()", "Shop.Cart.<Run>b__()" },
		{ "Shop.Cart", "<Run>b__3_", "void  ()", "Shop.Cart.<Run>b__3_()" },
		{ "Shop.Cart", "<Run", "void  ()", "Shop.Cart.<Run()" },
		{ "<>f__AnonymousType0`1[System.Int32]", "get_N", "instance int32  ()", "<>f__AnonymousType0<int>.get_N()" },
		{ "<Rows>d__7", "MoveNext", "instance bool  ()", "<Rows>d__7.MoveNext()" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		check_parts(cases[i].type, cases[i].method, cases[i].signature, cases[i].display);
}

/* Visual Basic and F#, and what C# puts beside an iterator: seen in .NET 10 processes. */
static void test_what_other_compilers_made(void **state)
{
	static const struct {
		const char *type, *method, *signature, *display;
	} cases[] = {
		{ "Shop.Cart+<Rows>d__1", "System.Collections.Generic.IEnumerator<System.Int32>.get_Current", "instance int32  ()",
		  "Shop.Cart.Rows → IEnumerator<int>.get_Current()" },
		{ "Shop.Cart+<Rows>d__1", "System.Collections.IEnumerator.get_Current", "instance class System.Object  ()",
		  "Shop.Cart.Rows → IEnumerator.get_Current()" },
		{ "Shop.Cart+<Rows>d__1", "<>m__Finally1", "instance void  ()", "Shop.Cart.Rows → finally()" },
		{ "Shop.Cart+<Rows>d__1", "A<B>.C<(int, D)>.get_Current", "instance int32  ()",
		  "Shop.Cart.Rows → A<B>.C<(int, D)>.get_Current()" },

		{ "Shop.Plain+VB$StateMachine_2_LoadAsync", "MoveNext", "instance void  ()", "async Shop.Plain.LoadAsync" },
		{ "Shop.Cart`1+VB$StateMachine_3_Rows[System.__Canon]", "MoveNext", "instance bool  ()",
		  "iterator Shop.Cart<__Canon>.Rows" },
		{ "Shop.Plain+VB$StateMachine_6_LoadAsync`1[System.Int32]", "MoveNext", "instance void  ()",
		  "async Shop.Plain.LoadAsync<int>" },
		{ "Shop.Plain+VB$StateMachine_4_Rows", "IEnumerator.get_Current", "instance class System.Object  ()",
		  "Shop.Plain.Rows → IEnumerator.get_Current()" },
		{ "Shop.Plain+_Closure$__", "_Lambda$__1-2", "instance int32  (int32)", "Shop.Plain → lambda 1-2(int)" },
		{ "Shop.Plain+_Closure$__1-0", "_Lambda$__3", "instance int32  (int32)", "Shop.Plain → lambda 1-3(int)" },
		{ "Shop.Plain", "_Lambda$__1-2", "int32  (int32)", "Shop.Plain → lambda 1-2(int)" },
		{ "Shop.Plain+_Closure$__5-0`1[System.Int32]", "_Lambda$__0", "instance !0  ()", "Shop.Plain<int> → lambda 5-0()" },
		{ "Shop.Plain+_Closure$__", "_Lambda$__R8-1", "instance int64  (int64)", "Shop.Plain → lambda R8-1(long)" },
		{ "Shop.Plain+_Closure$__1-0+VB$StateMachine___Lambda$__3", "MoveNext", "instance void  ()",
		  "async Shop.Plain → lambda 1-3" },
		{ "Shop.Plain+_Closure$__+VB$StateMachine___Lambda$__1-2", "MoveNext", "instance void  ()",
		  "async Shop.Plain → lambda 1-2" },

		{ "Shop.Main+Inner+total@11-1", "Invoke", "instance int32  (int32)", "Shop.Main.Inner.total → lambda @11-1(int)" },
		{ "Shop.Main+generic@53[System.Int32]", "Invoke", "instance bool  (!0)", "Shop.Main.generic<int> → lambda @53(int)" },
		{ "Shop.Main+rows@12", "GenerateNext", "instance int32  (class System.Collections.Generic.IEnumerable`1<int32>&)",
		  "seq Shop.Main.rows @12" },
		{ "Shop.Main+rows@12", "Close", "instance void  ()", "Shop.Main.rows @12 → Close()" },
		{ "Shop.Main+loadAsync@31", "MoveNext", "instance void  ()", "async Shop.Main.loadAsync @31" },
		{ "Shop.Main+objExpr@61", "Shop.Main.IThing.Do", "instance int32  (int32)", "Shop.Main.objExpr @61 → IThing.Do(int)" },
		{ "Shop.Main", "loop@49", "int32  (int32)", "Shop.Main → loop @49(int)" },
		{ "Shop.Main", "get_format@1-4", "int32  ()", "Shop.Main.get_format@1-4()" },
		{ "<StartupCode$Shop>.$Cart+-ctor@6", "Invoke", "instance int32  (int32)", "$Cart..ctor → lambda @6(int)" },
		{ "<StartupCode$Shop>.$Cart", "go@18", "int32  ()", "$Cart → go @18()" },
		{ "<StartupCode$Shop>.$Program", "main@", "void  ()", "$Program.main@()" },
		{ "Shop.total@11", "Invoke", "instance int32  (int32)", "Shop.total → lambda @11(int)" },

		{ "System.Runtime.CompilerServices.AsyncTaskMethodBuilder`1+AsyncStateMachineBox`1[System.Int32,Shop.Cart`1+<LoadAsync>d__"
		  "3[System.String]]",
		  "MoveNext", "instance void  (class System.Threading.Thread)", "async Shop.Cart<string>.LoadAsync → resumed" },
		{ "System.Runtime.CompilerServices.AsyncTaskMethodBuilder`1+AsyncStateMachineBox`1[System.Int32,Shop.Main+loadAsync@31]",
		  "ExecutionContextCallback", "void  (class System.Object)", "async Shop.Main.loadAsync @31 → resumed" },
		{ "System.Runtime.CompilerServices.AsyncTaskMethodBuilder`1+AsyncStateMachineBox`1[System.Int32,System.__Canon]",
		  "MoveNext", "instance void  ()",
		  "System.Runtime.CompilerServices.AsyncTaskMethodBuilder<int>.AsyncStateMachineBox<__Canon>.MoveNext()" },

		/* What only looks like one of them. */
		{ "Shop.Plain+VB$StateMachine_", "MoveNext", "instance void  ()", "Shop.Plain.VB$StateMachine_.MoveNext()" },
		{ "Shop.Plain+_Closure$__x", "_Lambda$__", "void  ()", "Shop.Plain._Closure$__x._Lambda$__()" },
		{ "Shop.Plain+_Closure$__1-0", ".ctor", "instance void  ()", "Shop.Plain._Closure$__1-0..ctor()" },
		{ "A+b@", "Invoke", "void  ()", "A.b@.Invoke()" },
		{ "A+@1", "Invoke", "void  ()", "A.@1.Invoke()" },
		{ "A+b@-1", "Invoke", "void  ()", "A.b@-1.Invoke()" },
		{ "<StartupCode$Shop", "M", "void  ()", "<StartupCode$Shop.M()" },
		{ "A", "F", "void  (class total@11,value class VB$StateMachine_2_LoadAsync)", "A.F(total@11, LoadAsync)" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		check_parts(cases[i].type, cases[i].method, cases[i].signature, cases[i].display);
}

/* How many parameters a generic method has, as far as its signature tells. */
static void test_generic_methods(void **state)
{
	(void)state;
	check_parts("Shop.Cart", "Spin", "generic int32  (!!0,int32)", "Shop.Cart.Spin<T0>(T0, int)");
	check_parts("Shop.Cart", "Make", "generic !!1  ()", "Shop.Cart.Make<T0, T1>()");
	check_parts("Shop.Cart", "Run", "generic void  ()", "Shop.Cart.Run()");
	check_parts("Shop.Cart", "<Run>g__Local|3_0", "generic void  (!!0)", "Shop.Cart.Run → Local<T0>(T0)");
	check_parts("Shop.Cart", "F", "void  (!!,!!x)", "Shop.Cart.F(!!,!!x)");
	check_perfmap("!!0 [a] B::C(!!0)[QuickJitted]", "B.C<T0>(T0)", "a", NT_TIER_0, NT_CODE_JIT);
	/* As the runtime's own data have it, where the arguments are told. */
	check_perfmap("!!0 [a] B::C[System.Int32](!!0)[OptimizedTier1]", "B.C<int>(int)", "a", NT_TIER_1, NT_CODE_JIT);
	check_perfmap("void [a] B::C[System.__Canon,X.Y`1[System.Byte]](!!1&,!!0[])", "B.C<__Canon, Y<byte>>(ref Y<byte>, __Canon[])", "a",
		      NT_TIER_UNKNOWN, NT_CODE_JIT);
	check_perfmap("void [a] B`1[System.Int32]::<Run>g__Local|3_0[System.String](!0,!!0)", "B<int>.Run → Local<string>(int, string)",
		      "a", NT_TIER_UNKNOWN, NT_CODE_JIT);
	check_perfmap("void [a] B::Run[System.Int32]()", "B.Run<int>()", "a", NT_TIER_UNKNOWN, NT_CODE_JIT);
	/* Names of members have brackets, too. */
	check_perfmap("void [a] B::I<int32[]>.Put(int32)", "B.I<int32[]>.Put(int)", "a", NT_TIER_UNKNOWN, NT_CODE_JIT);
}

static void test_dynamic_methods(void **state)
{
	static const struct {
		const char *name, *event, *map, *of_event, *display; /* of_event NULL: the same */
	} cases[] = {
		{ "lambda_method1", "pMT: 0x7f00,int32", "System.Runtime.CompilerServices.Closure /* MT: 0x7f00 */,int32", NULL,
		  "expression tree lambda_method1(int)" },
		{ "lambda_method2", "pMT: 0x7f00,pMT: 0x7f08,class System.Object[]",
		  "System.Runtime.CompilerServices.Closure /* MT: 0x7f00 */,Shop.Cart /* MT: 0x7f08 */,object[]",
		  "expression tree lambda_method2(?, object[])", "expression tree lambda_method2(Cart, object[])" },
		{ "lambda_methods", "pMT: 0x7f00", "Shop.Cart /* MT: 0x7f00 */", "lambda_methods(?)", "lambda_methods(Cart)" },
		{ "CallSite.Target", "pMT: 0x7f00,pMT: 0x7f08,class System.Object",
		  "System.Runtime.CompilerServices.Closure /* MT: 0x7f00 */,System.Runtime.CompilerServices.CallSite /* MT: 0x7f08 "
		  "*/,object",
		  NULL, "call site(object)" },
		{ "Regex1_TryMatchAtCurrentPosition", "pMT: 0x7f00,pMT: 0x7f08<wchar>",
		  "System.Text.RegularExpressions.RegexRunner /* MT: 0x7f00 */,System.ReadOnlySpan`1 /* MT: 0x7f08 */<char>", NULL,
		  "compiled regex Regex1_TryMatchAtCurrentPosition" },
		{ "RegexOf", "pMT: 0x7f08<wchar>&", "System.ReadOnlySpan`1 /* MT: 0x7f08 */<char>&", "RegexOf(ref ?<char>)",
		  "RegexOf(ref ReadOnlySpan<char>)" },
		{ "ResolveService", "pMT: 0x7f00,pMT: 0x7f08", "A.B /* MT: 0x7f00 */,A.C /* MT: 0x7f08 */", NULL,
		  "DI resolver ResolveService" },
		{ "InvokeStub_Cart.Total", "class System.Object,class System.Object,int*", "object,object,native int*", NULL,
		  "reflection call of Cart.Total" },
		{ "IL_STUB_PInvoke", "class System.String", "string", NULL, "P/Invoke stub(string)" },
		{ "IL_STUB_ReversePInvoke", "int32", "int32", NULL, "reverse P/Invoke stub(int)" },
		{ "IL_STUB_Array_Set", "int32,int32,!0", "int32,int32,!0", NULL, "IL stub Array_Set(int, int, T0)" },
		{ "my dyn(weird)", "pMT: 0x7f00&", "A+B /* MT: 0x7f00 */&", "my dyn(weird)(ref ?)", "my dyn(weird)(ref B)" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char event[256], map[512];
		snprintf(event, sizeof(event), "void  (%s)", cases[i].event);
		snprintf(map, sizeof(map), "void [Anything] dynamicClass::%s(%s)[Optimized]", cases[i].name, cases[i].map);
		check_parts("dynamicClass", cases[i].name, event, cases[i].of_event ? cases[i].of_event : cases[i].display);
		check_perfmap(map, cases[i].display, NT_DYNAMIC_MODULE, NT_TIER_OPTIMIZED, NT_CODE_JIT);
		assert_true(nt_method_name_agrees(cases[i].display, cases[i].of_event ? cases[i].of_event : cases[i].display));
	}
	assert_false(nt_method_name_agrees("A.F(Cart)", "A.F(?, int)"));
	assert_false(nt_method_name_agrees("A.F(Cart, int)", "A.F(?)"));
	assert_false(nt_method_name_agrees("A.F", "A.F(?)"));
	assert_true(nt_dynamic_name_is_own("expression tree lambda_method1(int)"));
	assert_true(nt_dynamic_name_is_own("Shop.Cart.Total()"));
	assert_false(nt_dynamic_name_is_own("P/Invoke stub(string)"));
	assert_false(nt_dynamic_name_is_own("reflection call of Cart.Total"));
}

static void test_what_is_not_understood_stays(void **state)
{
	(void)state;
	check_perfmap("LazyCompile:~main app.js:1", "LazyCompile:~main app.js:1", "", NT_TIER_UNKNOWN, NT_CODE_JIT);
	check_perfmap("void [a] B::C(int32,)[QuickJitted]", "void [a] B::C(int32,)", "a", NT_TIER_0, NT_CODE_JIT);
	check_perfmap("stub", "stub", "", NT_TIER_UNKNOWN, NT_CODE_JIT);
	check_perfmap("stub ", "[stub]", "", NT_TIER_UNKNOWN, NT_CODE_STUB);
	check_perfmap("stub Who", "[stub Who]", "", NT_TIER_UNKNOWN, NT_CODE_STUB);
	check_perfmap("stub<", "[stub]", "", NT_TIER_UNKNOWN, NT_CODE_STUB);
	check_perfmap("stub Who<>", "[stub Who<>]", "", NT_TIER_UNKNOWN, NT_CODE_STUB);
	check_parts("B", "C", "rubbish", "B.C");
	check_parts("", "", "", "");
	check_parts("B`9", "C", "void  ()", "B.C()");
	check_parts("B[", "C", "void  ()", "B[.C()");
}

static void test_nesting_is_bounded(void **state)
{
	(void)state;
	enum { DEPTH = 2000 };
	char signature[DEPTH * 2 + 16] = "void  (";
	for (int i = 0; i < DEPTH; i++)
		strcat(signature, "A<");
	strcat(signature, ")");
	char buf[NT_METHOD_NAME_MAX];
	size_t length = nt_method_name_from_parts(text("T"), text("M"), text(signature), buf, sizeof(buf));
	assert_true(length < sizeof(buf));
	assert_memory_equal(buf, "T.M(A<A<", 8);

	/* An instantiation that refers to itself must not grow. */
	check_parts("T`1[X`2[!0,!0]]", "M", "void  (!0,!0)", "T<X<T0, T0>>.M(X<T0, T0>, X<T0, T0>)");
}

static void test_long_names_are_cut_alike(void **state)
{
	(void)state;
	char type[1100], raw[1400];
	memset(type, 'N', sizeof(type));
	memcpy(type + 1017, "\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc", 10);
	type[sizeof(type) - 1] = '\0';
	snprintf(raw, sizeof(raw), "void [a] %s::M(int32)[Optimized]", type);
	struct nt_perfmap_name name;
	nt_method_name_from_perfmap(text(raw), &name);
	char buf[NT_METHOD_NAME_MAX];
	nt_method_name_from_parts(text(type), text("M"), text("void  (int32)"), buf, sizeof(buf));
	assert_string_equal(name.display, buf);
	assert_int_equal(strlen(buf), 1022); /* not in the middle of a character */
	assert_string_equal(buf + 1022 - strlen(NT_NAME_CUT), NT_NAME_CUT);
}

/* What is too long to be looked at says so, too, also where nothing is understood any more. */
static void test_raw_names_are_cut(void **state)
{
	(void)state;
	static char raw[NT_RAW_NAME_MAX + 100];
	struct nt_perfmap_name name;
	snprintf(raw, sizeof(raw), "void [a] T::M(%0*d)", NT_RAW_NAME_MAX, 0);
	nt_method_name_from_perfmap(text(raw), &name);
	assert_memory_equal(name.display, "void [a] T::M(000", 17);
	assert_string_equal(name.display + name.display_length - strlen(NT_NAME_CUT), NT_NAME_CUT);
	char buf[NT_METHOD_NAME_MAX];
	size_t length = nt_method_name_from_parts(text("T"), text("M"), text(raw), buf, sizeof(buf));
	assert_string_equal(buf, "T.M" NT_NAME_CUT); /* where its arguments begin is said by its end */
	assert_int_equal(length, strlen(buf));
}

/* Names that a decoder could look through again for each of their characters: a map of them would keep nettop busy for hours. */
static void test_hostile_names_take_their_length(void **state)
{
	(void)state;
	static const char hash[] = ".<a>F0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef__";
	static const char *const patterns[] = { ".<",
						"+<>",
						".<a>",
						".<>b__",
						" [",
						"`1",
						"<",
						"[",
						"(",
						"::",
						"!0,",
						"\\",
						"class ",
						"+<x>d",
						hash,
						"!!",
						"a@1",
						"+a@1",
						"+_Closure$__1-0",
						"+VB$StateMachine_1_",
						"<StartupCode$" };
	enum { BYTES = 60000, TIMES = 100 };
	static char raw[2 * BYTES];
	clock_t began = clock();
	for (size_t p = 0; p < sizeof(patterns) / sizeof(*patterns); p++) {
		for (size_t bytes = 4000; bytes <= BYTES; bytes += BYTES - 4000) {
			size_t start = (size_t)snprintf(raw, sizeof(raw), "void [a] "), length = start;
			while (length < bytes)
				length += (size_t)snprintf(raw + length, sizeof(raw) - length, "%s", patterns[p]);
			struct nt_slice type = { raw + start, length - start };
			length += (size_t)snprintf(raw + length, sizeof(raw) - length, "]::M(int32)");
			for (int i = 0; i < TIMES; i++) {
				struct nt_perfmap_name name;
				char buf[NT_METHOD_NAME_MAX];
				nt_method_name_from_perfmap((struct nt_slice){ raw, length }, &name);
				nt_method_name_from_parts(type, type, type, buf, sizeof(buf));
			}
		}
	}
	/* 3000 names twice, each of 4 KB at most: far below a second, and minutes if it were quadratic. */
	assert_true(clock() - began < 5 * CLOCKS_PER_SEC);
}

/* tier, MethodNamespace, MethodName, MethodSignature, perf map name, what is shown: the same code seen both ways in one .NET 10 process. */
static void test_both_ways_give_one_name(void **state)
{
	(void)state;
	FILE *file = fopen("tests/data/method_names/pairs.tsv", "r");
	assert_non_null(file);
	char *line = NULL;
	size_t size = 0;
	unsigned count = 0;
	for (ssize_t length; (length = getline(&line, &size, file)) > 0; count++) {
		line[length - 1] = '\0';
		char *field[6], *rest = line;
		for (int i = 0; i < 6; i++)
			assert_non_null(field[i] = strsep(&rest, "\t"));
		char buf[NT_METHOD_NAME_MAX];
		nt_method_name_from_parts(text(field[1]), text(field[2]), text(field[3]), buf, sizeof(buf));
		struct nt_perfmap_name name;
		nt_method_name_from_perfmap(text(field[4]), &name);
		assert_string_equal(name.display, field[5]);
		assert_true(nt_method_name_agrees(name.display, buf));
		if (strcmp(field[1], "dynamicClass") != 0)
			assert_string_equal(name.display, buf);
		assert_int_equal(name.tier, atoi(field[0]));
		assert_int_equal(name.kind, NT_CODE_JIT);
		assert_true(name.module.length > 0);
	}
	free(line);
	fclose(file);
	assert_true(count > 150);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_display_form),
		cmocka_unit_test(test_perf_map_form),
		cmocka_unit_test(test_compiled_names_are_shown_as_written),
		cmocka_unit_test(test_what_other_compilers_made),
		cmocka_unit_test(test_generic_methods),
		cmocka_unit_test(test_dynamic_methods),
		cmocka_unit_test(test_what_is_not_understood_stays),
		cmocka_unit_test(test_nesting_is_bounded),
		cmocka_unit_test(test_long_names_are_cut_alike),
		cmocka_unit_test(test_raw_names_are_cut),
		cmocka_unit_test(test_hostile_names_take_their_length),
		cmocka_unit_test(test_both_ways_give_one_name),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
