// The one error of archives and archived snapshots: what was found, in which file, at which frame.

export type ArchiveProblem =
  /** A file that does not belong here. */
  | 'foreign_file'
  /** A file that is not what was once written: torn, changed or exchanged. */
  | 'damaged'
  /** Written by a later release. */
  | 'newer_format'
  /** What follows does not continue what is there: a gap, a wrong hash, an epoch going back. */
  | 'not_continuing'
  /** A segment without a frame, or with more than a segment may hold. */
  | 'wrong_size'
  /** Somebody else has written this segment. */
  | 'exists'
  /** Asked for what the archive does not hold. */
  | 'not_there';

/** Asking again does not help. An error of the disk is thrown as Node gives it. */
export class ArchiveFault extends Error {
  override readonly name = 'ArchiveFault';
  readonly problem: ArchiveProblem;
  /** The file it was found in. */
  readonly file: string | undefined;
  /** The frame it was found at. */
  readonly sequence: number | undefined;
  readonly detail: string;

  constructor(
    problem: ArchiveProblem,
    detail: string,
    place: { file?: string; sequence?: number; cause?: unknown } = {},
  ) {
    const { file, sequence, cause } = place;
    const frame = sequence === undefined ? [] : [`frame ${sequence}`];
    const where = [...(file === undefined ? [] : [file]), ...frame].join(', ');
    super(`${where === '' ? '' : `${where}: `}${detail} (${problem})`, { cause });
    this.problem = problem;
    this.file = file;
    this.sequence = sequence;
    this.detail = detail;
  }
}
