/* SPDX-License-Identifier: GPL-2.0-only */
/* The answer of `nettop symbols` for scripts. */
#ifndef NT_APP_SYMBOLS_JSON_H
#define NT_APP_SYMBOLS_JSON_H

#include <stdio.h>

#include "source/export/symbol_images.h"
#include "source/export/symbol_servers.h"

/* One object, on a line of its own. */
void nt_symbols_print_json(const struct nt_target *target, const struct nt_symbol_servers *servers, const struct nt_symbol_images *images,
			   FILE *out);

#endif
