/* SPDX-License-Identifier: GPL-2.0 */
/* Which threads are what the user traced: thread.in_session. */
#ifndef ANNOT_MODEL_SESSION_H
#define ANNOT_MODEL_SESSION_H

struct model_builder;

/* Call at the end of the trace, when all threads are known. Also finds the processes of threads that told none. */
void session_find(struct model_builder *builder);

#endif /* ANNOT_MODEL_SESSION_H */
