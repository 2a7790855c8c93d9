/* interrupt.c - a handler notes the signal; the work asks for it. */
#include "cli/interrupt.h"

#include <signal.h>

/* Static, because a signal handler has no argument for a context. */
static volatile sig_atomic_t interrupted; /* the number of the signal; 0: none */

static void note_interrupt(int number)
{
    interrupted = number;
    signal(number, SIG_DFL);
}

void forget_interrupt(void)
{
    interrupted = 0;
}

/* Handles the signals even if they were ignored at the start, as a script's shell does for jobs in
 * the background: whoever sends one to a training wants its model. */
void catch_interrupts(void)
{
    signal(SIGINT, note_interrupt);
    signal(SIGTERM, note_interrupt);
}

void release_interrupts(void)
{
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    if (interrupted)
        raise(interrupted);
}

int was_interrupted(void)
{
    return interrupted != 0;
}

enum hinge_answer watch_interrupt(void *context, const struct hinge_progress *progress)
{
    (void)context;
    (void)progress;
    return interrupted ? HINGE_INTERRUPT : HINGE_GO_ON;
}
