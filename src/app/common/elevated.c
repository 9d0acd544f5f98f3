// SPDX-License-Identifier: GPL-2.0-only
#include "app/common/elevated.h"

#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

/* What is loaded or written by these is code in a process that has rights, or a file written with them; TERMINFO's is read by a library that is not made for a hostile one. */
static const char *const dangerous[] = {
	"BABELTRACE_PLUGIN_PATH",             /* libbabeltrace2: folders of libraries */
	"LIBBABELTRACE2_PLUGIN_PROVIDER_DIR", /* likewise */
	"BABELTRACE_EXEC_ON_ABORT",
	"SSLKEYLOGFILE", /* libcurl: a file that it appends to */
	"TERMINFO",
	"TERMINFO_DIRS",
	"TERMCAP",
};

enum nt_status nt_elevated_begin(struct nt_error *err)
{
	if (getuid() != geteuid())
		return nt_error_set(
			err, NT_ERR_FORBIDDEN,
			"nettop's file has the set-user-ID bit, for which it is not made: take it away (chmod u-s), and give it "
			"capabilities (README.md, \"Without sudo\") or use sudo");
	for (size_t i = 0; getauxval(AT_SECURE) && i < sizeof(dangerous) / sizeof(dangerous[0]); i++)
		unsetenv(dangerous[i]);
	return NT_OK;
}
