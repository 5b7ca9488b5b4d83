// Snapshots in a folder, each a packed file: `.draft` until confirmed, then `.snapshot`. A damaged
// one is reported and passed over for an older one; it never counts as the state of anything.

import { ArchiveFault } from './archive-fault.ts';
import { ArchiveFolder } from './archive-folder.ts';
import { LABEL_BYTES_MAX, type Label, pack, readLabel, unpack } from './archive-pack.ts';
import type { Snapshot, SnapshotAnswer, SnapshotInfo, SnapshotStore } from './snapshot-port.ts';

const NAME = /^snapshot-([0-9]{16})\.(draft|snapshot)$/;

type Kind = 'draft' | 'snapshot';

interface Kept {
  readonly file: string;
  readonly sequence: number;
  readonly isDraft: boolean;
}

export class FolderSnapshots implements SnapshotStore {
  readonly #folder: ArchiveFolder;
  readonly #onProblem: (problem: unknown) => void;
  /** Settled when the last change asked for is made: changes are made one after another. */
  #changes: Promise<unknown> = Promise.resolve();

  /** `onProblem` hears of every damaged file, and of every error of the disk. */
  constructor(path: string, onProblem: (problem: unknown) => void) {
    this.#folder = new ArchiveFolder(path);
    this.#onProblem = onProblem;
  }

  newest(atMost: number, done: (answer: SnapshotAnswer) => void): void {
    this.#answer(this.#newest(atMost), 'unavailable', done);
  }

  write(snapshot: Snapshot, done: (isDone: boolean) => void): void {
    this.#change(() => this.#write(snapshot), done);
  }

  readDraft(sequence: number, done: (answer: SnapshotAnswer) => void): void {
    this.#answer(this.#readDraft(sequence), 'unavailable', done);
  }

  confirm(sequence: number, done: (isDone: boolean) => void): void {
    this.#change(() => this.#confirm(sequence), done);
  }

  prune(keep: number, done: (isDone: boolean) => void): void {
    this.#change(() => this.#prune(keep), done);
  }

  /** What is said of each snapshot that counts, oldest first, without reading its state. */
  async list(): Promise<SnapshotInfo[]> {
    const found: SnapshotInfo[] = [];
    for (const { file } of (await this.#kept()).filter(({ isDraft }) => !isDraft)) {
      const { bytes } = await this.#folder.readStart(file, LABEL_BYTES_MAX);
      const info = await this.#unlessDamaged(async () => {
        return infoFrom(file, readLabel('snapshot', file, bytes));
      });
      if (info !== 'none') found.push(info);
    }
    return found;
  }

  async #newest(atMost: number): Promise<SnapshotAnswer> {
    const counting = (await this.#kept()).filter((kept) => !kept.isDraft);
    for (const { file } of counting.filter(({ sequence }) => sequence <= atMost).reverse()) {
      const answer = await this.#unlessDamaged(() => this.#read(file));
      if (answer !== 'none') return answer;
    }
    return 'none';
  }

  async #write({ info, bytes }: Snapshot): Promise<boolean> {
    await this.#folder.make();
    const counting = await this.#readOne(info.sequence, 'snapshot');
    if (counting !== 'none') return true;
    const packed = await pack('snapshot', info, bytes);
    await this.#folder.replace(fileName(info.sequence, 'draft'), packed.bytes);
    return true;
  }

  /** One that counts by now is still the draft that it was. */
  async #readDraft(sequence: number): Promise<SnapshotAnswer> {
    const draft = await this.#readOne(sequence, 'draft');
    return draft === 'none' ? this.#readOne(sequence, 'snapshot') : draft;
  }

  async #readOne(sequence: number, kind: Kind): Promise<SnapshotAnswer> {
    const wanted = fileName(sequence, kind);
    const isThere = (await this.#kept()).some(({ file }) => file === wanted);
    return isThere ? this.#unlessDamaged(() => this.#read(wanted)) : 'none';
  }

  /** True as well when it counts already: the answer to an earlier call may have been lost. */
  async #confirm(sequence: number): Promise<boolean> {
    const found = (await this.#kept()).filter((kept) => kept.sequence === sequence);
    const draft = found.find(({ isDraft }) => isDraft);
    if (draft === undefined) return found.length > 0;
    await this.#folder.rename(draft.file, fileName(sequence, 'snapshot'));
    return true;
  }

  async #prune(keep: number): Promise<boolean> {
    await this.#folder.make();
    await this.#folder.removeUnfinished();
    const all = await this.#kept();
    const counting = all.filter(({ isDraft }) => !isDraft);
    const outdated = counting.slice(0, Math.max(0, counting.length - keep));
    const oldestKept = counting[outdated.length]?.sequence ?? 0;
    const drafts = all.filter(({ isDraft, sequence }) => isDraft && sequence < oldestKept);
    await this.#folder.remove([...outdated, ...drafts].map(({ file }) => file));
    return true;
  }

  /** Oldest first. A folder that was never written to holds none. */
  async #kept(): Promise<Kept[]> {
    const names = await this.#folder.list().catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    return names.flatMap((file) => {
      const [, sequence, kind] = NAME.exec(file) ?? [];
      if (kind !== undefined)
        return [{ file, sequence: Number(sequence), isDraft: kind === 'draft' }];
      this.#onProblem(new ArchiveFault('foreign_file', 'this file is no snapshot', { file }));
      return [];
    });
  }

  async #read(file: string): Promise<Snapshot> {
    const whole = await this.#folder.read(file);
    const found = readLabel('snapshot', file, whole);
    return { info: infoFrom(file, found), bytes: await unpack(found, whole) };
  }

  async #unlessDamaged<Value>(read: () => Promise<Value>): Promise<Value | 'none'> {
    try {
      return await read();
    } catch (fault) {
      if (!(fault instanceof ArchiveFault)) throw fault;
      this.#onProblem(fault);
      return 'none';
    }
  }

  #change(change: () => Promise<boolean>, done: (isDone: boolean) => void): void {
    const changed = this.#changes.then(change);
    this.#changes = changed.catch(() => undefined);
    this.#answer(changed, false, done);
  }

  /** Exactly one answer; what `done` itself throws is nobody's to catch here. */
  #answer<Value>(asked: Promise<Value>, otherwise: Value, done: (answer: Value) => void): void {
    const answered = asked.catch((error: unknown) => {
      this.#onProblem(error);
      return otherwise;
    });
    void answered.then(done);
  }
}

function fileName(sequence: number, kind: Kind): string {
  return `snapshot-${String(sequence).padStart(16, '0')}.${kind}`;
}

const NUMBERS = ['sequence', 'epoch', 'timeMs', 'commandsApplied'] as const;
const TEXTS = ['frameHash', 'stateHash'] as const;

/** A file that was renamed would be taken for another moment. */
function infoFrom(file: string, { about }: Label): SnapshotInfo {
  const isSound =
    NUMBERS.every((name) => Number.isSafeInteger(about[name])) &&
    TEXTS.every((name) => typeof about[name] === 'string') &&
    NAME.exec(file)?.[1] === String(about.sequence).padStart(16, '0');
  if (!isSound) throw new ArchiveFault('damaged', 'this is not what a snapshot says', { file });
  return about as unknown as SnapshotInfo;
}
