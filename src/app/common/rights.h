/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What nettop keeps of root's rights. It reads what strangers write, and whoever makes it do something else must not be able to become somebody, mount, kill or change owners by that: so every
 * command gives up, before it looks at any process, what looking does not need. Programs and daemons that are to have their usual rights are forked before, or by the keeper, which keeps all.
 */
#ifndef NT_APP_RIGHTS_H
#define NT_APP_RIGHTS_H

enum nt_rights {
	NT_RIGHTS_READ,  /* /proc, memory, files and ports of processes of others */
	NT_RIGHTS_WATCH, /* and the kernel's samples and names */
	NT_RIGHTS_FILES, /* files that the person names: of root those of everybody, of others no more than they have without nettop */
};

/*
 * For good, for the calling thread and those that it makes: so before there are threads. Also from the bounding set, where that is allowed (SETPCAP), and no ambient ones; no program
 * that is executed gets more (no_new_privs). Limits that only a right of those can raise are raised before. What we do not have we do not get. Ends the program if the kernel refuses.
 */
void nt_rights_drop(enum nt_rights kept);

#endif
