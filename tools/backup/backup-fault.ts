// Damage of a backup: the file, and the finding in one sentence.

export class BackupFault extends Error {
  override readonly name = 'BackupFault';
  readonly file: string;
  /** Without the file. */
  readonly finding: string;

  constructor(file: string, finding: string) {
    super(`${file}: ${finding}.`);
    this.file = file;
    this.finding = finding;
  }
}
