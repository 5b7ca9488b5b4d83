// Cursor and checkpoint in a stream that keeps each subject's last message. A checkpoint is written
// to the slot that the previous one does not use, and becomes valid when its head is written.

import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import type { Nats } from '../../infra/bus/index.ts';
import type { FeedSubjects } from '../../infra/live-feed/index.ts';
import type { Checkpoint, FeedStore } from './feed-port.ts';
import type { StreamConfig } from './nats-streams.ts';

export interface NatsFeedStoreOptions {
  readonly nats: Nats;
  readonly subjects: FeedSubjects;
  /** Called for every damaged checkpoint and every failed operation. */
  onProblem(problem: unknown): void;
}

// A server's default message limit is a mebibyte.
const CHUNK_BYTES = 512 * 1024;
const TIMEOUT_MS = 5_000;
const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

type Head = {
  readonly message: number;
  readonly place: 0 | 1;
  readonly chunks: number;
  /** SHA-256 of the compressed bytes. */
  readonly sha256: string;
};

export function feedStateStream(subjects: FeedSubjects, replicas: number): StreamConfig {
  return {
    name: subjects.stateStream,
    subjects: [`${subjects.state}.>`],
    num_replicas: replicas,
    storage: 'file',
    max_msgs_per_subject: 1,
    allow_direct: true,
  };
}

export class NatsFeedStore implements FeedStore {
  readonly #nats: Nats;
  readonly #subjects: FeedSubjects;
  readonly #onProblem: (problem: unknown) => void;

  constructor({ nats, onProblem, subjects }: NatsFeedStoreOptions) {
    this.#nats = nats;
    this.#subjects = subjects;
    this.#onProblem = onProblem;
  }

  readCursor(done: (cursor: number | 'none' | undefined) => void): void {
    this.#call(async () => {
      const found = await this.#read('cursor');
      return found === undefined ? 'none' : Number(found.toString());
    }, done);
  }

  writeCursor(message: number, done: (isDone: boolean) => void): void {
    this.#call(
      () => this.#write('cursor', Buffer.from(String(message))),
      (isDone) => done(isDone !== undefined),
    );
  }

  readCheckpoint(done: (bytes: Uint8Array | 'none' | undefined) => void): void {
    this.#call(() => this.#readCheckpoint(), done);
  }

  writeCheckpoint(checkpoint: Checkpoint, done: (isDone: boolean) => void): void {
    this.#call(
      () => this.#writeCheckpoint(checkpoint),
      (isDone) => done(isDone !== undefined),
    );
  }

  #call<Result>(task: () => Promise<Result>, done: (result: Result | undefined) => void): void {
    task().then(done, (problem: unknown) => {
      this.#onProblem(problem);
      done(undefined);
    });
  }

  async #readCheckpoint(): Promise<Uint8Array | 'none'> {
    const head = await this.#readHead();
    if (head === undefined) return 'none';
    const chunks: Buffer[] = [];
    for (let chunk = 0; chunk < head.chunks; chunk += 1) {
      const found = await this.#read(`${head.place}.${chunk}`);
      if (found !== undefined) chunks.push(found);
    }
    const bytes = Buffer.concat(chunks);
    if (hash('sha256', bytes) !== head.sha256) {
      this.#onProblem(new Error(`checkpoint at message ${head.message} is damaged`));
      return 'none';
    }
    return decompress(bytes);
  }

  async #writeCheckpoint({ chunks, message }: Checkpoint): Promise<true> {
    const bytes = await compress(Buffer.concat(chunks));
    const place = (await this.#readHead())?.place === 0 ? 1 : 0;
    const count = Math.ceil(bytes.length / CHUNK_BYTES);
    for (let chunk = 0; chunk < count; chunk += 1) {
      const from = chunk * CHUNK_BYTES;
      await this.#write(`${place}.${chunk}`, bytes.subarray(from, from + CHUNK_BYTES));
    }
    const head: Head = { message, place, chunks: count, sha256: hash('sha256', bytes) };
    return this.#write('head', Buffer.from(JSON.stringify(head)));
  }

  async #readHead(): Promise<Head | undefined> {
    const found = await this.#read('head');
    return found && (JSON.parse(found.toString()) as Head);
  }

  /** Reads from the stream's leader. */
  async #read(name: string): Promise<Buffer | undefined> {
    const api = `$JS.API.STREAM.MSG.GET.${this.#subjects.stateStream}`;
    const body = JSON.stringify({ last_by_subj: `${this.#subjects.state}.${name}` });
    const answer = await this.#nats.client.request(api, body, { timeout: TIMEOUT_MS });
    const { error, message } = answer.json<Stored>();
    if (error?.err_code === NO_MESSAGE) return undefined;
    if (error !== undefined || message === undefined) {
      throw new Error(`${name}: ${error?.description ?? 'no response'}`);
    }
    return Buffer.from(message.data ?? '', 'base64');
  }

  async #write(name: string, bytes: Uint8Array): Promise<true> {
    const subject = `${this.#subjects.state}.${name}`;
    const answer = await this.#nats.client.request(subject, bytes, { timeout: TIMEOUT_MS });
    const { error, seq } = answer.json<{ seq?: number; error?: Stored['error'] }>();
    if (seq === undefined) throw new Error(`${name}: ${error?.description ?? 'not stored'}`);
    return true;
  }
}

const NO_MESSAGE = 10_037;

type Stored = {
  readonly message?: { readonly data?: string };
  readonly error?: { readonly err_code?: number; readonly description?: string };
};
