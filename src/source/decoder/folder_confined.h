/* SPDX-License-Identifier: GPL-2.0-only */
/* A process gives up, for good, whatever it does not need to read what lies in one folder. */
#ifndef NT_SOURCE_FOLDER_CONFINED_H
#define NT_SOURCE_FOLDER_CONFINED_H

#include "nettop/status.h"

/*
 * As nt_decoder_confine(), for a library that opens files by itself: regular files and folders below `folder` may be read, and nothing else is opened (Landlock). Root stays root by name, with the one capability to read others' files, because nobody could
 * not read the folder. UNSUPPORTED: this kernel has no Landlock. Other errors: it is not to be had here; then nothing may be read.
 */
enum nt_status nt_folder_confine(int folder, unsigned first_closed, struct nt_error *err);

#endif
