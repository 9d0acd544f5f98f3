/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef NETTOP_DEPLOYMENT_H
#define NETTOP_DEPLOYMENT_H

/* How a program carries its runtime. */
enum nt_deployment {
	NT_DEPLOYED_UNKNOWN,
	NT_DEPLOYED_SHARED,         /* the machine's shared framework */
	NT_DEPLOYED_SELF_CONTAINED, /* libcoreclr.so beside the program */
	NT_DEPLOYED_SINGLE_FILE,    /* the runtime linked into the executable */
	NT_DEPLOYED_NATIVE_AOT,     /* compiled before it was started: neither JIT nor libcoreclr.so */
};

/* shared, self, single, aot; "" when it is not known. */
const char *nt_deployment_name(enum nt_deployment deployment);

#endif
