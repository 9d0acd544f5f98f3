/* SPDX-License-Identifier: GPL-2.0-only */
/* On which side of the pauses for collections something was. */
#ifndef NETTOP_PAUSE_SIDE_H
#define NETTOP_PAUSE_SIDE_H

enum nt_pause_side {
	NT_SIDE_NOT_TOLD, /* of its time not all pauses were told, or events were lost: on neither */
	NT_IN_PAUSES,
	NT_OUTSIDE_PAUSES,
	NT_PAUSE_SIDES
};

#endif
