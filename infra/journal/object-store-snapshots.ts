// Snapshots in JetStream's object store, compressed. Whether one counts is a word in its own
// description, changed in one write and only as it was when it was read back: so a crash in
// between leaves a draft, and a draft never counts by accident.

import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import type { Nats } from '../bus/index.ts';
import { systemClock } from '../process/index.ts';
import { DamageFault, type Described, type Description, NatsBucket } from './nats-bucket.ts';
import type { Snapshot, SnapshotAnswer, SnapshotInfo, SnapshotStore } from './snapshot-port.ts';

type ObjectStoreSnapshotsOptions = {
  readonly nats: Nats;
  /** Made by ensureStreams. */
  readonly bucket: string;
  /** Hears of every damaged snapshot, and of why something was not done. */
  readonly onProblem: (problem: unknown) => void;
  /** How long one call may take; it ends earlier when the connection is lost. */
  readonly timeoutMs?: number;
};

const TIMEOUT_MS = 60_000;
// A snapshot that says to be larger is not one.
const BYTES_MAX = 2 ** 31;
const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
// Each step of the compressor is a task for another thread: with few large steps it takes a third
// of the time. Levels above 1 take five times as long and make little of a state smaller.
const STEP = { chunkSize: 4 * 1024 * 1024 };
const COMPRESSION = {
  ...STEP,
  params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 },
};

type Status = 'draft' | 'counts';

type Kept = Described & { readonly sequence: number; readonly status: Status };

export class ObjectStoreSnapshots implements SnapshotStore {
  readonly #nats: Nats;
  readonly #bucketName: string;
  readonly #onProblem: (problem: unknown) => void;
  readonly #timeoutMs: number;
  #opened: Promise<NatsBucket> | undefined;
  /** Settled when the last change asked for has ended: changes are made one after another. */
  #changes: Promise<unknown> = Promise.resolve();
  /** The drafts that were read back here, as they were then: no others can be confirmed. */
  readonly #readBack = new Map<number, Described>();

  constructor({ nats, bucket, onProblem, timeoutMs = TIMEOUT_MS }: ObjectStoreSnapshotsOptions) {
    this.#nats = nats;
    this.#bucketName = bucket;
    this.#onProblem = onProblem;
    this.#timeoutMs = timeoutMs;
  }

  newest(atMost: number, done: (answer: SnapshotAnswer) => void): void {
    const work: Work<SnapshotAnswer> = (bucket, signal) => this.#newest(bucket, atMost, signal);
    void this.#within(work, 'unavailable').then(done);
  }

  write(snapshot: Snapshot, done: (isDone: boolean) => void): void {
    this.#change((bucket) => this.#write(bucket, snapshot), done);
  }

  readDraft(sequence: number, done: (answer: SnapshotAnswer) => void): void {
    const work: Work<SnapshotAnswer> = (bucket, signal) =>
      this.#readDraft(bucket, sequence, signal);
    void this.#within(work, 'unavailable').then(done);
  }

  confirm(sequence: number, done: (isDone: boolean) => void): void {
    this.#change((bucket) => this.#confirm(bucket, sequence), done);
  }

  prune(keep: number, done: (isDone: boolean) => void): void {
    this.#change((bucket) => this.#prune(bucket, keep), done);
  }

  async #newest(bucket: NatsBucket, atMost: number, signal: AbortSignal): Promise<SnapshotAnswer> {
    const names = await bucket.names();
    const sequences = names.map(sequenceOf).filter((sequence) => sequence <= atMost);
    for (const sequence of sequences.toSorted((a, b) => b - a)) {
      const kept = keptOf(await bucket.describe(nameOf(sequence)));
      if (kept?.status !== 'counts') continue;
      const snapshot = await this.#unlessDamaged(bucket, kept, signal);
      if (snapshot !== 'none') return snapshot;
    }
    return 'none';
  }

  async #write(bucket: NatsBucket, { info, bytes }: Snapshot): Promise<boolean> {
    const name = nameOf(info.sequence);
    const found = await bucket.describe(name);
    if (keptOf(found)?.status === 'counts') return true;
    this.#readBack.delete(info.sequence);
    const compressed = await compress(bytes, COMPRESSION);
    const metadata = metadataOf('draft', { info, byteCount: bytes.length });
    return bucket.put({ name, bytes: compressed, metadata }, found);
  }

  async #readDraft(
    bucket: NatsBucket,
    sequence: number,
    signal: AbortSignal,
  ): Promise<SnapshotAnswer> {
    const kept = keptOf(await bucket.describe(nameOf(sequence)));
    if (kept === undefined) return 'none';
    const snapshot = await this.#unlessDamaged(bucket, kept, signal);
    if (snapshot !== 'none') this.#readBack.set(sequence, kept);
    return snapshot;
  }

  async #confirm(bucket: NatsBucket, sequence: number): Promise<boolean> {
    const draft = this.#readBack.get(sequence);
    if (draft === undefined) throw new Error(`snapshot ${sequence} has not been read back`);
    const metadata = { ...draft.description.metadata, status: 'counts' satisfies Status };
    const isTaken = await bucket.describeAnew(draft, metadata);
    // The answer to an earlier call may have been lost.
    const isDone = isTaken || (await this.#counts(bucket, draft));
    if (isDone) this.#readBack.delete(sequence);
    else this.#onProblem(new Error(`snapshot ${sequence} has changed since it was read back`));
    return isDone;
  }

  async #counts(bucket: NatsBucket, { description: { name, nuid } }: Described): Promise<boolean> {
    const kept = keptOf(await bucket.describe(name));
    return kept?.status === 'counts' && kept.description.nuid === nuid;
  }

  async #prune(bucket: NatsBucket, keep: number): Promise<boolean> {
    const all: Described[] = [];
    for (const name of await bucket.names()) {
      const described = await bucket.describe(name);
      if (described !== undefined) all.push(described);
    }
    const outdated = outdatedOf(all, keep);
    for (const { description } of outdated) {
      this.#readBack.delete(sequenceOf(description.name));
      await bucket.remove(description.name);
    }
    const left = all.filter((one) => !outdated.includes(one));
    await bucket.removeUndescribed(left.map(({ description }) => description));
    return true;
  }

  async #unlessDamaged(
    bucket: NatsBucket,
    { description, sequence }: Kept,
    signal: AbortSignal,
  ): Promise<Snapshot | 'none'> {
    try {
      const { info, byteCount } = aboutOf(description.metadata, sequence);
      const compressed = await bucket.read(description, signal);
      return { info, bytes: await expand(description.name, compressed, byteCount) };
    } catch (fault) {
      if (!(fault instanceof DamageFault)) throw fault;
      this.#onProblem(fault);
      return 'none';
    }
  }

  #change(change: (bucket: NatsBucket) => Promise<boolean>, done: (isDone: boolean) => void): void {
    const changed = this.#changes.then(() => this.#within(change, false));
    this.#changes = changed;
    void changed.then(done);
  }

  /** One answer within a bounded time, whatever the servers do. Never rejects. */
  async #within<Value>(work: Work<Value>, otherwise: Value): Promise<Value> {
    const end = new AbortController();
    const timer = systemClock.after(this.#timeoutMs, () => end.abort(new Error('out of time')));
    const watch = this.#nats.watch(() => end.abort(new Error('the connection was lost')));
    try {
      if (!this.#nats.isConnected) throw new Error('there is no connection to NATS');
      const ended = new Promise<never>((_, reject) => {
        end.signal.addEventListener('abort', () => reject(end.signal.reason));
      });
      const working = this.#open().then((bucket) => work(bucket, end.signal));
      return await Promise.race([working, ended]);
    } catch (problem) {
      this.#onProblem(problem);
      return otherwise;
    } finally {
      timer.cancel();
      watch.stop();
    }
  }

  #open(): Promise<NatsBucket> {
    const opened = (this.#opened ??= NatsBucket.open(this.#nats.client, this.#bucketName));
    opened.catch(() => {
      if (this.#opened === opened) this.#opened = undefined;
    });
    return opened;
  }
}

type Work<Value> = (bucket: NatsBucket, signal: AbortSignal) => Promise<Value>;

/** All but the newest `keep` that count, drafts older than those, and what was half removed. */
function outdatedOf(all: readonly Described[], keep: number): Described[] {
  const counting = all
    .map(keptOf)
    .filter((one) => one?.status === 'counts')
    .map((one) => one!.sequence)
    .toSorted((a, b) => b - a);
  const oldestKept = counting.slice(0, keep).at(-1) ?? 0;
  return all.filter(
    ({ description }) => sequenceOf(description.name) < oldestKept || description.deleted === true,
  );
}

async function expand(name: string, compressed: Uint8Array, byteCount: number): Promise<Buffer> {
  let bytes: Buffer;
  try {
    bytes = await decompress(compressed, { ...STEP, maxOutputLength: byteCount });
  } catch (fault) {
    throw new DamageFault(`${name} cannot be decompressed`, { cause: fault });
  }
  if (bytes.length === byteCount) return bytes;
  throw new DamageFault(`${name} has ${bytes.length} of ${byteCount} bytes`);
}

const NAME = /^snapshot-([0-9]{16})$/;

function nameOf(sequence: number): string {
  return `snapshot-${String(sequence).padStart(16, '0')}`;
}

// What is not ours has no number, is before and after nothing, and is left alone.
function sequenceOf(name: string): number {
  return Number(NAME.exec(name)?.[1] ?? Number.NaN);
}

/** Undefined for what was removed. */
function keptOf(described: Described | undefined): Kept | undefined {
  if (described === undefined || described.description.deleted === true) return undefined;
  const { name, metadata } = described.description;
  const status = metadata?.status === 'counts' ? 'counts' : 'draft';
  return { ...described, sequence: sequenceOf(name), status };
}

type About = { readonly info: SnapshotInfo; readonly byteCount: number };

function metadataOf(status: Status, { info, byteCount }: About): Record<string, string> {
  return { status, info: JSON.stringify(info), byteCount: String(byteCount) };
}

const NUMBERS = ['epoch', 'timeMs', 'commandsApplied'] as const;
const TEXTS = ['frameHash', 'stateHash'] as const;

function aboutOf(metadata: Description['metadata'], sequence: number): About {
  const byteCount = Number(metadata?.byteCount);
  const info = parseInfo(metadata?.info ?? '');
  const isSound =
    byteCount <= BYTES_MAX &&
    info?.sequence === sequence &&
    NUMBERS.every((name) => Number.isSafeInteger(info[name])) &&
    TEXTS.every((name) => typeof info[name] === 'string');
  if (!isSound) throw new DamageFault(`snapshot ${sequence} is not described as one`);
  return { info, byteCount };
}

function parseInfo(text: string): SnapshotInfo | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
