// SPDX-License-Identifier: GPL-2.0-only
#include "decode/names/dynamic_name.h"

#include <string.h>

enum kept {
	ARGS_ALL,
	ARGS_BEHIND_OWN, /* but those of the maker's types */
	ARGS_NONE,
};

/*
 * What the names begin with, and what they are shown as. LambdaCompiler, RegexCompiler, CallSiteBinder and ILEmitResolverBuilder of the libraries; MethodInvoker and ILStubCache of the runtime.
 */
static const struct kind {
	const char *start, *shown;
	bool whole; /* the name is nothing else */
	bool named; /* what is behind `start` follows; else all of the name, unless it is whole */
	enum kept args;
	bool own; /* the program's own work, as what it wrote; else code of the runtime and its libraries on the way to that */
} kinds[] = {
	{ "lambda_method", "expression tree ", false, false, ARGS_BEHIND_OWN, true },
	{ "CallSite.Target", "call site", true, false, ARGS_BEHIND_OWN, false },
	{ "Regex", "compiled regex ", false, false, ARGS_NONE, false },
	{ "ResolveService", "DI resolver ResolveService", true, false, ARGS_NONE, false },
	{ "InvokeStub_", "reflection call of ", false, true, ARGS_NONE, false },
	{ "IL_STUB_PInvoke", "P/Invoke stub", true, false, ARGS_ALL, false },
	{ "IL_STUB_ReversePInvoke", "reverse P/Invoke stub", true, false, ARGS_ALL, false },
	{ "IL_STUB_", "IL stub ", false, true, ARGS_ALL, false },
};

bool nt_dynamic_name_is_own(const char *display)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!kinds[i].own && strncmp(display, kinds[i].shown, strlen(kinds[i].shown)) == 0)
			return false;
	return true;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static size_t digits_of(struct nt_slice text)
{
	size_t count = 0;
	while (count < text.length && is_digit(text.text[count]))
		count++;
	return count;
}

/* `Regex12_Scan`, and not a method that somebody else calls RegexOf(). */
static bool is_of_regex(struct nt_slice rest)
{
	size_t digits = digits_of(rest);
	return digits && digits < rest.length && rest.text[digits] == '_';
}

static const struct kind *kind_of(struct nt_slice name)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		size_t length = strlen(kinds[i].start);
		if (name.length < length || memcmp(name.text, kinds[i].start, length) != 0)
			continue;
		struct nt_slice rest = { name.text + length, name.length - length };
		bool is = kinds[i].whole        ? !rest.length
			  : kinds[i].named      ? rest.length > 0
			  : name.text[0] == 'R' ? is_of_regex(rest)
						: digits_of(rest) == rest.length;
		if (is)
			return &kinds[i];
	}
	return NULL;
}

/* Events have an address for each type but the simplest ones. */
static bool is_own(struct nt_slice arg)
{
	static const char *const own[] = { "pMT: ", "System.Runtime.CompilerServices.Closure /*",
					   "System.Runtime.CompilerServices.CallSite /*" };
	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
		if (arg.length >= strlen(own[i]) && memcmp(arg.text, own[i], strlen(own[i])) == 0)
			return true;
	return false;
}

/* `Closure,CallSite,object)` without the first `count`, when they are the maker's own. */
static struct nt_slice behind_own(struct nt_slice args, unsigned count)
{
	size_t at = 0;
	for (; count; count--) {
		if (at >= args.length || !is_own((struct nt_slice){ args.text + at, args.length - at }))
			break;
		while (at < args.length && args.text[at] != ',' && args.text[at] != ')')
			at++;
		at += at < args.length && args.text[at] == ',';
	}
	return (struct nt_slice){ args.text + at, args.length - at };
}

void nt_dynamic_name_put(struct nt_text_out *out, struct nt_slice name, struct nt_slice *args)
{
	const struct kind *kind = kind_of(name);
	if (!kind) {
		nt_text_put(out, name.text, name.length);
		return;
	}
	size_t skipped = kind->named ? strlen(kind->start) : 0;
	nt_text_put_word(out, kind->shown);
	if (!kind->whole)
		nt_text_put(out, name.text + skipped, name.length - skipped);
	if (kind->args == ARGS_NONE)
		args->length = 0;
	else if (kind->args == ARGS_BEHIND_OWN)
		*args = behind_own(*args, kind->whole ? 2 : 1);
}
