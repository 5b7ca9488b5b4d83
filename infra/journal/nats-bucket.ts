// A bucket of JetStream's object store: named objects in chunks, each with a small description. A
// description is changed only if it still is what its writer last read. Orphaned chunks are
// removable.

import { type JetStreamClient, type JetStreamManager, jetstream } from '@nats-io/jetstream';
import { type ObjectStore, Objm, setSha256Backend } from '@nats-io/obj';
import type { NatsConnection } from '@nats-io/transport-node';
import { isWrongLastSequence } from './nats-appends.ts';
import { bucketStream } from './nats-stream-settings.ts';

/** The store's own description of an object. */
export type Description = {
  readonly name: string;
  /** Names the chunks. */
  readonly nuid: string;
  readonly size: number;
  readonly chunks: number;
  readonly deleted?: boolean;
  readonly metadata?: Readonly<Record<string, string>>;
};

export type Described = {
  readonly description: Description;
  /** Changes with every change of the description. */
  readonly revision: number;
};

// Each chunk is one message, acknowledged before the next is sent.
const CHUNK_BYTES = 1024 * 1024;
const REQUEST_TIMEOUT_MS = 5_000;

/** The stored object is not what was written. */
export class DamageFault extends Error {
  override readonly name = 'DamageFault';
}

export class NatsBucket {
  readonly #name: string;
  readonly #stream: string;
  readonly #client: JetStreamClient;
  readonly #manager: JetStreamManager;
  readonly #objects: ObjectStore;

  private constructor(
    name: string,
    parts: { client: JetStreamClient; manager: JetStreamManager; objects: ObjectStore },
  ) {
    this.#name = name;
    this.#stream = bucketStream(name);
    this.#client = parts.client;
    this.#manager = parts.manager;
    this.#objects = parts.objects;
  }

  /** The bucket must exist. */
  static async open(connection: NatsConnection, name: string): Promise<NatsBucket> {
    setSha256Backend('native');
    const client = jetstream(connection, { timeout: REQUEST_TIMEOUT_MS });
    const manager = await client.jetstreamManager(false);
    const objects = await new Objm(client).open(name);
    return new NatsBucket(name, { client, manager, objects });
  }

  async names(): Promise<string[]> {
    const subjects = Object.keys(await this.#countBySubject(`${this.#prefix('M')}>`));
    return subjects.map((subject) => nameOf(subject.slice(this.#prefix('M').length)));
  }

  /** Undefined when there is no object of that name. A removed object has `deleted` set. */
  async describe(name: string): Promise<Described | undefined> {
    const found = await this.#manager.streams.getMessage(this.#stream, {
      last_by_subj: this.#descriptionSubject(name),
    });
    return found === null ? undefined : { description: found.json(), revision: found.seq };
  }

  /** False if the object has changed since `over` was read; undefined means that none existed. */
  async put(
    object: { name: string; bytes: Uint8Array; metadata: Record<string, string> },
    over: Described | undefined,
  ): Promise<boolean> {
    const { name, bytes, metadata } = object;
    const options = { max_chunk_size: CHUNK_BYTES };
    const previousRevision = over?.revision ?? 0;
    return isAccepted(
      this.#objects.putBlob({ name, options, metadata }, bytes, { previousRevision }),
    );
  }

  /** False if the object has changed since `over` was read. */
  async updateDescription(over: Described, metadata: Record<string, string>): Promise<boolean> {
    const { description, revision } = over;
    const subject = this.#descriptionSubject(description.name);
    const body = JSON.stringify({ ...description, metadata });
    const expect = { lastSubjectSequence: revision };
    return isAccepted(this.#client.publish(subject, body, { expect }));
  }

  /** Throws DamageFault when the bytes are not those that were written. */
  async read({ name, size, chunks, nuid }: Description, signal: AbortSignal): Promise<Uint8Array> {
    // The client would wait without end for a missing first chunk.
    const chunkSubject = this.#prefix('C') + nuid;
    const foundCount = (await this.#countBySubject(chunkSubject))[chunkSubject] ?? 0;
    if (foundCount !== chunks) {
      throw new DamageFault(`${name} has ${foundCount} of ${chunks} chunks`);
    }
    const found = await this.#objects.get(name);
    if (found === null) throw new DamageFault(`${name} no longer exists`);
    // The stream of bytes reports the same error.
    found.error.catch(() => {});
    return readAll(found.data, { name, size, signal });
  }

  /** Removes the description last, so that another process can finish an interrupted removal. */
  async remove(name: string): Promise<void> {
    await this.#objects.delete(name);
    await this.#purge(this.#descriptionSubject(name));
  }

  /** Removes chunks of writers that died before they wrote a description. */
  async removeUndescribed(described: readonly Description[]): Promise<void> {
    const known = new Set(described.map(({ nuid }) => this.#prefix('C') + nuid));
    for (const subject of Object.keys(await this.#countBySubject(`${this.#prefix('C')}>`))) {
      if (!known.has(subject)) await this.#purge(subject);
    }
  }

  async #purge(subject: string): Promise<void> {
    await this.#manager.streams.purge(this.#stream, { filter: subject });
  }

  async #countBySubject(filter: string): Promise<Record<string, number>> {
    const info = await this.#manager.streams.info(this.#stream, { subjects_filter: filter });
    return info.state.subjects ?? {};
  }

  #descriptionSubject(name: string): string {
    return this.#prefix('M') + Buffer.from(name).toString('base64url') + padding(name);
  }

  // C: chunks. M: descriptions.
  #prefix(kind: 'C' | 'M'): string {
    return `$O.${this.#name}.${kind}.`;
  }
}

// The store's subjects use base64 with padding, which Node omits.
function padding(name: string): string {
  return '='.repeat((3 - (Buffer.byteLength(name) % 3)) % 3);
}

function nameOf(encoded: string): string {
  return Buffer.from(encoded, 'base64url').toString();
}

async function isAccepted(publishing: Promise<unknown>): Promise<boolean> {
  try {
    await publishing;
    return true;
  } catch (fault) {
    if (isWrongLastSequence((fault as { code?: unknown }).code)) return false;
    throw fault;
  }
}

type Wanted = { readonly name: string; readonly size: number; readonly signal: AbortSignal };

async function readAll(
  stream: ReadableStream<Uint8Array>,
  { name, size, signal }: Wanted,
): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafe(size);
  const reader = stream.getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  signal.addEventListener('abort', cancel);
  let at = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (at + value.length > size) throw new DamageFault(`${name} is longer than ${size} bytes`);
      bytes.set(value, at);
      at += value.length;
    }
  } catch (fault) {
    cancel();
    if (!/digests do not match/.test(String(fault))) throw fault;
    throw new DamageFault(`${name} has a wrong digest`, { cause: fault });
  } finally {
    signal.removeEventListener('abort', cancel);
  }
  signal.throwIfAborted();
  if (at !== size) throw new DamageFault(`${name} has ${at} of ${size} bytes`);
  return bytes;
}
