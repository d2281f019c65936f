// SPDX-License-Identifier: GPL-2.0
#include "attach/fronts.h"

#include <stddef.h>
#include <string.h>

#define WORDS(...)                \
	(const char *const[])     \
	{                         \
		__VA_ARGS__, NULL \
	}

#define LIBOMP "libomp.so", "libiomp5.so"

const char *const attach_convention_names[] = {
	[ATTACH_OPENMP] = "openmp",  [ATTACH_ITT] = "itt",	 [ATTACH_NVTX] = "nvtx",
	[ATTACH_KOKKOS] = "kokkos",  [ATTACH_MPI] = "mpi",	 [ATTACH_PTHREAD] = "pthread",
	[ATTACH_LIKWID] = "likwid",  [ATTACH_SCOREP] = "scorep", [ATTACH_HEAP] = "heap",
	[ATTACH_CONVENTIONS] = NULL,
};

/*
 * Of the list of OMP_TOOL_LIBRARIES, libomp takes the first tool that answers; of its list, Kokkos loads the
 * first.
 */
const struct attach_way attach_ways[] = {
	[ATTACH_BY_PRELOAD] = { "LD_PRELOAD", ':', NULL },
	[ATTACH_BY_OMPT] = { "OMP_TOOL_LIBRARIES", ':', "ANNOT_ATTACH_NEXT_OMPT" },
	[ATTACH_BY_ITT] = { "INTEL_LIBITTNOTIFY64", '\0', "ANNOT_ATTACH_NEXT_ITT" },
	[ATTACH_BY_NVTX] = { "NVTX_INJECTION64_PATH", '\0', "ANNOT_ATTACH_NEXT_NVTX" },
	[ATTACH_BY_KOKKOS] = { "KOKKOS_TOOLS_LIBS", ';', "ANNOT_ATTACH_NEXT_KOKKOS" },
	/* Kokkos 3.4 knows no other. Later ones warn of it. */
	[ATTACH_BY_KOKKOS_OLD] = { "KOKKOS_PROFILE_LIBRARY", ';', "ANNOT_ATTACH_NEXT_KOKKOS" },
};

const struct attach_front attach_fronts[ATTACH_FRONTS] = {
	{
		.name = "ompt",
		.file = "ompt.so",
		.convention = ATTACH_OPENMP,
		.way = ATTACH_BY_OMPT,
		.libraries = WORDS(LIBOMP),
		.symbols = WORDS("__kmpc_"),
	},
	{
		/* libomp answers GOMP_*, too: who is loaded first does. */
		.name = "gomp",
		.file = "gomp.so",
		.convention = ATTACH_OPENMP,
		.way = ATTACH_BY_PRELOAD,
		.libraries = WORDS("libgomp.so", "libgomp-"),
		.symbols = WORDS("GOMP_"),
		.other_libraries = WORDS(LIBOMP),
	},
	{
		/* libomp speaks ITT, too, but tells more by OMPT. */
		.name = "itt",
		.file = "itt.so",
		.convention = ATTACH_ITT,
		.way = ATTACH_BY_ITT,
		.libraries = WORDS("libittnotify.so"),
		.text = "INTEL_LIBITTNOTIFY64",
	},
	{
		.name = "nvtx",
		.file = "nvtx.so",
		.convention = ATTACH_NVTX,
		.way = ATTACH_BY_NVTX,
		.libraries = WORDS("libnvToolsExt.so"),
		.text = "NVTX_INJECTION64_PATH",
	},
	{
		.name = "kokkos",
		.file = "kokkos.so",
		.convention = ATTACH_KOKKOS,
		.way = ATTACH_BY_KOKKOS,
		.text = "KOKKOS_TOOLS_LIBS",
	},
	{
		.name = "kokkos-old",
		.file = "kokkos.so",
		.convention = ATTACH_KOKKOS,
		.way = ATTACH_BY_KOKKOS_OLD,
		.text = "KOKKOS_PROFILE_LIBRARY",
		.other_text = "KOKKOS_TOOLS_LIBS",
		.only_if_used = true,
	},
	{
		.name = "mpi-openmpi",
		.file = "mpi-openmpi.so",
		.convention = ATTACH_MPI,
		.way = ATTACH_BY_PRELOAD,
		.libraries = WORDS("libmpi.so.40"),
	},
	{
		/* libmpi.so.12 is MPICH's ABI under the names of Intel MPI and MVAPICH. */
		.name = "mpi-mpich",
		.file = "mpi-mpich.so",
		.convention = ATTACH_MPI,
		.way = ATTACH_BY_PRELOAD,
		.libraries = WORDS("libmpich.so.12", "libmpi.so.12"),
	},
	{
		.name = "pthread",
		.file = "pthread.so",
		.convention = ATTACH_PTHREAD,
		.way = ATTACH_BY_PRELOAD,
		.symbols = WORDS("pthread_create", "pthread_barrier_wait", "pthread_cond_wait",
				 "pthread_mutex_lock", "pthread_join", "_ZNSt6thread"),
		.own_files = true,
	},
	{
		.name = "likwid",
		.file = "likwid.so",
		.convention = ATTACH_LIKWID,
		.way = ATTACH_BY_PRELOAD,
		.libraries = WORDS("liblikwid.so"),
		.symbols = WORDS("likwid_marker"),
	},
	{
		.name = "scorep",
		.file = "scorep.so",
		.convention = ATTACH_SCOREP,
		.way = ATTACH_BY_PRELOAD,
		.libraries = WORDS("libscorep_"),
		.symbols = WORDS("SCOREP_User_"),
	},
	{
		/* _Znwm and _Znam are operators new. */
		.name = "heap",
		.file = "heap.so",
		.convention = ATTACH_HEAP,
		.way = ATTACH_BY_PRELOAD,
		.symbols = WORDS("malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign",
				 "_Znwm", "_Znam", "mmap"),
		.own_files = true,
		.only_on_demand = "each allocation is told: only on demand",
	},
};

bool attach_way_is_harmless(enum attach_way_id way)
{
	return way != ATTACH_BY_PRELOAD && way != ATTACH_BY_KOKKOS_OLD;
}

bool attach_begins_with(const char *name, const char *const *beginnings)
{
	for (; beginnings && *beginnings; beginnings++) {
		if (!strncmp(name, *beginnings, strlen(*beginnings)))
			return true;
	}
	return false;
}
