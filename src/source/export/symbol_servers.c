// SPDX-License-Identifier: GPL-2.0-only
#include "source/export/symbol_servers.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

static const char *const url_forms[NT_SYMBOL_PROTOCOL_COUNT] = {
	[NT_SYMBOLS_SSQP] = "%s/_.debug/elf-buildid-sym-%s/_.debug",
	[NT_SYMBOLS_DEBUGINFOD] = "%s/buildid/%s/debuginfo",
};

static bool is_url(const char *text)
{
	return strncmp(text, "http://", 7) == 0 || strncmp(text, "https://", 8) == 0;
}

static void add(struct nt_symbol_servers *servers, const char *url, size_t length, unsigned protocols)
{
	while (length && url[length - 1] == '/')
		length--;
	servers->items = nt_grow(servers->items, &servers->capacity, servers->count + 1, sizeof(*servers->items));
	servers->items[servers->count++] = (struct nt_symbol_server){ .url = nt_format("%.*s", (int)length, url), .protocols = protocols };
}

/* URLs between blanks, as debuginfod's own clients read them; theirs may be other things than http, which we do not have. */
static void add_debuginfod(struct nt_symbol_servers *servers, const char *urls)
{
	static const char blanks[] = " \t\n";
	for (urls += strspn(urls, blanks); *urls; urls += strspn(urls, blanks)) {
		size_t length = strcspn(urls, blanks);
		if (is_url(urls))
			add(servers, urls, length, 1u << NT_SYMBOLS_DEBUGINFOD);
		urls += length;
	}
}

enum nt_status nt_symbol_servers_init(struct nt_symbol_servers *servers, const char *given, struct nt_error *err)
{
	*servers = (struct nt_symbol_servers){ .left_bytes = NT_SYMBOL_SERVERS_MOST_BYTES };
	if (given && !is_url(given))
		return nt_error_set(err, NT_ERR_USAGE, "'%s' is no server: give a URL, http://... or https://...", given);
	if (given) {
		add(servers, given, strlen(given), 1u << NT_SYMBOLS_SSQP | 1u << NT_SYMBOLS_DEBUGINFOD);
		return NT_OK;
	}
	const char *urls = getenv("DEBUGINFOD_URLS");
	add(servers, NT_SYMBOL_SERVER_DEFAULT, strlen(NT_SYMBOL_SERVER_DEFAULT), 1u << NT_SYMBOLS_SSQP);
	if (urls)
		add_debuginfod(servers, urls);
	return NT_OK;
}

void nt_symbol_servers_fini(struct nt_symbol_servers *servers)
{
	for (size_t i = 0; i < servers->count; i++)
		free(servers->items[i].url);
	free(servers->items);
	*servers = (struct nt_symbol_servers){ 0 };
}

char *nt_symbol_url(const struct nt_symbol_server *server, enum nt_symbol_protocol protocol, const struct nt_build_id *id)
{
	char text[NT_BUILD_ID_TEXT];
	return nt_format(url_forms[protocol], server->url, nt_build_id_text(id, text));
}
