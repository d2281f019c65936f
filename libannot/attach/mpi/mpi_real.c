// SPDX-License-Identifier: MIT
#include "mpi_real.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

static const char *const library_names[] = { "libmpi.so.40", "libmpich.so.12", "libmpi.so.12" };

static void *find_in_libraries(const char *name)
{
	for (size_t i = 0; i < sizeof(library_names) / sizeof(library_names[0]); i++) {
		void *library = dlopen(library_names[i], RTLD_LAZY | RTLD_NOLOAD);
		void *found = library ? dlsym(library, name) : NULL;

		if (found)
			return found;
	}
	return NULL;
}

void *mpi_real_find(const char *name)
{
	int saved_errno = errno;
	void *found = dlsym(RTLD_NEXT, name);

	if (!found)
		found = find_in_libraries(name);
	errno = saved_errno;
	return found;
}

/* A program may have the variable in itself, as a copy: that of the library is then not in use. */
static void *find_variable(const char *name)
{
	int saved_errno = errno;
	void *found = dlsym(RTLD_DEFAULT, name);

	if (!found)
		found = find_in_libraries(name);
	errno = saved_errno;
	return found;
}

bool mpi_real_is_this_abi(void)
{
	static int known; /* 0: not yet, 1: it is, 2: it is not */
	int state = __atomic_load_n(&known, __ATOMIC_RELAXED);

	if (!state) {
		state = mpi_abi_is_this(find_variable(MPI_WORLD_SYMBOL)) ? 1 : 2;
		__atomic_store_n(&known, state, __ATOMIC_RELAXED);
	}
	return state == 1;
}

mpi_handle mpi_real_world(void)
{
	return mpi_world_of_symbol(find_variable(MPI_WORLD_SYMBOL));
}

bool mpi_real_is_comm(mpi_handle comm)
{
	return comm != mpi_no_comm_of_symbol(find_variable(MPI_NO_COMM_SYMBOL));
}

/* Calls a function of the library; 0: it succeeds. */
#define REAL(name, types, ...)                                                \
	__extension__({                                                       \
		static void *function;                                        \
		void *found = __atomic_load_n(&function, __ATOMIC_RELAXED);   \
                                                                              \
		if (!found) {                                                 \
			found = mpi_real_find("PMPI_" #name);                 \
			__atomic_store_n(&function, found, __ATOMIC_RELAXED); \
		}                                                             \
		found ? ((int(*) types)found)(__VA_ARGS__) : -1;              \
	})

bool mpi_real_has_threads(void)
{
	const int multiple = 3; /* in both ABIs */
	int level;

	return !REAL(Query_thread, (int *), &level) && level == multiple;
}

int mpi_real_rank(mpi_handle comm)
{
	int rank;

	return REAL(Comm_rank, (mpi_handle, int *), comm, &rank) ? -1 : rank;
}

uint64_t mpi_real_type_bytes(mpi_handle type)
{
	int nr_bytes;

	if (REAL(Type_size, (mpi_handle, int *), type, &nr_bytes) || nr_bytes < 0)
		return 0;
	return (uint64_t)nr_bytes;
}

static bool group_of_comm(mpi_handle comm, mpi_handle *group, bool *is_between_groups)
{
	int between_groups = 0;

	REAL(Comm_test_inter, (mpi_handle, int *), comm, &between_groups);
	*is_between_groups = between_groups;
	if (between_groups)
		return !REAL(Comm_remote_group, (mpi_handle, mpi_handle *), comm, group);
	return !REAL(Comm_group, (mpi_handle, mpi_handle *), comm, group);
}

/* NULL: there is no memory. */
static int *translate(mpi_handle group, mpi_handle world_group, int nr)
{
	int *both = calloc(2 * (size_t)nr + 1, sizeof(*both));

	if (!both)
		return NULL;
	for (int i = 0; i < nr; i++)
		both[nr + i] = i;
	if (REAL(Group_translate_ranks, (mpi_handle, int, const int *, mpi_handle, int *), group,
		 nr, both + nr, world_group, both)) {
		free(both);
		return NULL;
	}
	for (int i = 0; i < nr; i++) {
		if (both[i] < 0)
			both[i] = -1;
	}
	return both;
}

int *mpi_real_world_ranks(mpi_handle comm, int *nr, bool *is_between_groups)
{
	mpi_handle group, world_group;
	int *ranks = NULL;

	if (!group_of_comm(comm, &group, is_between_groups))
		return NULL;
	if (!REAL(Comm_group, (mpi_handle, mpi_handle *), mpi_real_world(), &world_group)) {
		if (!REAL(Group_size, (mpi_handle, int *), group, nr))
			ranks = translate(group, world_group, *nr);
		REAL(Group_free, (mpi_handle *), &world_group);
	}
	REAL(Group_free, (mpi_handle *), &group);
	return ranks;
}
