/* bucket_queue.c - chunks of rows, handed out and given back. */
#include "solver/passes/bucket_queue.h"

#include <string.h>

/* At most one chunk of each bucket is not full, and there is no chunk 0. */
void bucket_queue_lay_out(struct bucket_queue *queue, struct arena *arena, uint32_t rows)
{
    struct chunk *chunk = arena_take(arena, (size_t)rows / CHUNK_ROWS + BUCKETS + 1, sizeof *chunk);

    if (chunk)
        queue->chunk = chunk;
}

void bucket_queue_clear(struct bucket_queue *queue)
{
    memset(queue->first, 0, sizeof queue->first);
    queue->free = 0;
    queue->fresh = 1;
}

struct chunk *bucket_queue_chunk(struct bucket_queue *queue, unsigned bucket)
{
    const uint32_t number = queue->free ? queue->free : queue->fresh++;
    struct chunk *chunk = &queue->chunk[number];

    if (queue->free)
        queue->free = chunk->next;
    chunk->count = 0;
    chunk->next = queue->first[bucket];
    queue->first[bucket] = number;
    return chunk;
}

uint32_t bucket_queue_take(struct bucket_queue *queue, unsigned bucket, uint32_t *rows)
{
    uint32_t count = 0, number = queue->first[bucket];

    queue->first[bucket] = 0;
    while (number) {
        struct chunk *chunk = &queue->chunk[number];
        const uint32_t next = chunk->next;

        memcpy(rows + count, chunk->row, chunk->count * sizeof *rows);
        count += chunk->count;
        chunk->next = queue->free;
        queue->free = number;
        number = next;
    }
    return count;
}
