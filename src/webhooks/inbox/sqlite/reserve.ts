import { builtin } from '../../../internal/runtime.ts';

/**
 * A file next to the database. It is deleted when the disk is full. Some space is needed to handle stored
 * notifications, and only this handling frees more space. So new notifications may not use this space.
 */
export class Reserve {
  readonly #fs = builtin('node:fs');
  readonly #path: string | undefined;

  /** @param path path of the database; `undefined` for a database in memory, which cannot fill a disk. */
  constructor(path: string | undefined) {
    this.#path = path && `${path}-reserve`;
  }

  /**
   * Writes the reserve if it is missing and the disk has enough space. Returns false if the disk has too little space
   * for the reserve, otherwise true. If the reserve cannot be written for another reason, the inbox works without a
   * reserve.
   */
  isKept(): boolean {
    const [fs, path] = [this.#fs, this.#path];
    if (!fs || !path || fs.existsSync(path)) return true;
    // Another process may look for the file. Therefore the file has a different name until it is complete.
    const making = `${path}.${crypto.randomUUID()}`;
    try {
      const { bavail, bsize } = fs.statfsSync(path.slice(0, -'-reserve'.length));
      if (bavail * bsize < RESERVE_BYTES + SPARE_BYTES) return false;
      // The file does not contain zeros, because a file system may store zeros without using space.
      fs.writeFileSync(making, new Uint8Array(RESERVE_BYTES).fill(1));
      fs.renameSync(making, path);
      return true;
    } catch (error) {
      fs.rmSync(making, { force: true });
      return !['ENOSPC', 'EDQUOT'].includes(String((error as { code?: unknown }).code));
    }
  }

  /** Frees the space. Returns false if the reserve is already free. */
  release(): boolean {
    if (!this.#path || !this.#fs?.existsSync(this.#path)) return false;
    this.#fs.rmSync(this.#path, { force: true });
    return true;
  }
}

/** The log of SQLite grows to 4 MB. Writing the log back to the database may need another 4 MB. */
const RESERVE_BYTES = 8 * 1024 * 1024;
/**
 * The reserve is written again only if this number of bytes is free in addition to the size of the reserve. So the
 * reserve does not use the space that was just freed.
 */
const SPARE_BYTES = 1024 * 1024;
