// Snapshots in JetStream's object store, compressed. The description of an object holds its status,
// which one write changes only if nothing else changed since it was read back. A crash in between
// leaves a draft, and a draft is never used as a snapshot.

import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';
import type { Nats } from '../bus/index.ts';
import { systemClock } from '../process/index.ts';
import { DamageFault, type Described, type Description, NatsBucket } from './nats-bucket.ts';
import type { Snapshot, SnapshotAnswer, SnapshotInfo, SnapshotStore } from './snapshot-port.ts';

type ObjectStoreSnapshotsOptions = {
  readonly nats: Nats;
  /** Created by ensureStreams. */
  readonly bucket: string;
  /** Receives every damaged snapshot, and the reason of every failed call. */
  readonly onProblem: (problem: unknown) => void;
  /** The time limit of one call; a disconnect ends it earlier. */
  readonly timeoutMs?: number;
};

const TIMEOUT_MS = 60_000;
// A larger size is treated as damage.
const BYTES_MAX = 2 ** 31;
const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
// Each step of the compressor is a task of another thread: few large steps take a third of the
// time. Levels above 1 take five times as long and save little.
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
  /** Settles with the last requested change: changes are made one after another. */
  #changes: Promise<unknown> = Promise.resolve();
  /** The drafts that were read back here, as they were then. Only these can be confirmed. */
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
    if (draft === undefined) throw new Error(`Snapshot ${sequence} has not been read back.`);
    const metadata = { ...draft.description.metadata, status: 'counts' satisfies Status };
    const isAccepted = await bucket.updateDescription(draft, metadata);
    // The answer to an earlier call may have been lost.
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

  /** Answers once within the time limit, whatever the servers do. Never rejects. */
  async #within<Value>(work: Work<Value>, otherwise: Value): Promise<Value> {
    const end = new AbortController();
    const timer = systemClock.after(this.#timeoutMs, () => end.abort(new Error('Timed out.')));
    const watch = this.#nats.watch(() => end.abort(new Error('Disconnected from NATS.')));
    try {
      if (!this.#nats.isConnected) throw new Error('Not connected to NATS.');
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
  if (!isSound) throw new DamageFault(`snapshot ${sequence} has an invalid description`);
  return { info, byteCount };
}

function parseInfo(text: string): SnapshotInfo | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
