// SPDX-License-Identifier: GPL-2.0-only
#include "decode/names/type_text.h"

#include "decode/names/compiled_name.h"

#include <limits.h>
#include <string.h>

enum {
	DEPTH_MAX = 32,       /* nesting of generic arguments; deeper is not written by people */
	SUBSTITUTE_MAX = 1024 /* bytes of a type argument that is put in the place of !n */
};

static void insert_word(struct nt_text_out *out, size_t position, const char *word)
{
	char saved[NT_METHOD_NAME_MAX];
	size_t tail = out->length - position;
	if (tail > sizeof(saved))
		return;
	memcpy(saved, out->buf + position, tail);
	out->length = position;
	nt_text_put_word(out, word);
	nt_text_put(out, saved, tail);
}

bool nt_type_accept(struct nt_type_parser *parser, const char *word)
{
	size_t length = strlen(word);
	if ((size_t)(parser->end - parser->at) < length || memcmp(parser->at, word, length) != 0)
		return false;
	parser->at += length;
	return true;
}

static char peek(const struct nt_type_parser *parser)
{
	return parser->at < parser->end ? *parser->at : '\0';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Step over text up to the bracket that closes the one just stepped over. */
static bool skip_bracketed(struct nt_type_parser *parser, char open, char close)
{
	for (unsigned depth = 1; parser->at < parser->end; parser->at++) {
		if (*parser->at == open)
			depth++;
		else if (*parser->at == close && --depth == 0) {
			parser->at++;
			return true;
		}
	}
	return false;
}

struct keyword {
	const char *spelled, *shown;
	size_t length; /* of spelled */
};

#define KEYWORD(spelled_, shown_)                                                                                                          \
	{                                                                                                                                  \
		spelled_, shown_, sizeof(spelled_) - 1                                                                                     \
	}

/* The runtime's own spellings of types that C# has a word for. Event signatures write `int` for native int. */
static const struct keyword keywords[] = {
	KEYWORD("bool", "bool"),
	KEYWORD("char", "char"),
	KEYWORD("wchar", "char"),
	KEYWORD("int8", "sbyte"),
	KEYWORD("uint8", "byte"),
	KEYWORD("int16", "short"),
	KEYWORD("uint16", "ushort"),
	KEYWORD("int32", "int"),
	KEYWORD("uint32", "uint"),
	KEYWORD("int64", "long"),
	KEYWORD("uint64", "ulong"),
	KEYWORD("float32", "float"),
	KEYWORD("float64", "double"),
	KEYWORD("int", "nint"),
	KEYWORD("uint", "nuint"),
	KEYWORD("refany", "TypedReference"),
	KEYWORD("typedref", "TypedReference"),
	KEYWORD("System.Boolean", "bool"),
	KEYWORD("System.Char", "char"),
	KEYWORD("System.SByte", "sbyte"),
	KEYWORD("System.Byte", "byte"),
	KEYWORD("System.Int16", "short"),
	KEYWORD("System.UInt16", "ushort"),
	KEYWORD("System.Int32", "int"),
	KEYWORD("System.UInt32", "uint"),
	KEYWORD("System.Int64", "long"),
	KEYWORD("System.UInt64", "ulong"),
	KEYWORD("System.Single", "float"),
	KEYWORD("System.Double", "double"),
	KEYWORD("System.IntPtr", "nint"),
	KEYWORD("System.UIntPtr", "nuint"),
	KEYWORD("System.Object", "object"),
	KEYWORD("System.String", "string"),
	KEYWORD("System.Decimal", "decimal"),
	KEYWORD("System.Void", "void"),
};
#undef KEYWORD

static const char *keyword_for(const char *text, size_t length)
{
	for (size_t i = 0; i < sizeof(keywords) / sizeof(*keywords); i++)
		if (keywords[i].length == length && memcmp(keywords[i].spelled, text, length) == 0)
			return keywords[i].shown;
	return NULL;
}

const char *nt_type_keyword(struct nt_slice full)
{
	return keyword_for(full.text, full.length);
}

/* A table: it is asked for each character of each name. */
static bool ends_name(char c)
{
	static const bool ends[UCHAR_MAX + 1] = { ['\0'] = true, [','] = true, [')'] = true, ['>'] = true, ['&'] = true, ['*'] = true,
						  ['['] = true,  [']'] = true, ['('] = true, [' '] = true, ['<'] = true };
	return ends[(unsigned char)c];
}

/*
 * Step over a type's full name; *last becomes its last part without namespace, enclosing types and arity. Event signatures know only that part
 * of a nested type, so nothing else can be shown. A compiler-made name may begin with `<...>`.
 */
static bool read_name(struct nt_type_parser *parser, struct nt_slice *full, struct nt_slice *last)
{
	const char *start = parser->at, *part = start, *part_end = NULL;
	while (parser->at < parser->end) {
		char c = *parser->at;
		if (c == '<' && parser->at == part) {
			parser->at++;
			if (!skip_bracketed(parser, '<', '>'))
				return false;
			continue;
		}
		if (ends_name(c))
			break;
		parser->at++;
		if (c == '.' || c == '/' || c == '+') {
			part = parser->at;
			part_end = NULL;
		} else if (c == '`') {
			part_end = parser->at - 1;
		}
	}
	if (!part_end)
		part_end = parser->at;
	*full = (struct nt_slice){ start, (size_t)(parser->at - start) };
	*last = (struct nt_slice){ part, (size_t)(part_end - part) };
	return last->length > 0;
}

static bool arguments_follow(const struct nt_type_parser *parser)
{
	char c = peek(parser);
	if (c == '<')
		return true;
	if (c != '[' || parser->end - parser->at < 2)
		return false;
	char next = parser->at[1]; /* [] [,] [0...,0...] are arrays */
	return next != ']' && next != ',' && next != '*' && !is_digit(next);
}

static bool parse_arguments(struct nt_type_parser *parser)
{
	if (!arguments_follow(parser))
		return true;
	char close = *parser->at++ == '<' ? '>' : ']';
	nt_text_put_word(parser->out, "<");
	if (!nt_type_parse_list(parser, close))
		return false;
	nt_text_put_word(parser->out, ">");
	return true;
}

/*
 * A type by name. In the signatures of dynamic methods events have an address in the place of the name (`pMT: 0x7f00`), which is shown as `?`, and perf maps a name with
 * the address as a comment.
 */
static bool parse_named(struct nt_type_parser *parser)
{
	if (nt_type_accept(parser, "...")) {
		nt_text_put_word(parser->out, "...");
		return true;
	}
	if (nt_type_accept(parser, "[") && !skip_bracketed(parser, '[', ']'))
		return false;
	struct nt_slice full, last;
	if (!read_name(parser, &full, &last))
		return false;
	const char *shown = keyword_for(full.text, full.length);
	if (nt_type_accept(parser, " /* MT: ")) {
		while (parser->at < parser->end && *parser->at != '/')
			parser->at++;
		if (!nt_type_accept(parser, "/"))
			return false;
	}
	if (full.length == 4 && memcmp(full.text, "pMT:", 4) == 0 && nt_type_accept(parser, " ")) {
		while (!ends_name(peek(parser)))
			parser->at++;
		nt_text_put_word(parser->out, "?");
	} else if (shown) {
		nt_text_put_word(parser->out, shown);
	} else {
		nt_compiled_name_put(parser->out, last, NULL);
	}
	return parse_arguments(parser);
}

static bool put_argument(struct nt_type_parser *parser, struct nt_slice argument)
{
	struct nt_type_parser inner = { .out = parser->out, .depth = parser->depth, .substituting = true };
	inner.at = argument.text;
	inner.end = inner.at + argument.length;
	return nt_type_parse(&inner) && inner.at == inner.end;
}

/* !0: argument of the type, put in its place; !!0: argument of the method, which only the runtime's own data tell (else it stays T0). */
static bool parse_variable(struct nt_type_parser *parser)
{
	bool of_method = nt_type_accept(parser, "!");
	const char *digits = parser->at;
	unsigned index = 0;
	while (is_digit(peek(parser)) && parser->at - digits < 4)
		index = index * 10 + (unsigned)(*parser->at++ - '0');
	if (parser->at == digits)
		return false;
	const struct nt_slice *args = of_method ? parser->method_args : parser->args;
	unsigned count = of_method ? parser->method_arg_count : parser->arg_count;
	if (!parser->substituting && index < count && args[index].length <= SUBSTITUTE_MAX)
		return put_argument(parser, args[index]);
	nt_text_put_word(parser->out, "T");
	nt_text_put(parser->out, digits, (size_t)(parser->at - digits));
	return true;
}

/* `fnptr RET(ARGS)` in events, `method RET *(ARGS)` in perf maps, both with calling conventions that the other one lacks. */
static bool parse_function_pointer(struct nt_type_parser *parser)
{
	static const char *const conventions[] = { "unmanaged ", "cdecl ", "stdcall ", "thiscall ", "fastcall ", "vararg " };
	for (size_t i = 0; i < sizeof(conventions) / sizeof(*conventions); i++)
		nt_type_accept(parser, conventions[i]);
	nt_text_put_word(parser->out, "fnptr ");
	if (!nt_type_parse(parser))
		return false;
	nt_type_accept(parser, " *");
	if (!nt_type_accept(parser, "("))
		return false;
	nt_text_put_word(parser->out, "(");
	if (!nt_type_parse_list(parser, ')'))
		return false;
	nt_text_put_word(parser->out, ")");
	return true;
}

static bool skip_prefixes(struct nt_type_parser *parser)
{
	for (;;) {
		if (nt_type_accept(parser, "required_modifier ") || nt_type_accept(parser, "optional_modifier ")) {
			struct nt_slice full, last;
			if (!read_name(parser, &full, &last) || !nt_type_accept(parser, " "))
				return false;
		} else if (!nt_type_accept(parser, "class ") && !nt_type_accept(parser, "valuetype ") &&
			   !nt_type_accept(parser, "value class ") && !nt_type_accept(parser, "pinned ")) {
			return true;
		}
	}
}

static bool parse_core(struct nt_type_parser *parser)
{
	if (nt_type_accept(parser, "fnptr ") || nt_type_accept(parser, "method "))
		return parse_function_pointer(parser);
	if (nt_type_accept(parser, "!"))
		return parse_variable(parser);
	if (nt_type_accept(parser, "native uint") || nt_type_accept(parser, "native unsigned int")) {
		nt_text_put_word(parser->out, "nuint");
		return true;
	}
	if (nt_type_accept(parser, "native int")) {
		nt_text_put_word(parser->out, "nint");
		return true;
	}
	if (nt_type_accept(parser, "unsigned int")) {
		/* unsigned int8, int16 ... and alone: native */
		char spelled[8] = "uint";
		for (size_t n = 4; is_digit(peek(parser)) && n < sizeof(spelled) - 1; n++)
			spelled[n] = *parser->at++;
		const char *shown = keyword_for(spelled, strlen(spelled));
		nt_text_put_word(parser->out, shown ? shown : spelled);
		return true;
	}
	return parse_named(parser);
}

/* [] [,] [0...,0...]; what follows a type and is no list of arguments. */
static bool parse_array(struct nt_type_parser *parser)
{
	nt_text_put_word(parser->out, "[");
	for (;;) {
		char c = peek(parser);
		if (c == '\0')
			return false;
		parser->at++;
		if (c == ']')
			break;
		if (c == ',')
			nt_text_put_word(parser->out, ",");
	}
	nt_text_put_word(parser->out, "]");
	return true;
}

bool nt_type_parse(struct nt_type_parser *parser)
{
	if (parser->out->full || parser->depth >= DEPTH_MAX)
		return parser->out->full;
	parser->depth++;
	size_t start = parser->out->length;
	bool ok = skip_prefixes(parser) && parse_core(parser);
	while (ok && !parser->out->full) {
		if (nt_type_accept(parser, "*"))
			nt_text_put_word(parser->out, "*");
		else if (nt_type_accept(parser, "&"))
			insert_word(parser->out, start, "ref ");
		else if (nt_type_accept(parser, "["))
			ok = parse_array(parser);
		else if (nt_type_accept(parser, " modreq(") || nt_type_accept(parser, " modopt("))
			ok = skip_bracketed(parser, '(', ')');
		else
			break;
	}
	parser->depth--;
	return ok;
}

bool nt_type_parse_list(struct nt_type_parser *parser, char close)
{
	for (bool first = true; !parser->out->full; first = false) {
		if (peek(parser) == close) {
			parser->at++;
			return true;
		}
		if (!first) {
			if (!nt_type_accept(parser, ","))
				return false;
			nt_text_put_word(parser->out, ", ");
		}
		if (!nt_type_parse(parser))
			return false;
	}
	return true; /* full: the rest would not be seen */
}

/* `System.Collections.Generic.IEnumerator<System.Int32>.get_Current`: where the dot before the member is, and where the last part of the interface begins. */
static bool split_member(struct nt_slice name, size_t *interface, size_t *member)
{
	unsigned depth = 0;
	*interface = *member = 0;
	for (size_t i = 0; i < name.length; i++) {
		char c = name.text[i];
		if (c == '<')
			depth++;
		else if (c == '>' && depth)
			depth--;
		else if (c == '.' && !depth && i) {
			*interface = *member ? *member + 1 : 0;
			*member = i;
		}
	}
	return *member > 0;
}

void nt_type_put_member(struct nt_text_out *out, struct nt_slice name)
{
	size_t interface, member;
	if (split_member(name, &interface, &member)) {
		const struct nt_text_out before = *out;
		struct nt_type_parser parser = { .at = name.text + interface, .end = name.text + member, .out = out };
		if (nt_type_parse(&parser) && parser.at == parser.end) {
			nt_text_put(out, name.text + member, name.length - member);
			return;
		}
		*out = before;
	}
	nt_text_put(out, name.text, name.length);
}
