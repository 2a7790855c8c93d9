/* bucket_queue.h - rows by the pass that they are visited in next, the coming BUCKETS passes in
 * turn. Taking out those of one pass costs what their number does, however many others wait.
 */
#ifndef HINGE_SOLVER_PASSES_BUCKET_QUEUE_H
#define HINGE_SOLVER_PASSES_BUCKET_QUEUE_H

#include "base/memory.h"
#include "solver/passes/row_skipping.h"

enum { BUCKETS = MOST_SKIP + 1, CHUNK_ROWS = 62 };

/* Some of the rows of a bucket. */
struct chunk {
    uint32_t next; /* chunk of the same bucket, or of the free ones; 0: none */
    uint32_t count;
    uint32_t row[CHUNK_ROWS];
};

struct bucket_queue {
    struct chunk *chunk;     /* from 1 on */
    uint32_t first[BUCKETS]; /* chunk of a bucket; only this one may be partly filled; 0: none */
    uint32_t free;           /* the first chunk of those given back */
    uint32_t fresh;          /* from this one on they have not been used */
};

/* Room for so many rows; to be cleared first. */
void bucket_queue_lay_out(struct bucket_queue *queue, struct arena *arena, uint32_t rows);

void bucket_queue_clear(struct bucket_queue *queue);

/* Takes the rows of a bucket out, to rows; how many they were. */
uint32_t bucket_queue_take(struct bucket_queue *queue, unsigned bucket, uint32_t *rows);

/* An empty chunk before the others of the bucket. */
struct chunk *bucket_queue_chunk(struct bucket_queue *queue, unsigned bucket);

/* Puts a row into a bucket; it is in no other. */
static inline void bucket_queue_put(struct bucket_queue *queue, unsigned bucket, uint32_t row)
{
    struct chunk *chunk = &queue->chunk[queue->first[bucket]];

    if (queue->first[bucket] == 0 || chunk->count == CHUNK_ROWS)
        chunk = bucket_queue_chunk(queue, bucket);
    chunk->row[chunk->count++] = row;
}

#endif
