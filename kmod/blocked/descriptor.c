// SPDX-License-Identifier: GPL-2.0
/*
 * Another thread of the process may close the file, or use the descriptor for another one, while it
 * is looked at here; holding a reference would delay what closing it does. RCU is enough: what the
 * table of descriptors had in it at any time since rcu_read_lock() is freed after its end only.
 * That is so of files, inodes, super blocks, tables of a protocol's operations, and of directory
 * entries but for those of pseudo file systems (DCACHE_NORCU). Of these nothing but an own copy of
 * the bytes is looked at, and only constant texts are compared with it.
 */
#include <linux/dcache.h>
#include <linux/fdtable.h>
#include <linux/fs.h>
#include <linux/kdev_t.h>
#include <linux/magic.h>
#include <linux/net.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <net/sock.h>

#include "blocked/descriptor.h"
#include "ftrace/events.h"

/* The names that the kernel gives files without an inode of their own. */
static const struct {
	const char *name;
	u8 what;
} nameless_files[] = {
	{ "[eventfd]", ANNOT_BLOCKED_EVENTFD },	  { "[eventpoll]", ANNOT_BLOCKED_EPOLL },
	{ "[timerfd]", ANNOT_BLOCKED_TIMERFD },	  { "[signalfd]", ANNOT_BLOCKED_SIGNALFD },
	{ "inotify", ANNOT_BLOCKED_INOTIFY },	  { "[fanotify]", ANNOT_BLOCKED_FANOTIFY },
	{ "[io_uring]", ANNOT_BLOCKED_IO_URING }, { "[userfaultfd]", ANNOT_BLOCKED_USERFAULTFD },
};

#define NAMELESS_BYTES 16 /* the longest of these, with its NUL */

/* @dentry may be memory that is something else by now. */
static u8 kind_of_nameless(const struct dentry *dentry)
{
	const unsigned char *bytes;
	char name[NAMELESS_BYTES];
	unsigned int i;

	if (copy_from_kernel_nofault(&bytes, &dentry->d_name.name, sizeof(bytes)))
		return ANNOT_BLOCKED_OTHER;
	/* Short names are inside. */
	if ((unsigned long)bytes - (unsigned long)dentry > sizeof(*dentry) - sizeof(name) ||
	    copy_from_kernel_nofault(name, bytes, sizeof(name)))
		return ANNOT_BLOCKED_OTHER;
	for (i = 0; i < ARRAY_SIZE(nameless_files); i++) {
		if (!strncmp(name, nameless_files[i].name, sizeof(name)))
			return nameless_files[i].what;
	}
	return ANNOT_BLOCKED_OTHER;
}

/* While a rename goes on, the NUL may be missing of a name that is inside of the entry. */
static void take_name(const struct dentry *dentry, char *name)
{
	const unsigned char *bytes = READ_ONCE(dentry->d_name.name);
	bool is_inside = (unsigned long)bytes - (unsigned long)dentry < sizeof(*dentry);
	unsigned int most = ANNOT_BLOCKED_NAME_BYTES - 1, i;

	if (is_inside)
		most = min_t(unsigned int, most, DNAME_INLINE_LEN - 1);
	for (i = 0; i < most; i++) {
		unsigned char c = READ_ONCE(bytes[i]);

		if (!c)
			break;
		name[i] = c < ' ' || c == 0x7f ? '?' : c;
	}
	name[i] = '\0';
}

static bool has_name(const struct super_block *sb, const struct dentry *dentry)
{
	/* Of what hugetlbfs makes for shared memory, the entries are pseudo ones. */
	return !(sb->s_flags & SB_NOUSER) && sb->s_magic != HUGETLBFS_MAGIC && dentry &&
	       !(READ_ONCE(dentry->d_flags) & DCACHE_NORCU);
}

static void note_socket(struct inode *inode, struct annot_blocked *blocked)
{
	struct socket *socket = SOCKET_I(inode);
	const struct proto_ops *ops = READ_ONCE(socket->ops);

	blocked->what = ANNOT_BLOCKED_SOCKET;
	blocked->detail = (u32)READ_ONCE(socket->type) << 16;
	if (ops)
		blocked->detail |= (u16)ops->family;
}

static void note_mode(struct inode *inode, struct annot_blocked *blocked)
{
	switch (inode->i_mode & S_IFMT) {
	case S_IFIFO:
		blocked->what = ANNOT_BLOCKED_PIPE;
		break;
	case S_IFSOCK:
		blocked->what = ANNOT_BLOCKED_OTHER;
		/* One with a name in a file system is none that can be waited for. */
		if (inode->i_sb->s_magic == SOCKFS_MAGIC)
			note_socket(inode, blocked);
		break;
	case S_IFCHR:
		blocked->what = ANNOT_BLOCKED_CHAR_DEVICE;
		blocked->detail = new_encode_dev(inode->i_rdev);
		break;
	case S_IFBLK:
		blocked->what = ANNOT_BLOCKED_BLOCK_DEVICE;
		blocked->detail = new_encode_dev(inode->i_rdev);
		break;
	case S_IFDIR:
		blocked->what = ANNOT_BLOCKED_DIRECTORY;
		blocked->detail = new_encode_dev(inode->i_sb->s_dev);
		break;
	case S_IFREG:
		blocked->what = ANNOT_BLOCKED_FILE;
		blocked->detail = new_encode_dev(inode->i_sb->s_dev);
		break;
	default:
		blocked->what = ANNOT_BLOCKED_OTHER;
		break;
	}
}

static void note_file(const struct file *file, unsigned int fd, struct annot_blocked *blocked,
		      char *name)
{
	const struct dentry *dentry = READ_ONCE(file->f_path.dentry);
	struct inode *inode = READ_ONCE(file->f_inode);

	if (!inode)
		return;
	blocked->flags |= ANNOT_BLOCKED_HAS_OBJECT;
	/* All of its files share one inode. */
	if (inode->i_sb->s_magic == ANON_INODE_FS_MAGIC) {
		blocked->what = dentry ? kind_of_nameless(dentry) : ANNOT_BLOCKED_OTHER;
		blocked->object = fd;
		blocked->flags |= ANNOT_BLOCKED_IS_DESCRIPTOR;
		return;
	}
	blocked->object = inode->i_ino;
	note_mode(inode, blocked);
	if (has_name(inode->i_sb, dentry))
		take_name(dentry, name);
}

void annot_descriptor_note(unsigned int fd, struct annot_blocked *blocked, char *name)
{
	struct files_struct *files = current->files;
	const struct file *file;

	if (!files)
		return;
	rcu_read_lock();
	file = files_lookup_fd_raw(files, fd);
	if (file)
		note_file(file, fd, blocked, name);
	rcu_read_unlock();
}
