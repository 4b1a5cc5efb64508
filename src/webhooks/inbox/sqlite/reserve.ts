/**
 * Space beside the database that is given up when the disk is full. Handling what is stored needs some, and only handling
 * makes room again; so what comes in may not have it.
 */
export class Reserve {
  readonly #fs = globalThis.process?.getBuiltinModule?.('node:fs');
  readonly #path: string | undefined;

  /** @param path of the database; `undefined` for one in memory, that has no disk to fill. */
  constructor(path: string | undefined) {
    this.#path = path && `${path}-reserve`;
  }

  /**
   * Whether it is there. It is made again once the disk has room for it. Only a disk without room counts: where there can be
   * no such file for another reason, the inbox does without.
   */
  isKept(): boolean {
    const [fs, path] = [this.#fs, this.#path];
    if (!fs || !path || fs.existsSync(path)) return true;
    // Under another name until it is whole: another process may see it.
    const making = `${path}.${crypto.randomUUID()}`;
    try {
      const { bavail, bsize } = fs.statfsSync(path.slice(0, -'-reserve'.length));
      if (bavail * bsize < RESERVE_BYTES + SPARE_BYTES) return false;
      // Not zeros, of which a file system may make a hole.
      fs.writeFileSync(making, new Uint8Array(RESERVE_BYTES).fill(1));
      fs.renameSync(making, path);
      return true;
    } catch (error) {
      fs.rmSync(making, { force: true });
      return !['ENOSPC', 'EDQUOT'].includes(String((error as { code?: unknown }).code));
    }
  }

  /** Gives the space up. False if it was given up before. */
  release(): boolean {
    if (!this.#path || !this.#fs?.existsSync(this.#path)) return false;
    this.#fs.rmSync(this.#path, { force: true });
    return true;
  }
}

/** The log of SQLite grows to 4 MB before it is written back, and to write it back may take as much again. */
const RESERVE_BYTES = 8 * 1024 * 1024;
/** What has to be free beside it, so that what was just given up is not taken back. */
const SPARE_BYTES = 1024 * 1024;
