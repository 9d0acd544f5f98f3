/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The file of settings: $XDG_CONFIG_HOME/nettop/config, else ~/.config/nettop/config. It is read once, when a screen begins, and written when somebody says so. The folder may be a stranger's, and
 * nettop root: then nothing there is read or written. Rights of nettop's own file have no part in it (base/plain_rights.h).
 */
#ifndef NT_APP_SETTINGS_FILE_H
#define NT_APP_SETTINGS_FILE_H

#include "app/settings/settings_text.h"

struct nt_settings_file;

/* Read it, unless it is to be left alone (`off`). Never NULL: where there is none, or none that may be read, the settings are as usual. Free it. */
struct nt_settings_file *nt_settings_file_open(bool off);
void nt_settings_file_free(struct nt_settings_file *file); /* NULL is allowed */

/* What is chosen, as far as is known; changed by whoever knows more. Borrowed from the file. */
struct nt_settings *nt_settings_file_chosen(struct nt_settings_file *file);

/* What could not be taken: lines for people, each with its end; "" = nothing. Borrowed. */
const char *nt_settings_file_problems(const struct nt_settings_file *file);

/* Where it is, or would be; NULL: there is no HOME. Borrowed. */
const char *nt_settings_file_path(const struct nt_settings_file *file);

/* What it had in it when it was read or written last; borrowed. */
const char *nt_settings_file_text(const struct nt_settings_file *file, size_t *length);

/*
 * Keep what is chosen: lines of others stay (app/settings/settings_text.h). NT_AGAIN: somebody changed it since it was read, and the next call writes it all the same. A folder that is missing is made.
 */
enum nt_status nt_settings_file_save(struct nt_settings_file *file, struct nt_error *err);

#endif
