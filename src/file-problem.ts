/** Why a file could not be read or written, in words. */
export function fileProblem(error: unknown): string {
  const code = systemCode(error)
  return (code === undefined ? undefined : PROBLEMS[code]) ?? (error as Error).message
}

/** The name of an error of the system; undefined for one that is none. */
export function systemCode(error: unknown): string | undefined {
  const { code, errno } = error as NodeJS.ErrnoException
  if (typeof code !== 'string') return undefined
  return errno !== undefined && NO_QUOTA.has(errno) ? 'EDQUOT' : code
}

/** What the system says of a file, without where it is. Of a quota that is used up Node does not know. */
export function systemMessage(error: unknown): string {
  if (systemCode(error) === 'EDQUOT') return 'EDQUOT: disk quota exceeded'
  const { message, syscall } = error as NodeJS.ErrnoException
  return syscall === undefined ? message : (message.split(`, ${syscall}`, 1)[0] as string)
}

/** Node has no name for a quota that is used up: on Linux and macOS. */
const NO_QUOTA: ReadonlySet<number> = new Set([-122, -69])

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EISDIR: 'it is a folder',
  ERR_FS_EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is no folder',
  EEXIST: 'a file is there already',
  EACCES: 'no permission',
  EPERM: 'no permission',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EMFILE: 'too many files are open: raise the limit (ulimit -n)',
  ENFILE: 'too many files are open on this machine',
  EIO: 'the disk fails',
  EDQUOT: 'the quota is used up',
  EFBIG: 'it may not get any larger',
  ENAMETOOLONG: 'its name is too long',
  Z_DATA_ERROR: 'it is not compressed by gzip, or damaged',
  Z_BUF_ERROR: 'it ends in the middle of its compressed data',
}
