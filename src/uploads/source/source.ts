export interface ReadOptions {
  /** Aborts when no more bytes are needed. */
  signal: AbortSignal;
  /** Whether the source may overwrite a chunk as soon as the next one is requested. */
  reuseMemory: boolean;
}

/** A file that can be read from its start more than once. */
export interface Source {
  /** In bytes. */
  readonly size: number;
  /** The name of the file, if it has one. */
  readonly name?: string | undefined;
  /** MIME type, if the file has one. */
  readonly type?: string | undefined;
  /** The file as it was given, if it can be the body of a request. A browser can send nothing else. */
  readonly body?: Blob | Uint8Array<ArrayBuffer> | undefined;
  read(options: ReadOptions): AsyncIterable<unknown>;
  /** Rejects if the file was modified or deleted since it was opened, as far as that can be seen. */
  checkUnchanged?(): Promise<void>;
}
