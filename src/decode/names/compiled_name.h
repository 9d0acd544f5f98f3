/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names that compilers make for what people wrote without a name, or under another one. C# (Roslyn, GeneratedNames.cs):
 *
 *	<>c, <>c__DisplayClass3_0, <>c__3	closure: the type that holds lambdas and what they capture
 *	<Run>b__3_0, <Run>b__0			lambda of Run; the last number counts those of one closure
 *	<Run>g__Local|3_0			local function
 *	<RunAsync>d__5, <<Run>b__3_0>d		state machine of an async method, an async lambda, an iterator
 *	<Main>$					the statements outside of any method
 *	<File>F0123...ef__Name			type that is visible in one file only
 *
 * The part between < and > is the method in whose body it was written, which can be such a name again. Visual Basic (GeneratedNames.vb), which numbers methods in place of naming them:
 *
 *	_Closure$__, _Closure$__3-0		closure; the first number is the method's in its type
 *	_Lambda$__3-1, _Lambda$__1		lambda, the second of method 3; the other form in closures that have the first number. R before it: one that converts what is given to another
 *	VB$StateMachine_5_RunAsync		state machine; of a lambda VB$StateMachine___Lambda$__3-1
 *
 * and F#, which tells the line:
 *
 *	total@11, total@11-1			type of a closure, a sequence, a task, an object expression in line 11, within `total` or called so; the second one there
 *	loop@49					local function
 */
#ifndef NT_DECODE_COMPILED_NAME_H
#define NT_DECODE_COMPILED_NAME_H

#include "decode/names/method_name.h"
#include "decode/names/text_out.h"

enum nt_compiled_form {
	NT_COMPILED_NOT, /* a name as it was written */
	NT_COMPILED_CLOSURE,
	NT_COMPILED_LAMBDA,
	NT_COMPILED_LOCAL,
	NT_COMPILED_STATE_MACHINE,
	NT_COMPILED_TOP_LEVEL,
	NT_COMPILED_FILE_TYPE,
	NT_COMPILED_VB_LAMBDA,
	NT_COMPILED_FS_LINE, /* of F#: what it is, only its methods tell */
};

struct nt_compiled_name {
	enum nt_compiled_form form;
	struct nt_slice owner; /* the part between < and >, borrowed; empty for a closure; of F# what stands before the @ */
	struct nt_slice
		name;     /* of a local function or a type of one file, borrowed; of VB and F# what they number: 3-1, @11-1; else empty */
	unsigned ordinal; /* of a lambda, from 0 */
};

/* One name: a method's or one part of a type's, without arity (`1). What is of no known form is NT_COMPILED_NOT. */
struct nt_compiled_name nt_compiled_name_read(struct nt_slice name);

/*
 * Length of the `<File>F0123...ef__` that the text begins with, 0 when with none. The name of a file has no angle brackets, so that nothing behind the next one is looked at:
 * whoever asks at each `<` of a text looks at every byte once.
 */
size_t nt_compiled_file_prefix(struct nt_slice text);

/* What is around a name that is written. */
struct nt_compiled_place {
	void (*after_owner)(
		void *context); /* called behind the outermost method's name, where the type arguments of it belong; NULL allowed */
	void *context;
	struct nt_slice vb_method; /* the number of the method whose closure it is in; may be empty */
};

/*
 * Write the name as people would say it: `Run → lambda`, `Run → Local`, `RunAsync`. Of one that tells no method, the dot that was written before it becomes ` → `.
 * A name of no known form is written as it is. `place` is NULL for the name of a type that is no method's.
 */
void nt_compiled_name_put(struct nt_text_out *out, struct nt_slice name, const struct nt_compiled_place *place);

/* A name that the compiler has made into a part of a type's: in it `-` stands for the dots of an explicit implementation, and the runtime writes `\` before what has a meaning there. */
void nt_compiled_name_put_in_type(struct nt_text_out *out, struct nt_slice name);

#endif
