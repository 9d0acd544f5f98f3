// SPDX-License-Identifier: GPL-2.0-only
#include "app/common/runtime_dir.h"

#include "base/alloc.h"
#include "base/plain_rights.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

enum nt_status nt_runtime_dir_make(char **path, struct nt_error *err)
{
	char template[PATH_MAX];
	const char *base = getenv("TMPDIR");
	if (!base || base[0] != '/')
		base = "/tmp";
	int length = snprintf(template, sizeof(template), "%s/nettop-XXXXXX", base);
	struct nt_plain_rights rights = nt_plain_rights_begin();
	bool made = length < (int)sizeof(template) && mkdtemp(template);
	nt_plain_rights_end(rights);
	if (!made)
		return nt_error_errno(err, NT_ERR_FAILED, errno, "cannot make a folder in %s (set TMPDIR to a writable one)", base);
	*path = nt_strdup(template);
	return NT_OK;
}
