// SPDX-License-Identifier: GPL-2.0-only
#include "source/export/symbol_fetch.h"

#include "base/file.h"
#include "base/own_folder.h"
#include "source/decoder/decoder.h"
#include "source/decoder/decoder_process.h"
#include "source/export/http_get.h"
#include "source/image/image_state.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* That of libcoreclr.so has some 100 MB; of a browser's engine, 2 GB. */
#define FILE_LIMIT_BYTES (UINT64_C(4) << 30)

/* Of the disk, this share of what is free stays so: which files are asked for is for the target to say. */
enum { FREE_SHARE = 10 };

/* What is to be fetched, and how much that may be. */
struct wanted {
	const struct nt_build_id *id;
	int fd;
	bool (*cancelled)(void);
	uint64_t limit_bytes;
	const char *limit_is;
};

static void lower(struct wanted *wanted, uint64_t limit_bytes, const char *limit_is)
{
	if (limit_bytes >= wanted->limit_bytes)
		return;
	wanted->limit_bytes = limit_bytes;
	wanted->limit_is = limit_is;
}

/* As large as no debug file is, or what is left for all of them, or what the disk has room for. */
static void set_limit(struct wanted *wanted, const struct nt_symbol_servers *servers)
{
	struct statvfs disk;
	wanted->limit_bytes = FILE_LIMIT_BYTES;
	wanted->limit_is = "which no debug file is";
	lower(wanted, servers->left_bytes, "which is left of what is fetched at once; run nettop symbols again for it");
	if (fstatvfs(wanted->fd, &disk) == 0) {
		uint64_t free_bytes = (uint64_t)disk.f_bavail * disk.f_frsize;
		lower(wanted, free_bytes - free_bytes / FREE_SHARE,
		      "nine tenths of what is free on the disk; name another folder with -o DIR");
	}
}

static void take_state(void *context, const struct nt_decoder_request *request, const struct nt_decoder_reply *reply)
{
	(void)request;
	nt_image_state_take(reply->table->letters, reply->table->letter_count, context);
}

/* What a server sends is a stranger's: it is read by a process without rights, which cannot write it either. */
static bool is_of_build(int fd, const struct nt_build_id *wanted)
{
	struct nt_image_state state = { 0 };
	char place[] = "/"; /* it has no other */
	struct nt_decoder_request request = { .verb = NT_DECODE_STATE, .of = { .inode = 1, .image = place } };
	if (nt_file_open_named(fd, &request.fd) != 0)
		return false;
	struct nt_decoder *decoder = nt_decoder_new(NULL, NULL, NT_DECODER_WORD);
	nt_decoder_ask(decoder, &request, 1, take_state, &state);
	nt_decoder_free(decoder);
	close(request.fd);
	return state.native && state.symbols && nt_build_id_same(&state.build_id, wanted);
}

/* The file, from one URL. */
static enum nt_status get(char *url, const struct wanted *wanted, uint64_t *size, struct nt_error *err)
{
	const struct nt_http_get request = { .url = url,
					     .fd = wanted->fd,
					     .limit_bytes = wanted->limit_bytes,
					     .limit_is = wanted->limit_is,
					     .cancelled = wanted->cancelled };
	enum nt_status status = NT_OK;
	if (ftruncate(wanted->fd, 0) != 0 || lseek(wanted->fd, 0, SEEK_SET) != 0)
		status = nt_error_errno(err, NT_ERR_FAILED, errno, "cannot write what %s sends", url);
	if (status == NT_OK)
		status = nt_http_get(&request, size, err);
	if (status == NT_OK && !is_of_build(wanted->fd, wanted->id))
		status = nt_error_set(err, NT_ERR_MALFORMED, "%s: not kept, it is no debug file of this build", url);
	return status;
}

/* From one server, in each way in which it can be asked. */
static enum nt_status get_from(struct nt_symbol_server *server, const struct wanted *wanted, uint64_t *size, struct nt_error *err)
{
	enum nt_status status = NT_ERR_ABSENT;
	for (int protocol = 0; protocol < NT_SYMBOL_PROTOCOL_COUNT && status == NT_ERR_ABSENT; protocol++) {
		if (!(server->protocols & 1u << protocol))
			continue;
		char *url = nt_symbol_url(server, (enum nt_symbol_protocol)protocol, wanted->id);
		status = get(url, wanted, size, err);
		free(url);
	}
	if (status == NT_ERR_GONE)
		server->failure = *err;
	return status;
}

/* A server that fails does not keep the next from being asked; its failure is told when nobody has the file. */
static enum nt_status get_from_any(struct nt_symbol_servers *servers, const struct wanted *wanted, uint64_t *size, struct nt_error *err)
{
	enum nt_status worst = NT_ERR_ABSENT;
	struct nt_error failure = { 0 };
	for (size_t i = 0; i < servers->count; i++) {
		struct nt_symbol_server *server = &servers->items[i];
		enum nt_status status = server->failure.status;
		if (status == NT_OK)
			status = get_from(server, wanted, size, err);
		else
			*err = server->failure;
		if (status == NT_OK || status == NT_END || status == NT_ERR_UNSUPPORTED)
			return status;
		if (worst == NT_ERR_ABSENT) {
			worst = status;
			failure = *err;
		}
	}
	*err = failure;
	return worst;
}

enum nt_status nt_symbol_fetch(struct nt_symbol_servers *servers, const struct nt_build_id *id, const char *path, bool (*cancelled)(void),
			       uint64_t *size, struct nt_error *err)
{
	const char *name;
	char temporary[NAME_MAX + 1];
	struct wanted wanted = { .id = id, .cancelled = cancelled };
	int folder = nt_own_folder_open(path, true, &name);
	wanted.fd = folder < 0 ? -1 : nt_own_folder_new_file(folder, name, temporary);
	enum nt_status status;
	if (wanted.fd < 0) {
		status = nt_error_errno(err, NT_ERR_FORBIDDEN, errno, "cannot write %s; name another folder with -o DIR", path);
	} else {
		set_limit(&wanted, servers);
		status = get_from_any(servers, &wanted, size, err);
	}
	if (status == NT_OK && !nt_own_folder_keep(folder, wanted.fd, name, temporary))
		status = nt_error_errno(err, NT_ERR_FAILED, errno, "cannot write %s", path);
	if (status == NT_OK)
		servers->left_bytes -= *size;
	if (wanted.fd >= 0) {
		nt_own_folder_discard(folder, temporary);
		close(wanted.fd);
	}
	if (folder >= 0)
		close(folder);
	return status;
}
