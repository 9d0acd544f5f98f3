/* SPDX-License-Identifier: GPL-2.0-only */
/* Bytes for another process of ours, which can read them and change nothing in them. */
#ifndef NT_SERVE_SEALED_TEXT_H
#define NT_SERVE_SEALED_TEXT_H

#include <stddef.h>

/* A descriptor of a copy of them in memory, the caller's; -1: errno. */
int nt_sealed_text(const void *bytes, size_t length);

#endif
