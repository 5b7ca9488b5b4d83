// What an archive asks of the place that keeps its files: a folder today, an object store some day.
// Files are written once and never change. Errors of the place itself pass through as they are.

export interface ArchiveFiles {
  /** The names of all files, sorted. Folders beside them are somebody else's. */
  list(): Promise<string[]>;
  /** The first bytes of a file, `bytesMax` at the most, and how many it has in all. */
  readStart(name: string, bytesMax: number): Promise<{ bytes: Uint8Array; fileBytes: number }>;
  read(name: string): Promise<Uint8Array>;
  /**
   * Writes a new file, whole and on disk, or not at all. False when there is one of that name
   * already, which stays as it is.
   */
  create(name: string, bytes: Uint8Array): Promise<boolean>;
  /** Removes what was left of files that were never finished. Only for who writes. */
  removeUnfinished(): Promise<void>;
}
