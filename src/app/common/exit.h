/* SPDX-License-Identifier: GPL-2.0-only */
/* Exit statuses of the program: a contract with scripts. */
#ifndef NT_APP_EXIT_H
#define NT_APP_EXIT_H

#include "nettop/status.h"

enum nt_exit {
	NT_EXIT_OK = 0,
	NT_EXIT_FAILURE = 1,
	NT_EXIT_USAGE = 2,
	NT_EXIT_FORBIDDEN = 3,
	NT_EXIT_TARGET_ENDED = 4,
	NT_EXIT_CONDITION = 5 /* of --on came true, and said exit */
};

static inline int nt_exit_of(enum nt_status status)
{
	switch (status) {
	case NT_ERR_USAGE:
		return NT_EXIT_USAGE;
	case NT_ERR_FORBIDDEN:
	case NT_ERR_UNSUPPORTED:
		return NT_EXIT_FORBIDDEN;
	case NT_ERR_GONE:
		return NT_EXIT_TARGET_ENDED;
	default:
		return status < 0 ? NT_EXIT_FAILURE : NT_EXIT_OK;
	}
}

#endif
