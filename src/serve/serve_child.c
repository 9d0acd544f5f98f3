// SPDX-License-Identifier: GPL-2.0-only
#include "serve/serve_child.h"

#include "base/hash.h"
#include "source/decoder/decoder_confined.h"
#include "source/decoder/decoder_process.h"

#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>

enum { AGAIN_MS = 1000 };

int nt_serve_child_begin(const char *name, bool (*load)(void *context), void *context)
{
	prctl(PR_SET_NAME, name);
	signal(SIGPIPE, SIG_IGN);
	nt_hash_choose_secret();
	if (!nt_decoder_give_up(NT_DECODER_FD + 1))
		return 1;
	return load(context) ? 0 : NT_SERVE_NO_LIBRARY;
}

enum nt_status nt_serve_child_start(struct nt_serve_child *child, struct nt_error *err)
{
	int errnum = nt_decoder_child_start(&child->child, child->word);
	return errnum ? nt_error_errno(err, NT_ERR_FAILED, errnum, "cannot start the process that %s", child->does) : NT_OK;
}

/* Returns how it ended, as waitpid() says it. */
static int collect(struct nt_serve_child *child)
{
	pid_t left;
	child->cpu_ns += nt_decoder_child_cpu_ns(&child->child);
	return nt_decoder_child_end(&child->child, &left);
}

void nt_serve_child_end(struct nt_serve_child *child)
{
	if (nt_serve_child_is_there(child))
		collect(child);
}

enum nt_status nt_serve_child_lost(struct nt_serve_child *child, nt_time now, struct nt_error *err)
{
	int how = collect(child);
	child->end_count++;
	child->again = now + AGAIN_MS * NT_NS_PER_MS;
	if (how != -1 && WIFEXITED(how) && WEXITSTATUS(how) == NT_SERVE_NO_LIBRARY)
		return nt_error_set(err, NT_ERR_UNSUPPORTED, "the process that %s cannot load %s", child->does, child->library);
	if (how != -1 && WIFSIGNALED(how))
		return nt_error_set(err, NT_AGAIN, "the process that %s was ended by signal %d (%s); it is started again", child->does,
				    WTERMSIG(how), strsignal(WTERMSIG(how)));
	return nt_error_set(err, NT_AGAIN, "the process that %s has ended; it is started again", child->does);
}

uint64_t nt_serve_child_cpu_ns(const struct nt_serve_child *child)
{
	return child->cpu_ns + (nt_serve_child_is_there(child) ? nt_decoder_child_cpu_ns(&child->child) : 0);
}
