/* SPDX-License-Identifier: GPL-2.0-only */
/* The files of `nettop stacks`: one, or one of each format. */
#ifndef NT_APP_STACKS_FILES_H
#define NT_APP_STACKS_FILES_H

#include "app/common/options.h"

/* Can they be written? For a refusal before minutes of work. */
enum nt_status nt_stacks_files_check(const struct nt_options *options, struct nt_error *err);

/* The first that cannot be written ends it. */
enum nt_status nt_stacks_files_write(const struct nt_options *options, const struct nt_stacks *stacks, struct nt_error *err);

#endif
