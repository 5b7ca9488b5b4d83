// Snapshots in a folder, each a packed file: `.draft` until verified, then `.snapshot`. A damaged
// snapshot is reported and an older one is used; a damaged file is never returned as a state.

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
  /** Settles with the last requested change: changes are made one after another. */
  #changes: Promise<unknown> = Promise.resolve();

  /** `onProblem` receives every damaged file and every disk error. */
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

  /** Describes each verified snapshot, oldest first, without reading its state. */
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
    const verified = (await this.#kept()).filter((kept) => !kept.isDraft);
    for (const { file } of verified.filter(({ sequence }) => sequence <= atMost).reverse()) {
      const answer = await this.#unlessDamaged(() => this.#read(file));
      if (answer !== 'none') return answer;
    }
    return 'none';
  }

  async #write({ info, bytes }: Snapshot): Promise<boolean> {
    await this.#folder.make();
    const verified = await this.#readOne(info.sequence, 'snapshot');
    if (verified !== 'none') return true;
    const packed = await pack('snapshot', info, bytes);
    await this.#folder.replace(fileName(info.sequence, 'draft'), packed.bytes);
    return true;
  }

  /** A snapshot that has been verified meanwhile still answers for its draft. */
  async #readDraft(sequence: number): Promise<SnapshotAnswer> {
    const draft = await this.#readOne(sequence, 'draft');
    return draft === 'none' ? this.#readOne(sequence, 'snapshot') : draft;
  }

  async #readOne(sequence: number, kind: Kind): Promise<SnapshotAnswer> {
    const wanted = fileName(sequence, kind);
    const exists = (await this.#kept()).some(({ file }) => file === wanted);
    return exists ? this.#unlessDamaged(() => this.#read(wanted)) : 'none';
  }

  /** Also true if it is already verified: the answer to an earlier call may have been lost. */
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
    const verified = all.filter(({ isDraft }) => !isDraft);
    const outdated = verified.slice(0, Math.max(0, verified.length - keep));
    const oldestKept = verified[outdated.length]?.sequence ?? 0;
    const drafts = all.filter(({ isDraft, sequence }) => isDraft && sequence < oldestKept);
    await this.#folder.remove([...outdated, ...drafts].map(({ file }) => file));
    return true;
  }

  /** Oldest first. A folder that does not exist holds none. */
  async #kept(): Promise<Kept[]> {
    const names = await this.#folder.list().catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    return names.flatMap((file) => {
      const [, sequence, kind] = NAME.exec(file) ?? [];
      if (kind !== undefined)
        return [{ file, sequence: Number(sequence), isDraft: kind === 'draft' }];
      this.#onProblem(new ArchiveFault('foreign_file', 'not the name of a snapshot', { file }));
      return [];
    });
  }

  async #read(file: string): Promise<Snapshot> {
    const contents = await this.#folder.read(file);
    const found = readLabel('snapshot', file, contents);
    return { info: infoFrom(file, found), bytes: await unpack(found, contents) };
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

  /** Calls back exactly once. Errors thrown by `done` itself are not caught here. */
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

/** The name must match the label: a renamed file would pass for another frame. */
function infoFrom(file: string, { about }: Label): SnapshotInfo {
  const isNamed = NAME.exec(file)?.[1] === String(about.sequence).padStart(16, '0');
  if (isNamed && isInfo(about)) return about;
  throw new ArchiveFault('damaged', 'the label does not describe a snapshot', { file });
}

function isInfo(about: Label['about']): about is Label['about'] & SnapshotInfo {
  return (
    NUMBERS.every((name) => Number.isSafeInteger(about[name])) &&
    TEXTS.every((name) => typeof about[name] === 'string')
  );
}
