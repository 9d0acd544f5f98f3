/* SPDX-License-Identifier: GPL-2.0-only */
/* Settings as the text of their file, and back. Pure: no file is touched. What nettop does not know stays in the text: another version's, remarks, what is broken. */
#ifndef NT_APP_SETTINGS_TEXT_H
#define NT_APP_SETTINGS_TEXT_H

#include "base/text_buffer.h"
#include "ui/state/screen_settings.h"

enum { NT_SETTINGS_FILE_MAX = 64 << 10 };

/* Take what the text says. A line that cannot be taken is told, one line each with its end, as `path:number: reason and fix`, and the rest is taken all the same. */
void nt_settings_text_take(const char *path, const char *text, size_t length, struct nt_settings *settings,
			   struct nt_text_buffer *problems);

/*
 * The text with what is set now: a line whose setting has another value gets that, all others stay as they are; what has no line gets one behind them, if it is not as usual.
 * `text` may be empty. Into `out`, which is empty.
 */
void nt_settings_text_write(const char *text, size_t length, const struct nt_settings *settings, struct nt_text_buffer *out);

/* All settings with what they are for and the line that they come from, as a file could have them; what is as usual is a remark. Then the lines that are not known. */
void nt_settings_text_print(const char *path, const char *text, size_t length, FILE *out);

#endif
