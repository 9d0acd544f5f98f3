/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names that the C# compiler makes for what people wrote without a name, or under another one (Roslyn, GeneratedNames.cs):
 *
 *	<>c, <>c__DisplayClass3_0, <>c__3	closure: the type that holds lambdas and what they capture
 *	<Run>b__3_0, <Run>b__0			lambda of Run; the last number counts those of one closure
 *	<Run>g__Local|3_0			local function
 *	<RunAsync>d__5, <<Run>b__3_0>d		state machine of an async method, an async lambda, an iterator
 *	<Main>$					the statements outside of any method
 *	<File>F0123...ef__Name			type that is visible in one file only
 *
 * The part between < and > is the method in whose body it was written, which can be such a name again.
 */
#ifndef NT_DECODE_COMPILED_NAME_H
#define NT_DECODE_COMPILED_NAME_H

#include "decode/type_text.h"

enum nt_compiled_form {
	NT_COMPILED_NOT, /* a name as it was written */
	NT_COMPILED_CLOSURE,
	NT_COMPILED_LAMBDA,
	NT_COMPILED_LOCAL,
	NT_COMPILED_STATE_MACHINE,
	NT_COMPILED_TOP_LEVEL,
	NT_COMPILED_FILE_TYPE,
};

struct nt_compiled_name {
	enum nt_compiled_form form;
	struct nt_slice owner; /* the part between < and >, borrowed; empty for a closure */
	struct nt_slice name;  /* of a local function or a type of one file, borrowed; else empty */
	unsigned ordinal;      /* of a lambda, from 0 */
};

/* One name: a method's or one part of a type's, without arity (`1). What is of no known form is NT_COMPILED_NOT. */
struct nt_compiled_name nt_compiled_name_read(struct nt_slice name);

/*
 * Length of the `<File>F0123...ef__` that the text begins with, 0 when with none. The name of a file has no angle brackets, so that nothing behind the next one is looked at:
 * whoever asks at each `<` of a text looks at every byte once.
 */
size_t nt_compiled_file_prefix(struct nt_slice text);

/*
 * Write the name as people would say it: `Run → lambda`, `Run → Local`, `RunAsync`. `after_owner` (NULL allowed) is called behind the outermost method's
 * name, where the type arguments of it belong. A name of no known form is written as it is.
 */
void nt_compiled_name_put(struct nt_text_out *out, struct nt_slice name, void (*after_owner)(void *context), void *context);

#endif
