/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers as .NET writes them, for files that its tools write, too. */
#ifndef NT_OUTPUT_DOTNET_NUMBER_H
#define NT_OUTPUT_DOTNET_NUMBER_H

#include <stddef.h>

enum { NT_DOTNET_NUMBER_BYTES = 44 };

/* A finite number with as few digits as tell it from all others, in the invariant culture: 0.1, 1234, 6.25E-06, 1E+15 (Double.ToString). Returns out. */
const char *nt_dotnet_number(double value, char out[NT_DOTNET_NUMBER_BYTES]);

#endif
