/* SPDX-License-Identifier: MIT */
/* The ABI that this object is compiled for. The sources are compiled once for each. */
#ifndef LIBANNOT_ATTACH_MPI_ABI_H
#define LIBANNOT_ATTACH_MPI_ABI_H

#ifdef ATTACH_MPICH
#include "mpi_abi_mpich.h"
#else
#include "mpi_abi_openmpi.h"
#endif

#endif /* LIBANNOT_ATTACH_MPI_ABI_H */
