// SPDX-License-Identifier: GPL-2.0-only
#include "app/commands/config_command.h"

#include "app/common/exit.h"
#include "app/settings/settings_file.h"

#include <string.h>

int nt_config_print(struct nt_error *err)
{
	struct nt_settings_file *file = nt_settings_file_open(false);
	const char *path = nt_settings_file_path(file), *problems = nt_settings_file_problems(file);
	size_t length;
	const char *text = nt_settings_file_text(file, &length);
	int exit_status = *problems ? NT_EXIT_FAILURE : NT_EXIT_OK;
	fputs(problems, stderr);
	if (path)
		nt_settings_text_print(path, text, length, stdout);
	else
		exit_status = nt_exit_of(nt_error_set(err, NT_ERR_ABSENT, "there is no place for settings: HOME is not set"));
	nt_settings_file_free(file);
	return exit_status;
}
