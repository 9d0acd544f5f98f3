/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This nettop as files that run on a machine that has nothing of it: the program, the libraries that its loader has mapped, and the loader, as an archive of tar's (ustar) without folders. Of each what is mapped, and not what
 * is for debuggers. Libraries that are opened only when they are needed are not in it: LTTng's, capstone.
 */
#ifndef NT_APP_SSH_BUNDLE_H
#define NT_APP_SSH_BUNDLE_H

#include "base/text_buffer.h"
#include "nettop/status.h"

enum { NT_SSH_LOADER_NAME = 64 };

/* The archive is the caller's. `loader`: the name of the loader in it. FAILED: one of the files cannot be read. */
enum nt_status nt_ssh_bundle_make(struct nt_text_buffer *archive, char loader[NT_SSH_LOADER_NAME], struct nt_error *err);

#endif
