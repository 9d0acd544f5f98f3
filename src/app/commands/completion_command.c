// SPDX-License-Identifier: GPL-2.0-only
#include "app/commands/completion_command.h"

#include "app/commands/completion.h"
#include "app/common/exit.h"
#include "source/processes/process_scan.h"

#include <string.h>

/* Each asks nettop, with the words of the line: what there is said once, there, holds in every shell. */
static const struct {
	const char *shell, *script;
} scripts[] = {
	{ "bash", "# nettop in bash: eval \"$(nettop completion bash)\"\n"
		  "_nettop() {\n"
		  "\tlocal line\n"
		  "\tCOMPREPLY=()\n"
		  "\twhile IFS= read -r line; do\n"
		  "\t\tcase $line in\n"
		  "\t\t:files) compopt -o default ;;\n"
		  "\t\t:folders) compopt -o dirnames ;;\n"
		  "\t\t:commands) COMPREPLY+=($(compgen -c -- \"${COMP_WORDS[COMP_CWORD]}\")); compopt -o default ;;\n"
		  "\t\t*) COMPREPLY+=(\"${line%%$'\\t'*}\") ;;\n"
		  "\t\tesac\n"
		  "\tdone < <(\"${COMP_WORDS[0]}\" completion line \"${COMP_WORDS[@]:1:COMP_CWORD}\" 2>/dev/null)\n"
		  "}\n"
		  "complete -F _nettop nettop\n" },
	{ "zsh", "#compdef nettop\n"
		 "# nettop in zsh: eval \"$(nettop completion zsh)\", or this file as _nettop in a folder of $fpath\n"
		 "_nettop() {\n"
		 "\tlocal -a found\n"
		 "\tlocal line rest=\n"
		 "\twhile IFS= read -r line; do\n"
		 "\t\tcase $line in\n"
		 "\t\t:*) rest=$line ;;\n"
		 "\t\t*) found+=(\"${${line%%$'\\t'*}//:/\\\\:}:${line#*$'\\t'}\") ;;\n"
		 "\t\tesac\n"
		 "\tdone < <(\"${words[1]}\" completion line \"${(@)words[2,CURRENT]}\" 2>/dev/null)\n"
		 "\t(( $#found )) && _describe -V nettop found\n"
		 "\tcase $rest in\n"
		 "\t:files) _files ;;\n"
		 "\t:folders) _files -/ ;;\n"
		 "\t:commands) _command_names -e; _files ;;\n"
		 "\tesac\n"
		 "}\n"
		 "if [[ ${funcstack[1]} == _nettop ]]; then _nettop \"$@\"; else compdef _nettop nettop; fi\n" },
	{ "fish", "# nettop in fish: nettop completion fish | source\n"
		  "function __nettop_complete\n"
		  "\tset -l words (commandline -opc) (commandline -ct)\n"
		  "\tfor line in ($words[1] completion line $words[2..] 2>/dev/null)\n"
		  "\t\tswitch $line\n"
		  "\t\t\tcase ':files'\n"
		  "\t\t\t\t__fish_complete_path (commandline -ct)\n"
		  "\t\t\tcase ':folders'\n"
		  "\t\t\t\t__fish_complete_directories (commandline -ct)\n"
		  "\t\t\tcase ':commands'\n"
		  "\t\t\t\t__fish_complete_command\n"
		  "\t\t\t\t__fish_complete_path (commandline -ct)\n"
		  "\t\t\tcase '*'\n"
		  "\t\t\t\techo $line\n"
		  "\t\tend\n"
		  "\tend\n"
		  "end\n"
		  "complete -c nettop -f -a '(__nettop_complete)'\n" },
};

/* One look: shares of CPU, for which it takes two, are not asked for. */
static size_t look(void *context, const struct nt_process_row **rows)
{
	struct nt_process_scan_result result;
	struct nt_error err;
	if (nt_process_scan_look(context, &result, &err) != NT_OK)
		return 0;
	*rows = result.rows;
	return result.count;
}

static void answer(char *const *words)
{
	struct nt_process_scan *scan = nt_process_scan_new("/proc", 0, false, NULL);
	const struct nt_completion_processes processes = { .rows = look, .context = scan };
	nt_completion_write(words, &processes, stdout);
	nt_process_scan_free(scan);
}

int nt_completion_print(char *const *words, struct nt_error *err)
{
	for (size_t i = 0; words[0] && !words[1] && i < sizeof(scripts) / sizeof(scripts[0]); i++)
		if (strcmp(words[0], scripts[i].shell) == 0) {
			fputs(scripts[i].script, stdout);
			return NT_EXIT_OK;
		}
	if (words[0] && strcmp(words[0], "line") == 0) {
		answer(words + 1);
		return NT_EXIT_OK;
	}
	return nt_exit_of(nt_error_set(err, NT_ERR_USAGE, "for which shell? Say nettop completion bash, zsh or fish"));
}
