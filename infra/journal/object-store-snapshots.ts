// Snapshots in JetStream's object store, in compressed chunks. The description of an object holds
// its status, which one write changes only if nothing else changed since it was read back. A crash
// in between leaves a draft, and a draft is never used as a snapshot.

import type { Nats } from '../bus/index.ts';
import { systemClock } from '../process/index.ts';
import { type Described, type Description, NatsBucket } from './nats-bucket.ts';
import { ChunkFault, openChunk, SNAPSHOT_FORMAT, sealChunk } from './snapshot-chunk.ts';
import type {
  ChunkAnswer,
  Snapshot,
  SnapshotAnswer,
  SnapshotChunks,
  SnapshotInfo,
  SnapshotStore,
} from './snapshot-port.ts';
import { chunksOf } from './snapshot-source.ts';

type ObjectStoreSnapshotsOptions = {
  readonly nats: Nats;
  /** Created by createStreams. */
  readonly bucket: string;
  /** Receives every damaged snapshot, and the reason of every failed call. */
  readonly onProblem: (problem: unknown) => void;
  /** The time limit of one step, such as one chunk; a disconnect ends it earlier. */
  readonly stepTimeoutMs?: number;
};

const STEP_TIMEOUT_MS = 20_000;

type Status = 'draft' | 'counts';

type Kept = Described & { readonly sequence: number; readonly status: Status };

export class ObjectStoreSnapshots implements SnapshotStore {
  readonly #nats: Nats;
  readonly #bucketName: string;
  readonly #onProblem: (problem: unknown) => void;
  readonly #stepTimeoutMs: number;
  #opened: Promise<NatsBucket> | undefined;
  /** Settles with the last requested change: changes are made one after another. */
  #changes: Promise<unknown> = Promise.resolve();
  /** The drafts that were read back here, as they were then. Only these can be confirmed. */
  readonly #readBack = new Map<number, Described>();

  constructor(options: ObjectStoreSnapshotsOptions) {
    this.#nats = options.nats;
    this.#bucketName = options.bucket;
    this.#onProblem = options.onProblem;
    this.#stepTimeoutMs = options.stepTimeoutMs ?? STEP_TIMEOUT_MS;
  }

  newest(atMost: number, done: (answer: SnapshotAnswer) => void): void {
    this.#answer<SnapshotAnswer>(this.#newest(atMost), 'unavailable', done);
  }

  write(snapshot: Snapshot, done: (isDone: boolean) => void): void {
    this.#change(() => this.#write(snapshot), done);
  }

  readDraft(sequence: number, done: (answer: SnapshotAnswer) => void): void {
    this.#answer<SnapshotAnswer>(this.#readDraft(sequence), 'unavailable', done);
  }

  confirm(sequence: number, done: (isDone: boolean) => void): void {
    this.#change(() => this.#step((bucket) => this.#confirm(bucket, sequence)), done);
  }

  prune(keep: number, done: (isDone: boolean) => void): void {
    this.#change(() => this.#prune(keep), done);
  }

  async #newest(atMost: number): Promise<SnapshotAnswer> {
    const names = await this.#step((bucket) => bucket.names());
    const sequences = names.map(sequenceOf).filter((sequence) => sequence <= atMost);
    for (const sequence of sequences.toSorted((a, b) => b - a)) {
      const kept = await this.#describe(sequence);
      if (kept?.status !== 'counts') continue;
      const snapshot = this.#open(kept);
      if (snapshot !== 'none') return snapshot;
    }
    return 'none';
  }

  async #write(snapshot: Snapshot): Promise<boolean> {
    const { info } = snapshot;
    const { sequence } = info;
    const name = nameOf(sequence);
    const found = await this.#step((bucket) => bucket.describe(name));
    if (keptOf(found)?.status === 'counts') return true;
    this.#readBack.delete(sequence);
    const object = await this.#step(async (bucket) => bucket.begin());
    let index = 0;
    for await (const chunk of chunksOf(snapshot)) {
      const sealed = await sealChunk({ sequence, index: index++ }, chunk);
      await this.#step(() => object.add(sealed));
    }
    const metadata = metadataOf('draft', info);
    return this.#step(() => object.describe({ name, metadata }, found));
  }

  async #readDraft(sequence: number): Promise<SnapshotAnswer> {
    const kept = await this.#describe(sequence);
    if (kept === undefined) return 'none';
    const snapshot = this.#open(kept);
    if (snapshot !== 'none') this.#readBack.set(sequence, kept);
    return snapshot;
  }

  async #describe(sequence: number): Promise<Kept | undefined> {
    return keptOf(await this.#step((bucket) => bucket.describe(nameOf(sequence))));
  }

  #open({ description, sequence }: Kept): Snapshot | 'none' {
    const info = infoOf(description, sequence);
    if (typeof info !== 'string') return { info, chunks: () => this.#chunks(info, description) };
    this.#onProblem(new Error(`snapshot ${sequence} ${info}`));
    return 'none';
  }

  #chunks({ sequence }: SnapshotInfo, description: Description): SnapshotChunks {
    let index = 0;
    let position = 0;
    const next = async (): Promise<ChunkAnswer> => {
      if (index === description.chunks) return 'end';
      const place = { sequence, index: index++ };
      const found = await this.#step((bucket) => bucket.readChunk(description, position));
      try {
        if (found === undefined) throw new ChunkFault(place, 'the chunk is missing');
        position = found.position;
        return await openChunk(place, found.bytes);
      } catch (fault) {
        if (!(fault instanceof ChunkFault)) throw fault;
        this.#onProblem(fault);
        return 'damaged';
      }
    };
    return { next: (done) => this.#answer(next(), 'unavailable', done) };
  }

  async #confirm(bucket: NatsBucket, sequence: number): Promise<boolean> {
    const draft = this.#readBack.get(sequence);
    if (draft === undefined) throw new Error(`Snapshot ${sequence} has not been read back.`);
    const metadata = { ...draft.description.metadata, status: 'counts' satisfies Status };
    const isAccepted = await bucket.updateDescription(draft, metadata);
    // The response to an earlier call might have been lost.
    const isDone = isAccepted || (await this.#isVerified(bucket, draft));
    if (isDone) this.#readBack.delete(sequence);
    else this.#onProblem(new Error(`Snapshot ${sequence} has changed since it was read back.`));
    return isDone;
  }

  async #isVerified(
    bucket: NatsBucket,
    { description: { name, nuid } }: Described,
  ): Promise<boolean> {
    const kept = keptOf(await bucket.describe(name));
    return kept?.status === 'counts' && kept.description.nuid === nuid;
  }

  async #prune(keep: number): Promise<boolean> {
    const all: Described[] = [];
    for (const name of await this.#step((bucket) => bucket.names())) {
      const described = await this.#step((bucket) => bucket.describe(name));
      if (described !== undefined) all.push(described);
    }
    const outdated = outdatedOf(all, keep);
    for (const { description } of outdated) {
      this.#readBack.delete(sequenceOf(description.name));
      await this.#step((bucket) => bucket.remove(description));
    }
    const left = all.filter((one) => !outdated.includes(one));
    const described = left.map(({ description }) => description);
    await this.#step((bucket) => bucket.removeUndescribed(described));
    return true;
  }

  #change(change: () => Promise<boolean>, done: (isDone: boolean) => void): void {
    const changed = this.#changes.then(change);
    this.#changes = changed.catch(() => {});
    this.#answer(changed, false, done);
  }

  /** Calls back exactly once. Errors thrown by `done` itself are not caught here. */
  #answer<Value>(asked: Promise<Value>, otherwise: Value, done: (answer: Value) => void): void {
    const answered = asked.catch((problem: unknown) => {
      this.#onProblem(problem);
      return otherwise;
    });
    void answered.then(done);
  }

  /** Ends within the time limit, whatever the servers do. */
  async #step<Value>(work: (bucket: NatsBucket) => Promise<Value>): Promise<Value> {
    const ended = Promise.withResolvers<never>();
    const timer = systemClock.after(this.#stepTimeoutMs, () =>
      ended.reject(new Error('Timed out.')),
    );
    const watch = this.#nats.watch(() => ended.reject(new Error('Disconnected from NATS.')));
    try {
      if (!this.#nats.isConnected) throw new Error('Not connected to NATS.');
      return await Promise.race([this.#bucket().then(work), ended.promise]);
    } finally {
      timer.cancel();
      watch.stop();
    }
  }

  #bucket(): Promise<NatsBucket> {
    const opened = (this.#opened ??= NatsBucket.open(this.#nats.client, this.#bucketName));
    opened.catch(() => {
      if (this.#opened === opened) this.#opened = undefined;
    });
    return opened;
  }
}

/** All but the newest `keep` verified ones, older drafts, and partly removed objects. */
function outdatedOf(all: readonly Described[], keep: number): Described[] {
  const verified = all
    .map(keptOf)
    .filter((one) => one?.status === 'counts')
    .map((one) => one!.sequence)
    .toSorted((a, b) => b - a);
  const oldestKept = verified.slice(0, keep).at(-1) ?? 0;
  return all.filter(
    ({ description }) => sequenceOf(description.name) < oldestKept || description.deleted === true,
  );
}

const NAME = /^snapshot-([0-9]{16})$/;

function nameOf(sequence: number): string {
  return `snapshot-${String(sequence).padStart(16, '0')}`;
}

// Objects of other names have no number, compare as false, and are left alone.
function sequenceOf(name: string): number {
  return Number(NAME.exec(name)?.[1] ?? Number.NaN);
}

/** Undefined for a removed object. */
function keptOf(described: Described | undefined): Kept | undefined {
  if (described === undefined || described.description.deleted === true) return undefined;
  const { name, metadata } = described.description;
  const status = metadata?.status === 'counts' ? 'counts' : 'draft';
  return { ...described, sequence: sequenceOf(name), status };
}

function metadataOf(status: Status, info: SnapshotInfo): Record<string, string> {
  return { status, format: String(SNAPSHOT_FORMAT), info: JSON.stringify(info) };
}

const NUMBERS = ['epoch', 'timeMs', 'commandsApplied'] as const;
const TEXTS = ['frameHash', 'stateHash'] as const;

/** A text is the reason why it cannot be used. */
function infoOf({ chunks, metadata }: Description, sequence: number): SnapshotInfo | string {
  const format = Number(metadata?.format ?? 1);
  if (format !== SNAPSHOT_FORMAT) return `has format ${format} (expected ${SNAPSHOT_FORMAT})`;
  const info = parseInfo(metadata?.info ?? '');
  const isSound =
    Number.isSafeInteger(chunks) &&
    info?.sequence === sequence &&
    NUMBERS.every((name) => Number.isSafeInteger(info[name])) &&
    TEXTS.every((name) => typeof info[name] === 'string');
  return isSound ? info : 'has an invalid description';
}

function parseInfo(text: string): SnapshotInfo | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
