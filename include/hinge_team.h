/* hinge_team.h - several processes train one model, each with a part of the rows.
 *
 * The processes are called ranks. All ranks make the same calls with the same parameters, otherwise
 * HINGE_BAD_ARGUMENT, and get the same results, whatever their number, except the counts of what
 * they sent. hinge_train, hinge_train_path, cross-validation and hinge_least_C take a team, with
 * solvers 0-3, 7, 11-13 and 61. Each of these solvers trains by Newton's method alone; where that
 * stalls, the outcome is HINGE_STALLED. Results of solvers 0, 2 and 11 with few features, and of
 * 61, have the bytes of one process with all rows, unless Newton's method stalls.
 *
 * Each rank has a dataset of all rows, in which the rows of other ranks have no entries; see
 * hinge_team_rows. The number of entries, the labels and the numbers of features are those of the
 * whole data. About 70 bytes of memory per row are needed on each rank, however many ranks there
 * are. The data are in memory, not paged. Threads work on sums only. Only the monitors of rank 0
 * are asked, at checkpoints alone.
 *
 * In hinge_dataset_read with format.team, each rank takes the lines that begin in its share of the
 * bytes and gets the dataset of its rank. Values and indices are stored as by one process that
 * reads the whole file. If there is no file of that name but one with ".0" appended, each rank
 * takes its share of the files NAME.0, NAME.1, ... up to the last one that any rank has. The call
 * fails on all ranks alike. "rank R of N: " precedes a message that is not common to all, and lines
 * are numbered as in the whole file. A file without a size, such as a pipe, is refused, and so is
 * format.memory.
 */
#ifndef HINGE_TEAM_H
#define HINGE_TEAM_H

#include "hinge.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The caller's two functions move bytes between ranks. Blocks follow each other in the order of the
 * ranks, the own block included. All ranks call the functions in the same order. A function returns
 * 0, or another number if a rank failed or left the team; the library's call then ends with
 * HINGE_TEAM_FAILED, and neither function is called again. A rank that fails for a reason of its
 * own, such as lack of memory, returns at once while others may wait for it. Its caller must then
 * make the other ranks' calls of the two functions fail. */
struct hinge_team {
    void *context; /* first argument of the functions */
    int rank;      /* 0 .. size - 1 */
    int size;      /* number of ranks, at least 1 */

    /* Sends send_bytes[q] bytes to each rank q and receives receive_bytes[q] bytes from it. */
    int (*exchange)(void *context, const void *send, const size_t *send_bytes, void *receive,
                    const size_t *receive_bytes);

    /* Sends the same bytes[rank] bytes to each rank and receives bytes[q] bytes from rank q. */
    int (*gather)(void *context, const void *send, void *receive, const size_t *bytes);
};

/* Sets the processes that train together; NULL: this process alone. The team must last until the
 * training is done. */
void hinge_parameters_team(struct hinge_parameters *parameters, const struct hinge_team *team);

/* Sets first and end so that the rank's own rows are first .. end - 1; they may be none. They
 * depend on rank, size, and the numbers of rows, entries and features of the whole data alone. */
void hinge_team_rows(const struct hinge_team *team, size_t rows, size_t entries, uint32_t features,
                     uint32_t *first, uint32_t *end);

#ifdef __cplusplus
}
#endif
#endif
