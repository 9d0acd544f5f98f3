/* SPDX-License-Identifier: GPL-2.0-only */
/* `nettop env`: the variables that a .NET program is started with so that nettop sees all of it, as lines for whatever starts it. */
#ifndef NT_APP_ENV_H
#define NT_APP_ENV_H

#include <stdio.h>

#include "app/common/options.h"

/* What is printed. Everything is borrowed. */
struct nt_env_sheet {
	enum nt_env_format format;
	const struct nt_launch_request *request;
	const struct nt_launch *launch;
	const struct nt_target *target; /* whose next start it is; NULL = any program's */
	bool bridge_there;              /* the request's bridge_dir has the bridge, as far as can be seen from here */
};

/* Comments and settings in the form that the format wants. Values have no control characters afterwards: they are escaped. */
void nt_env_print(const struct nt_env_sheet *sheet, FILE *out);

/* The whole command. Returns the exit status. */
int nt_env_run(const struct nt_options *options, struct nt_error *err);

#endif
