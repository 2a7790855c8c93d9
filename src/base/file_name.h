/* file_name.h - compares names of files, and asks what a name stands for. */
#ifndef HINGE_BASE_FILE_NAME_H
#define HINGE_BASE_FILE_NAME_H

/* True if the text of both names leads to the same file, as "d", "./d", "a/../d" and ".//d" do.
 * Links are not followed, and a relative name never equals an absolute one. */
int file_name_same(const char *one, const char *other);

/* True if the path is below /dev/ or /proc/ and so may be a device or a link to an open file. Below
 * /dev/shm/ are ordinary files. */
int file_name_is_device(const char *path);

/* True if the file can be opened for reading. It is opened for reading and writing if that is
 * allowed: opening a named pipe for reading alone waits for a writer. */
int file_name_opens(const char *path);

/* True if the file is a pipe or a terminal. False for a file that may not be written. */
int file_name_is_pipe(const char *path);

/* True if there is a file of that name, readable or not. */
int file_name_exists(const char *path);

/* True if there is a file or a link of that name, even a link that leads nowhere. Such a name
 * cannot be opened, but it can be renamed to itself, which changes nothing. */
int file_name_is_taken(const char *path);

#endif
