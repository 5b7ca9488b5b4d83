// Backup storage interface for the commands.

import type { Bytes } from './sealed-file.ts';

export interface StoredFile {
  readonly name: string;
  readonly bytes: number;
}

/** Files appear complete or not at all. Names use `/` for folders. */
export interface BackupStore {
  /** For reports: the folder, or `s3://BUCKET/PREFIX`. */
  readonly place: string;
  list(prefix: string): Promise<readonly StoredFile[]>;
  /** Throws a BackupFault if the file is missing. */
  read(name: string): Bytes;
  /** Replaces a file with the same name. */
  write(name: string, content: Bytes): Promise<void>;
  remove(name: string): Promise<void>;
}
