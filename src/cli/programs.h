/* programs.h - predict, scale, convert and inspect, each as a function; train's is in training.h.
 *
 * Each runs the program on a command line and returns its exit status. A program may be run again
 * in the same process: the next run sees nothing of the last one. */
#ifndef HINGE_CLI_PROGRAMS_H
#define HINGE_CLI_PROGRAMS_H

int prediction_run(int argc, char **argv);
int scaling_run(int argc, char **argv);
int converting_run(int argc, char **argv);
int inspection_run(int argc, char **argv);

#endif
