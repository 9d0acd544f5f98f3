/* SPDX-License-Identifier: GPL-2.0-only */
/* nettop's own version. */
#ifndef NT_APP_VERSION_H
#define NT_APP_VERSION_H

#define NT_VERSION "0.1"

#endif
