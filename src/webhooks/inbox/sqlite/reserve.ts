import { builtin } from '../../../internal/runtime.ts';

/**
 * A file next to the database that is deleted when the disk is full. Handling stored notifications needs some space, and is
 * the only way to free more; so new notifications may not use this space.
 */
export class Reserve {
  readonly #fs = builtin('node:fs');
  readonly #path: string | undefined;

  /** @param path Of the database; `undefined` for a database in memory, which cannot fill a disk. */
  constructor(path: string | undefined) {
    this.#path = path && `${path}-reserve`;
  }

  /**
   * True if the reserve exists. It is written again as soon as the disk has room for it. True also if it cannot be written for
   * another reason: the inbox then works without it.
   */
  isKept(): boolean {
    const [fs, path] = [this.#fs, this.#path];
    if (!fs || !path || fs.existsSync(path)) return true;
    // It has another name until it is complete, because another process may look for it.
    const making = `${path}.${crypto.randomUUID()}`;
    try {
      const { bavail, bsize } = fs.statfsSync(path.slice(0, -'-reserve'.length));
      if (bavail * bsize < RESERVE_BYTES + SPARE_BYTES) return false;
      // Not zeros: a file system may store those without using space.
      fs.writeFileSync(making, new Uint8Array(RESERVE_BYTES).fill(1));
      fs.renameSync(making, path);
      return true;
    } catch (error) {
      fs.rmSync(making, { force: true });
      return !['ENOSPC', 'EDQUOT'].includes(String((error as { code?: unknown }).code));
    }
  }

  /** Frees the space. False if it is already free. */
  release(): boolean {
    if (!this.#path || !this.#fs?.existsSync(this.#path)) return false;
    this.#fs.rmSync(this.#path, { force: true });
    return true;
  }
}

/** The log of SQLite grows to 4 MB, and writing it back may need as much again. */
const RESERVE_BYTES = 8 * 1024 * 1024;
/** Bytes that must be free beyond the reserve before it is written again, so that it does not take back space just freed. */
const SPARE_BYTES = 1024 * 1024;
