// Backup damage: the file, and the finding in one sentence.

export class BackupFault extends Error {
  override readonly name = 'BackupFault';
  readonly file: string;
  /** Finding, without the file name. */
  readonly finding: string;

  constructor(file: string, finding: string) {
    super(`${file}: ${finding}.`);
    this.file = file;
    this.finding = finding;
  }
}
