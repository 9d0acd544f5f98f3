/* SPDX-License-Identifier: GPL-2.0-only */
/* What the runtime calls a module, from the path of its file. */
#ifndef NT_DECODE_MODULE_NAME_H
#define NT_DECODE_MODULE_NAME_H

#include "decode/names/method_name.h"

/* /app/Shop.Web.dll: Shop.Web, as the perf map calls it. Part of `path`, which has no NUL; empty for a path that ends with a slash. */
struct nt_slice nt_module_name_of(const char *path, size_t length);

#endif
