/* SPDX-License-Identifier: GPL-2.0-only */
/* C++ names in the form people write them. */
#ifndef NT_SOURCE_DEMANGLE_H
#define NT_SOURCE_DEMANGLE_H

#include <stddef.h>

/* Bytes that nt_demangle() writes at most, with the NUL. */
enum { NT_DEMANGLE_MAX = 1024 };

/*
 * The demangled form of `name` with its parameters into buf (NUL-terminated, cut with "..." when it is longer), or `name` itself, cut likewise, when it is
 * not a mangled C++ name; of an entry of a procedure linkage table (NAME@plt) the NAME is demangled. Returns buf. Safe for names from outside: the work ends when buf is full.
 */
const char *nt_demangle(const char *name, char buf[NT_DEMANGLE_MAX]);

#endif
