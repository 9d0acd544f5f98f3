/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Type names of the runtime, in its three spellings, as C# names: `class [System.Runtime]System.Func`2<int32,!0>` (perf map),
 * `class System.Func`2<int32,!0>` (event signature) and `System.Func`2[System.Int32,System.String]` (instantiation of a type).
 * Used by the decoders of names only.
 */
#ifndef NT_DECODE_TYPE_TEXT_H
#define NT_DECODE_TYPE_TEXT_H

#include "decode/names/method_name.h"
#include "decode/names/text_out.h"

enum { NT_TYPE_ARGS_MAX = 16 };

/* Reads one text from front to back and writes what it understands. */
struct nt_type_parser {
	const char *at, *end;
	struct nt_text_out *out;
	struct nt_slice args[NT_TYPE_ARGS_MAX]; /* what !0, !1 ... stand for: the instantiation of the method's type */
	unsigned arg_count;
	struct nt_slice method_args[NT_TYPE_ARGS_MAX]; /* what !!0, !!1 ... stand for, where it is told */
	unsigned method_arg_count;
	unsigned depth;
	bool substituting; /* inside one of args: these are closed, `!0` in them would refer to itself */
};

/* If the text goes on with `word`, step over it. */
bool nt_type_accept(struct nt_type_parser *parser, const char *word);

/* The word that C# has for a type of this full name; NULL = none. */
const char *nt_type_keyword(struct nt_slice full);

/* One type. False: not understood; what was written so far is to be discarded by the caller. */
bool nt_type_parse(struct nt_type_parser *parser);

/* Types separated by commas up to the character `close`, which is stepped over. An empty list is allowed. */
bool nt_type_parse_list(struct nt_type_parser *parser, char close);

/* The name of a member; of one that implements an interface's explicitly, the interface as it is called in C#: IEnumerator<int>.get_Current. */
void nt_type_put_member(struct nt_text_out *out, struct nt_slice name);

#endif
