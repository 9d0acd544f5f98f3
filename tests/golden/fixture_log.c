// SPDX-License-Identifier: GPL-2.0-only
/* What was said: by nettop, and by a program that colours its output and then goes wrong. */
#include "fixture.h"

#include <string.h>

struct nt_log *fixture_log(void)
{
	static const struct {
		unsigned s;
		enum nt_log_kind kind;
		const char *text;
	} lines[] = {
		{ 250, NT_LOG_NETTOP, "DOTNET_PerfMapEnabled=0 was set by you and stays: no names of compiled methods" },
		{ 251, NT_LOG_OUTPUT, "\033[32minfo\033[39m: Microsoft.Hosting.Lifetime[14]" },
		{ 251, NT_LOG_OUTPUT, "      Now listening on: http://localhost:5000" },
		{ 252, NT_LOG_OUTPUT, "" },
		{ 252, NT_LOG_OUTPUT, "日本語\tcolumn\tcolumn" },
		{ 260, NT_LOG_ERROR, "Unhandled exception. System.InvalidOperationException: Sequence contains no elements" },
		{ 260, NT_LOG_ERROR, "   at System.Linq.ThrowHelper.ThrowNoElementsException()" },
		{ 260, NT_LOG_ERROR,
		  "   at Shop.Search.Index.Score(ReadOnlySpan`1 terms, Int32 limit) in /src/Shop.Web/Search/Index.cs:line 112" },
		{ 261, NT_LOG_ERROR, "\033]0;owned\a\033[2J\b\xff\xe2\x80\xae" },
		{ 262, NT_LOG_NETTOP, "The program has ended: killed by SIGABRT" },
	};
	struct nt_log *log = nt_log_new();
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		nt_log_add(log, FIXTURE_START + lines[i].s * NT_NS_PER_S, lines[i].kind, lines[i].text, strlen(lines[i].text));
	return log;
}
