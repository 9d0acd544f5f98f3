/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A method's type, `Namespace.Outer`1+Inner`1[A,B]`, as people write it: Namespace.Outer<A>.Inner<B>. The types that the compiler put into theirs, closures and state
 * machines, are told apart from them, as what people wrote is a method there.
 */
#ifndef NT_DECODE_TYPE_PATH_H
#define NT_DECODE_TYPE_PATH_H

#include "decode/names/compiled_name.h"
#include "decode/names/type_text.h"

/* Zero it but for `parser`. */
struct nt_type_path {
	struct nt_type_parser *parser; /* borrowed; where the text goes, and the type's arguments */
	unsigned next;                 /* of the arguments */
	struct nt_slice shown;         /* the types that people wrote, */
	struct nt_slice hidden;        /* and those that the compiler put into them; may be empty */
	struct nt_slice inmost;        /* the last of the hidden ones, without arity, */
	struct nt_slice vb_method;     /* the number of the method whose closure is among them; may be empty */
	enum nt_compiled_form form;    /* and what it is; NT_COMPILED_NOT = none is hidden */
	bool failed;                   /* an argument was not understood */
};

/* Where the `[` is at which the instantiation of a type or method begins; the length of the text when it has none. */
size_t nt_type_instantiation_at(struct nt_slice type);

/* Split an instantiation, `[A,B[C,D]]`, into args[*count..). False: it is not of that form, or has more arguments than there is room for; *count is then undefined. */
bool nt_type_split_arguments(struct nt_slice text, struct nt_slice args[NT_TYPE_ARGS_MAX], unsigned *count);

/* Write <A, B>. False: one of them is not understood; what was written is to be discarded. */
bool nt_type_put_arguments(struct nt_text_out *out, const struct nt_slice *args, unsigned count);

/* False: not understood. An empty type is allowed. */
bool nt_type_path_read(struct nt_type_path *path, struct nt_slice type);

/* What stands before the name of the outermost type: `Namespace.Part`. Empty: it is in no namespace. Borrowed from `type`, which may be of any form. */
struct nt_slice nt_type_path_namespace(struct nt_slice type);

/* Hide nothing. */
void nt_type_path_show_all(struct nt_type_path *path);

/* Write the shown ones with their arguments and a dot, when there are any. False: not understood. */
bool nt_type_path_put(struct nt_type_path *path);

/* Write the arguments of the hidden ones: a struct nt_type_path, as a struct nt_compiled_place has it. Errors set `failed`. */
void nt_type_path_put_rest(void *path);

/*
 * Of an `AsyncStateMachineBox`, in which the runtime keeps what an async method has while it waits, the type of the state machine. NULL text: it is none, or of a machine that is
 * not told (a class, as in Debug builds, is `__Canon`).
 */
struct nt_slice nt_type_path_boxed(const struct nt_type_path *path);

/* Write the method of a state machine's type, Namespace.Type.RunAsync. False: it is none; what was written is to be discarded. */
bool nt_type_path_put_machine(struct nt_text_out *out, struct nt_slice type);

#endif
