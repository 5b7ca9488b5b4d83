// The error of archives and archived snapshots: the problem, and the file and frame where it is.

export type ArchiveProblem =
  /** A file that does not belong here. */
  | 'foreign_file'
  /** The file is not what was written: truncated, changed or swapped. */
  | 'damaged'
  /** Written by a later release. */
  | 'newer_format'
  /** Written by an earlier release in a form that is no longer read. */
  | 'older_format'
  /** A file or frame does not continue the previous one: a gap, a wrong hash, an older epoch. */
  | 'not_continuing'
  /** A segment without frames, or larger than the limits. */
  | 'wrong_size'
  /** Another process has written this segment. */
  | 'exists'
  /** The archive does not hold the requested frames. */
  | 'not_there';

/** Retrying does not help. Disk errors are thrown as Node's own errors. */
export class ArchiveFault extends Error {
  override readonly name = 'ArchiveFault';
  readonly problem: ArchiveProblem;
  /** The file with the problem. */
  readonly file: string | undefined;
  /** The frame with the problem. */
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
