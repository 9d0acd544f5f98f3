// SPDX-License-Identifier: GPL-2.0-only
#include "serve/listen_address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PORT_MAX = 65535, BACKLOG = 32, HOST_BYTES = INET6_ADDRSTRLEN };

static bool parse_port(const char *text, in_port_t *port)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);
	*port = htons((uint16_t)value);
	return text[strspn(text, "0123456789")] == '\0' && *text && value <= PORT_MAX;
}

/* The part before the port, without the brackets of a v6 address; "" = none. False: it is none, or too long. */
static bool take_host(const char *text, char host[HOST_BYTES], const char **port)
{
	const char *colon = strrchr(text, ':');
	*port = colon ? colon + 1 : text;
	size_t length = colon ? (size_t)(colon - text) : 0;
	bool bracketed = length >= 2 && text[0] == '[' && text[length - 1] == ']';
	if (bracketed) {
		text++;
		length -= 2;
	}
	if (length >= HOST_BYTES || (!bracketed && memchr(text, ':', length)) || (colon && !length))
		return false;
	snprintf(host, HOST_BYTES, "%.*s", (int)length, text);
	return true;
}

enum nt_status nt_listen_parse(const char *text, struct nt_listen_address *out, struct nt_error *err)
{
	char host[HOST_BYTES];
	const char *port_text;
	in_port_t port;
	struct sockaddr_in *v4 = (struct sockaddr_in *)&out->address;
	struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)&out->address;
	*out = (struct nt_listen_address){ 0 };
	if (!take_host(text, host, &port_text) || !parse_port(port_text, &port))
		return nt_error_set(err, NT_ERR_USAGE, "'%s' is no address and port; say --listen " NT_LISTEN_DEFAULT, text);
	if (inet_pton(AF_INET, *host ? host : "127.0.0.1", &v4->sin_addr) == 1) {
		v4->sin_family = AF_INET;
		v4->sin_port = port;
		out->length = sizeof(*v4);
		out->loopback = ntohl(v4->sin_addr.s_addr) >> IN_CLASSA_NSHIFT == IN_LOOPBACKNET;
		return NT_OK;
	}
	if (inet_pton(AF_INET6, host, &v6->sin6_addr) == 1) {
		v6->sin6_family = AF_INET6;
		v6->sin6_port = port;
		out->length = sizeof(*v6);
		out->loopback = IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr);
		return NT_OK;
	}
	return nt_error_set(err, NT_ERR_USAGE, "'%s' is no address: nettop looks up no names; say --listen " NT_LISTEN_DEFAULT, host);
}

enum nt_status nt_listen_open(struct nt_listen_address *address, int *fd, struct nt_error *err)
{
	const int yes = 1;
	char text[NT_LISTEN_TEXT];
	struct sockaddr *socket_address = (struct sockaddr *)&address->address;
	*fd = socket(address->address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (*fd < 0)
		return nt_error_errno(err, NT_ERR_FAILED, errno, "cannot open a socket");
	/* A port that was just served may be served again. */
	setsockopt(*fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
	if (bind(*fd, socket_address, address->length) < 0 || listen(*fd, BACKLOG) < 0 ||
	    getsockname(*fd, socket_address, &address->length) < 0) {
		int errnum = errno;
		close(*fd);
		*fd = -1;
		return nt_error_errno(err, NT_ERR_FAILED, errnum, "cannot listen on %s", nt_listen_text(address, text));
	}
	return NT_OK;
}

const char *nt_listen_text(const struct nt_listen_address *address, char buf[NT_LISTEN_TEXT])
{
	char host[HOST_BYTES] = "";
	const struct sockaddr_in *v4 = (const struct sockaddr_in *)&address->address;
	const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)&address->address;
	bool is_v6 = address->address.ss_family == AF_INET6;
	inet_ntop(address->address.ss_family, is_v6 ? (const void *)&v6->sin6_addr : &v4->sin_addr, host, sizeof(host));
	snprintf(buf, NT_LISTEN_TEXT, is_v6 ? "[%s]:%u" : "%s:%u", host, ntohs(is_v6 ? v6->sin6_port : v4->sin_port));
	return buf;
}
