// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/common/last_words.h"

#include <string.h>
#include <uchar.h>

#define BYTES(text) (const uint8_t *)(text), sizeof(text) / 2 - 1

struct example {
	const char16_t *text;
	const char *type, *message, *stack; /* no type: it is refused */
};

#define AT       u"\n   at Shop.Orders.Take(Int32 order) in /src/Orders.cs:line 12\n   at Shop.Program.Main()"
#define AT_LINES "at Shop.Orders.Take(Int32 order) in /src/Orders.cs:line 12\nat Shop.Program.Main()"

/* As .NET 8 to 10 print them. */
static const struct example examples[] = {
	{ u"System.InvalidOperationException: the order 4711 has no customer" AT, "System.InvalidOperationException",
	  "the order 4711 has no customer", AT_LINES },
	{ u"Shop.Silent" AT, "Shop.Silent", NULL, AT_LINES },
	{ u"Shop.Empty: " AT, "Shop.Empty", NULL, AT_LINES },
	{ u"Crash: at the top: no namespace" AT u"\n", "Crash", "at the top: no namespace", AT_LINES },
	{ u"Shop.Orders+Failed`1[System.Int32]: it is\r\nso, and\n   more" AT, "Shop.Orders+Failed`1[System.Int32]",
	  "it is\r\nso, and\n   more", AT_LINES },
	{ u"System.Net.Sockets.SocketException (111): Connection refused" AT, "System.Net.Sockets.SocketException", "Connection refused",
	  AT_LINES },
	{ u"System.ComponentModel.Win32Exception (0x80004005): No" AT, "System.ComponentModel.Win32Exception", "No", AT_LINES },
	{ u"Bücher.Fehler: für 5 €" AT, "Bücher.Fehler", "für 5 €", AT_LINES },
	{ u"A.B: one\n ---> C.D: two\n   at C.F()\n   --- End of inner exception stack trace ---" AT, "A.B", "one",
	  "---> C.D: two\nat C.F()\n--- End of inner exception stack trace ---\n" AT_LINES },
	{ u"the order 4711 has no customer", NULL, NULL, NULL },
	{ u"the order" AT, NULL, NULL, NULL },
	{ u"   at Shop.Orders.Take(Int32 order)\n   at Shop.Program.Main()", NULL, NULL, NULL },
	{ u"System.InvalidOperationException", NULL, NULL, NULL },
	{ u"System.InvalidOperationException: and no stack", NULL, NULL, NULL },
	{ u"System.Net.Sockets.SocketException (111: Connection refused" AT, NULL, NULL, NULL },
	{ u"", NULL, NULL, NULL },
};

static void check_text(const char *seen, const char *expected)
{
	assert_int_equal(seen != NULL, expected != NULL);
	if (expected)
		assert_string_equal(seen, expected);
}

static void the_parts(void **state)
{
	(void)state;
	struct nt_last_words words;
	for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
		const struct example *example = &examples[i];
		size_t units = 0;
		while (example->text[units])
			units++;
		assert_int_equal(nt_last_words_parse((const uint8_t *)example->text, units, true, &words), example->type != NULL);
		if (!example->type)
			continue;
		check_text(words.type, example->type);
		check_text(words.message, example->message);
		check_text(words.stack, example->stack);
	}
}

static void what_is_cut(void **state)
{
	(void)state;
	struct nt_last_words words;
	assert_true(nt_last_words_parse(BYTES(u"System.Exception: a long mes"), false, &words));
	assert_string_equal(words.message, "a long mes");
	assert_null(words.stack);
	assert_false(nt_last_words_parse(BYTES(u"warning: a long mes"), false, &words));
	assert_false(nt_last_words_parse(BYTES(u"System.Excep"), false, &words));
}

static void the_first_words(void **state)
{
	(void)state;
	static const char16_t below[] = u"\x1234\x5678Unhandled exception.\0";
	assert_true(nt_last_words_said((const uint8_t *)below, sizeof(below)));
	assert_false(nt_last_words_said((const uint8_t *)below, 20));
	assert_false(nt_last_words_said((const uint8_t *)u"Process terminated.", 38));
}

static void names_of_exceptions(void **state)
{
	(void)state;
	static const char *const are[] = { "System.InvalidOperationException", "Shop.Orders+TakenException" };
	static const char *const are_not[] = {
		"", "Exception", "InvalidOperationException", "System.Private.CoreLib", "no System.Exception", "System.Exceptions"
	};
	for (size_t i = 0; i < sizeof(are) / sizeof(are[0]); i++)
		assert_true(nt_last_words_is_type(are[i]));
	for (size_t i = 0; i < sizeof(are_not) / sizeof(are_not[0]); i++)
		assert_false(nt_last_words_is_type(are_not[i]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_parts),
		cmocka_unit_test(what_is_cut),
		cmocka_unit_test(the_first_words),
		cmocka_unit_test(names_of_exceptions),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
