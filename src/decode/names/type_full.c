// SPDX-License-Identifier: GPL-2.0-only
#include "decode/names/type_full.h"

#include <ctype.h>
#include <string.h>

enum { DEPTH_MAX = 8 };

static bool put_type(struct nt_text_out *out, struct nt_slice *rest, unsigned depth);

/* The parts of a type's name: Outer`1+Inner. */
struct parts {
	struct nt_slice text;
	struct nt_slice args[NT_TYPE_ARGS_MAX];
	unsigned count, used; /* of args */
};

static void step(struct nt_slice *rest, size_t length)
{
	rest->text += length;
	rest->length -= length;
}

/* What stands for itself is no end of a name: angle brackets that a compiler wrote may have commas between them. */
static size_t name_length(struct nt_slice text)
{
	size_t at = 0;
	unsigned open = 0;
	for (; at < text.length; at++) {
		char c = text.text[at];
		open += c == '<';
		open -= c == '>' && open;
		if (!open && (c == '[' || c == ']' || c == ','))
			break;
	}
	return at;
}

/* An argument: up to a comma or the closing bracket of the list. */
static size_t argument_length(struct nt_slice text)
{
	unsigned open = 0;
	size_t at = 0;
	for (; at < text.length; at++) {
		char c = text.text[at];
		if (!open && (c == ',' || c == ']'))
			break;
		open += c == '[';
		open -= c == ']';
	}
	return at;
}

/* `[A,B]` behind a name, not `[]` or `[,]`. False: there is none, or none that is whole. */
static bool take_arguments(struct nt_slice *rest, struct parts *parts)
{
	struct nt_slice at = *rest;
	if (at.length < 2 || at.text[0] != '[' || at.text[1] == ']' || at.text[1] == ',')
		return false;
	do {
		step(&at, 1);
		if (parts->count == NT_TYPE_ARGS_MAX)
			return false;
		size_t length = argument_length(at);
		parts->args[parts->count++] = (struct nt_slice){ at.text, length };
		step(&at, length);
	} while (at.length && *at.text == ',');
	if (!at.length)
		return false;
	step(&at, 1);
	*rest = at;
	return true;
}

static bool put_arguments(struct nt_text_out *out, struct parts *parts, unsigned count, unsigned depth)
{
	if (!count || count > parts->count - parts->used)
		return !count;
	for (unsigned i = 0; i < count; i++) {
		struct nt_slice argument = parts->args[parts->used++];
		nt_text_put_word(out, i ? ", " : "<");
		if (!put_type(out, &argument, depth + 1) || argument.length)
			return false;
	}
	nt_text_put_word(out, ">");
	return true;
}

/* Number of type arguments behind a ` at the text's begin; *length is that of all of it. */
static unsigned arity_of(struct nt_slice text, size_t *length)
{
	unsigned arity = 0;
	for (*length = 1; *length < text.length && isdigit((unsigned char)text.text[*length]) && *length < 4; ++*length)
		arity = arity * 10 + (unsigned)(text.text[*length] - '0');
	return arity;
}

static bool put_parts(struct nt_text_out *out, struct parts *parts, unsigned depth)
{
	struct nt_slice text = parts->text;
	while (text.length) {
		const char *special = text.text;
		size_t plain = 0, length;
		while (plain < text.length && special[plain] != '`' && special[plain] != '+')
			plain++;
		nt_text_put(out, text.text, plain);
		step(&text, plain);
		if (!text.length)
			break;
		if (*text.text == '+') {
			nt_text_put_word(out, ".");
			step(&text, 1);
			continue;
		}
		unsigned arity = arity_of(text, &length);
		step(&text, length);
		if (parts->count && !put_arguments(out, parts, arity, depth))
			return false;
	}
	/* A nested type whose outer ones are not told has the arguments of all. */
	return put_arguments(out, parts, parts->count - parts->used, depth);
}

static bool put_type(struct nt_text_out *out, struct nt_slice *rest, unsigned depth)
{
	struct parts parts = { .text = { rest->text, name_length(*rest) } };
	if (depth > DEPTH_MAX || !parts.text.length)
		return false;
	step(rest, parts.text.length);
	const char *keyword = nt_type_keyword(parts.text);
	if (keyword) {
		nt_text_put_word(out, keyword);
	} else {
		take_arguments(rest, &parts);
		if (!put_parts(out, &parts, depth))
			return false;
	}
	while (rest->length && *rest->text == '[') {
		size_t rank = 1;
		while (rank < rest->length && rest->text[rank] == ',')
			rank++;
		if (rank == rest->length || rest->text[rank] != ']')
			return false;
		nt_text_put(out, rest->text, rank + 1);
		step(rest, rank + 1);
	}
	return true;
}

size_t nt_type_full_show(struct nt_slice raw, char *buf, size_t size)
{
	struct nt_text_out out = { .buf = buf, .size = size };
	struct nt_slice rest = raw;
	if (!put_type(&out, &rest, 0) || rest.length) {
		out = (struct nt_text_out){ .buf = buf, .size = size };
		nt_text_put(&out, raw.text, raw.length);
	}
	buf[out.length] = '\0';
	return out.length;
}
