// The place of backups, as the commands need it.

import type { Bytes } from './sealed-file.ts';

export interface StoredFile {
  readonly name: string;
  readonly bytes: number;
}

/** Files appear complete or not at all. Names have folders with `/`. */
export interface BackupStore {
  /** For reports: the folder, or `s3://BUCKET/PREFIX`. */
  readonly place: string;
  list(prefix: string): Promise<readonly StoredFile[]>;
  /** A BackupFault says that the file is missing. */
  read(name: string): Bytes;
  /** Replaces a file of that name. */
  write(name: string, content: Bytes): Promise<void>;
  remove(name: string): Promise<void>;
}
