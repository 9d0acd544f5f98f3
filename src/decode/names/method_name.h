/* SPDX-License-Identifier: GPL-2.0-only */
/* Room decode/names: names of types and methods as people say them. */
/*
 * Names of managed methods in the form people say them: Namespace.Type.Method(args).
 *
 * The runtime writes them in two ways: as three texts in events (MethodNamespace, MethodName, MethodSignature) and as one text in the perf map.
 * Both give exactly the same display name here, so that a row of the method list is one method whichever way its name came; but for types of dynamic methods. In the display
 * form the return type, `class`/`valuetype`/`instance`, assembly brackets and generic arity (`1) are left out, primitive types have their C# names,
 * argument types lose their namespace, `T&` is `ref T`, a type parameter of the type is replaced by its argument and one of the method is T0, T1.
 * A generic method has as many as its signature tells behind its name: Map<T0, T1>(T0). What they stand for neither way tells; the runtime's own data do, which write a name as a perf map
 * does, and Map[System.Int32,System.String]: Map<int, string>(int).
 * What compilers made of a lambda, a local function, an async method or an iterator is shown as it was written (compiled_name.h): Type.Run → lambda(args),
 * Type.Run → Local(args), async Type.RunAsync, iterator Type.Rows. Overloads of one name are not told apart in these forms; the raw name tells.
 * A dynamic method belongs to no type, and is shown with what it is (dynamic_name.h); the types of its arguments have no name in events, and are `?` then. What cannot be
 * understood is shown as the runtime wrote it, never dropped. A stub is shown by its kind: [stub VSD_ResolveStub].
 */
#ifndef NT_DECODE_METHOD_NAME_H
#define NT_DECODE_METHOD_NAME_H

#include "nettop/event.h"

/* Bytes of a display name with its NUL; longer ones are cut at a character border, both ways alike, and end in NT_NAME_CUT. */
enum { NT_METHOD_NAME_MAX = 1024 };

/* Bytes of a name from outside, or of one of its parts, that are looked at; a name of so many is taken for one that was cut. */
enum { NT_RAW_NAME_MAX = 4096 };

#define NT_NAME_CUT "..."

/* A text that is not NUL-terminated; borrowed. */
struct nt_slice {
	const char *text;
	size_t length;
};

/* What is looked at of a raw name: whoever keeps one keeps no more. */
static inline struct nt_slice nt_method_name_cut(struct nt_slice raw)
{
	return (struct nt_slice){ raw.text, raw.length < NT_RAW_NAME_MAX ? raw.length : NT_RAW_NAME_MAX };
}

/* Write NT_NAME_CUT over the end of text[0..length), at a character border. Returns the new length, not above the old one. length >= 3 bytes. */
size_t nt_method_name_mark_cut(char *text, size_t length);

/* Display name of the event's three texts into buf (NUL-terminated); returns its length. Use NT_METHOD_NAME_MAX for the size. */
size_t nt_method_name_from_parts(struct nt_slice type, struct nt_slice method, struct nt_slice signature, char *buf, size_t size);

/* Is it the same name but for types that an event does not tell? `display` from a perf map, `of_event` from an event. */
bool nt_method_name_agrees(const char *display, const char *of_event);

/* What stands in the place of the assembly of dynamic methods. */
#define NT_DYNAMIC_MODULE "(dynamic)"

/* What one name of a perf map says. */
struct nt_perfmap_name {
	char display[NT_METHOD_NAME_MAX]; /* NUL-terminated */
	size_t display_length;
	struct nt_slice module; /* assembly, borrowed from the input; NT_DYNAMIC_MODULE for dynamic methods; length 0 = not said */
	enum nt_tier tier;      /* UNKNOWN for stubs, precompiled code and where the name has no tier */
	enum nt_code_kind kind; /* NT_CODE_JIT, NT_CODE_STUB or NT_CODE_R2R */
};

/* A method, as the runtime writes its parts. All borrowed from the input. */
struct nt_method_parts {
	struct nt_slice returns; /* ends in the return type */
	struct nt_slice module;  /* the assembly */
	struct nt_slice type, name;
	struct nt_slice
		instance; /* of a generic method, `[System.Int32]`, where the runtime's own data tell it: perf maps and events do not; else empty */
	struct nt_slice args; /* with parentheses */
};

/* The parts of a name of a perf map, with or without tier. False: it is no method's, or of a form that is not known. */
bool nt_method_parts_of(struct nt_slice raw, struct nt_method_parts *out);

/* What the runtime appends to the name of a method of this tier: "[OptimizedTier1]"; "" = nothing is known of it. Of precompiled code "[PreJIT]". */
const char *nt_perfmap_tier_text(enum nt_code_kind kind, enum nt_tier tier);

/* Is the line one of a stub? `raw` as below. */
bool nt_perfmap_is_stub(struct nt_slice raw);

/* Never fails: a name of unknown form becomes its own display name. `raw` is the text after address and size, without newline. */
void nt_method_name_from_perfmap(struct nt_slice raw, struct nt_perfmap_name *out);

#endif
