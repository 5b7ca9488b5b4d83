// A bucket of JetStream's object store: named objects in chunks, each with a small description. A
// chunk is one message. A description is changed only if it still is what its writer last read.
// Orphaned chunks are removable.

import { randomUUID } from 'node:crypto';
import { type JetStreamClient, type JetStreamManager, jetstream } from '@nats-io/jetstream';
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

const REQUEST_TIMEOUT_MS = 5_000;

export type StoredChunk = {
  readonly bytes: Uint8Array;
  /** In the stream of the bucket. */
  readonly position: number;
};

export interface NewObject {
  add(chunk: Uint8Array): Promise<void>;
  /**
   * Adds the object to the bucket. False if the description has changed since `over` was read;
   * undefined means that none existed.
   */
  describe(
    named: { readonly name: string; readonly metadata: Record<string, string> },
    over: Described | undefined,
  ): Promise<boolean>;
}

export class NatsBucket {
  readonly #name: string;
  readonly #stream: string;
  readonly #client: JetStreamClient;
  readonly #manager: JetStreamManager;

  private constructor(name: string, parts: { client: JetStreamClient; manager: JetStreamManager }) {
    this.#name = name;
    this.#stream = bucketStream(name);
    this.#client = parts.client;
    this.#manager = parts.manager;
  }

  /** The bucket must exist. */
  static async open(connection: NatsConnection, name: string): Promise<NatsBucket> {
    const client = jetstream(connection, { timeout: REQUEST_TIMEOUT_MS });
    const manager = await client.jetstreamManager(false);
    return new NatsBucket(name, { client, manager });
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

  /** The chunks of a new object. It does not exist before it is described. */
  begin(): NewObject {
    const nuid = randomUUID();
    const subject = this.#prefix('C') + nuid;
    let size = 0;
    let chunks = 0;
    return {
      add: async (chunk) => {
        await this.#client.publish(subject, chunk);
        size += chunk.length;
        chunks++;
      },
      describe: ({ name, metadata }, over) => {
        const description: Description = { name, nuid, size, chunks, metadata };
        const expect = { lastSubjectSequence: over?.revision ?? 0 };
        const body = JSON.stringify(description);
        return isAccepted(this.#client.publish(this.#descriptionSubject(name), body, { expect }));
      },
    };
  }

  /** False if the object has changed since `over` was read. */
  async updateDescription(over: Described, metadata: Record<string, string>): Promise<boolean> {
    const { description, revision } = over;
    const subject = this.#descriptionSubject(description.name);
    const body = JSON.stringify({ ...description, metadata });
    const expect = { lastSubjectSequence: revision };
    return isAccepted(this.#client.publish(subject, body, { expect }));
  }

  /** The first chunk of an object after a position in the stream; undefined if none follows. */
  async readChunk({ nuid }: Description, after: number): Promise<StoredChunk | undefined> {
    // Asks the stream's leader, as for descriptions: a replica may lag. The client's types omit it.
    const request = { seq: after + 1, next_by_subj: this.#prefix('C') + nuid };
    const found = await this.#manager.streams.getMessage(this.#stream, request as { seq: number });
    return found === null ? undefined : { bytes: found.data, position: found.seq };
  }

  /** Removes the description last, so another process can finish an interrupted removal. */
  async remove({ name, nuid }: Description): Promise<void> {
    await this.#purge(this.#prefix('C') + nuid);
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
