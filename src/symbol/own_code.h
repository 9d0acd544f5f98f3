/* SPDX-License-Identifier: GPL-2.0-only */
/* Which code is the program's own: what people look for in a call stack. */
#ifndef NT_SYMBOL_OWN_CODE_H
#define NT_SYMBOL_OWN_CODE_H

#include "symbol/method_keys.h"

/*
 * Is this the program's own code? Not the kernel's, not .NET's, not a library of the system's, which are means to an end; nor what the runtime makes to get from one
 * method to another. Pure.
 */
bool nt_key_is_own(const struct nt_key *key);

/* Is this what .NET throws exceptions with, for whoever throws? Pure. */
bool nt_key_throws(const struct nt_key *key);

#endif
