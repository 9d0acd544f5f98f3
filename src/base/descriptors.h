/* SPDX-License-Identifier: GPL-2.0-only */
/* How many descriptors this process may have open. */
#ifndef NT_BASE_DESCRIPTORS_H
#define NT_BASE_DESCRIPTORS_H

#include <stddef.h>

/* As many as that, or as many as the hard limit allows: by default it is 1024. */
void nt_descriptors_allow(size_t wanted);

#endif
