// Snapshots in a folder, each a label and its chunks: `.draft` until verified, then `.snapshot`. A
// damaged label or chunk is reported, and an older snapshot is used.

import { ArchiveFault } from './archive-fault.ts';
import { ArchiveFolder } from './archive-folder.ts';
import { LABEL_BYTES_MAX, type Label, labelBytes, readLabel } from './archive-pack.ts';
import {
  CHUNK_HEADER_BYTES,
  ChunkFault,
  openChunk,
  sealChunk,
  sealedBytes,
} from './snapshot-chunk.ts';
import {
  type ChunkAnswer,
  readChunks,
  type Snapshot,
  type SnapshotAnswer,
  type SnapshotChunks,
  type SnapshotInfo,
  type SnapshotStore,
} from './snapshot-port.ts';
import { chunksOf } from './snapshot-source.ts';

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
      const snapshot = await this.#unlessDamaged(() => this.#read(file));
      if (snapshot !== 'none') found.push(snapshot.info);
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

  async #write(snapshot: Snapshot): Promise<boolean> {
    await this.#folder.make();
    const { sequence } = snapshot.info;
    const verified = await this.#readOne(sequence, 'snapshot');
    if (typeof verified !== 'string' && (await isIntact(verified))) return true;
    await this.#folder.replace(fileName(sequence, 'draft'), {
      startBytes: labelOf({}).length,
      rest: bodyOf(snapshot),
      start: () => labelOf(snapshot.info),
    });
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
    const { bytes } = await this.#folder.readStart(file, LABEL_BYTES_MAX);
    const label = readLabel('snapshot', file, bytes);
    return { info: infoFrom(file, label), chunks: () => this.#chunks(label) };
  }

  #chunks({ about: { sequence }, bodyAt, file }: Label): SnapshotChunks {
    let at = bodyAt;
    let index = 0;
    const next = async (): Promise<ChunkAnswer> => {
      const place = { sequence: sequence as number, index: index++ };
      const { bytes: header } = await this.#folder.readAt(file, at, CHUNK_HEADER_BYTES);
      if (header.length < CHUNK_HEADER_BYTES) throw new ChunkFault(place, 'the chunk is missing');
      const { bytes, fileBytes } = await this.#folder.readAt(file, at, sealedBytes(header));
      at += bytes.length;
      const content = await openChunk(place, bytes);
      if (content.length > 0) return content;
      if (at !== fileBytes) throw new ChunkFault(place, 'bytes follow the last chunk');
      return 'end';
    };
    const nextUnlessDamaged = async (): Promise<ChunkAnswer> => {
      try {
        return await next();
      } catch (fault) {
        if (!(fault instanceof ChunkFault)) throw fault;
        this.#onProblem(new ArchiveFault('damaged', fault.message, { file, cause: fault }));
        return 'damaged';
      }
    };
    return { next: (done) => this.#answer(nextUnlessDamaged(), 'unavailable', done) };
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

/** The length of a label's second line: every description of a snapshot is shorter. */
const LINE_BYTES = 512;

function labelOf(info: object): Uint8Array {
  return labelBytes('snapshot', info, LINE_BYTES);
}

async function* bodyOf(snapshot: Snapshot): AsyncGenerator<Uint8Array> {
  const { sequence } = snapshot.info;
  let index = 0;
  for await (const chunk of chunksOf(snapshot))
    yield sealChunk({ sequence, index: index++ }, chunk);
  yield sealChunk({ sequence, index }, new Uint8Array(0));
}

async function isIntact(snapshot: Snapshot): Promise<boolean> {
  const outcome = await new Promise((done) => readChunks(snapshot, { add: () => {} }, done));
  if (outcome === 'unavailable') throw new Error('the snapshot cannot be read');
  return outcome === 'end';
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
