/* file_name.h - names of files, and whether there is one. */
#ifndef HINGE_BASE_FILE_NAME_H
#define HINGE_BASE_FILE_NAME_H

/* Do both names lead to the same file, by their text alone? "d", "./d", "a/../d" and ".//d" do.
 * Links, and a relative beside an absolute name, are not seen. */
int file_name_same(const char *one, const char *other);

/* Is it below /dev/ or /proc/: a device, or a link to a file that a program has open? Not so what
 * is below /dev/shm/, which holds plain files. */
int file_name_is_device(const char *path);

/* Can a file of that name be read? It is opened for writing, too, where that is allowed: to read a
 * named pipe alone waits for a writer. */
int file_name_opens(const char *path);

/* Is it a pipe, or a terminal? Opened likewise; of what may not be written the answer is no. */
int file_name_is_pipe(const char *path);

/* Is there one, or something that cannot be read? */
int file_name_exists(const char *path);

#endif
