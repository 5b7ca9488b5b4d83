// The leader's door: gateways that dial it speak to it without NATS between. It is a bus around
// another: what has no line goes through that one. It takes nothing from who has no proof.

import { createServer, type Server, type Socket } from 'node:net';
import type { Bus, Subscription } from '../bus/index.ts';
import type { Clock, Timer } from '../process/index.ts';
import { BATCH_BYTES_MAX } from './batch.ts';
import {
  decodeWord,
  drawNonce,
  drawToken,
  encodeWord,
  HANDSHAKE_BYTES_MAX,
  HANDSHAKE_WITHIN_MS,
  isProof,
  type LinkAddress,
  proofBy,
} from './handshake.ts';
import { LinkConnection, LOOK_EVERY_MS } from './link-connection.ts';
import { Receivers } from './receivers.ts';
import type { LinkSubjects } from './subjects.ts';

export interface LinkServerOptions {
  readonly bus: Bus;
  readonly clock: Clock;
  /** What comes over a line is taken as if it had come on the subject of commands. */
  readonly subjects: LinkSubjects;
  readonly listenHost: string;
  /** 0: any that is free. */
  readonly port: number;
  /** What gateways are told to dial. */
  readonly host: string;
}

/** Longer than any batch: the last command of a full one may stand beyond its bound. */
const MESSAGE_BYTES_MAX = 2 * BATCH_BYTES_MAX;
const LINES_MAX = 4_096;
const CLOSE_WITHIN_MS = 1_000;

export class LinkServer implements Bus {
  readonly #options: LinkServerOptions;
  readonly #server: Server;
  readonly #token = drawToken();
  readonly #receivers: Receivers;
  /** Those that have shown their proof, by the subject they want. */
  readonly #lines = new Map<string, LinkConnection>();
  readonly #all = new Set<LinkConnection>();
  #looking: Timer | undefined;

  constructor(options: LinkServerOptions) {
    this.#options = options;
    this.#receivers = new Receivers(options.bus, options.subjects.commands);
    this.#server = createServer((socket) => this.#welcome(socket));
    this.#server.maxConnections = LINES_MAX;
  }

  /** What gateways need to know. */
  async open(): Promise<LinkAddress> {
    const { host, listenHost, port } = this.#options;
    await new Promise<void>((done, fail) => {
      // Stays for ever: a connection that can not be accepted is no reason to end.
      this.#server.on('error', fail);
      this.#server.listen({ host: listenHost, port }, done);
    });
    this.#look();
    const address = this.#server.address() as { port: number };
    return { host, port: address.port, token: this.#token };
  }

  get lineCount(): number {
    return this.#lines.size;
  }

  publish(subject: string, message: Uint8Array): void {
    const line = this.#lines.get(subject);
    if (line === undefined) this.#options.bus.publish(subject, message);
    else line.send(message);
  }

  subscribe(subject: string, receive: Parameters<Bus['subscribe']>[1]): Subscription {
    return this.#receivers.subscribe(subject, receive);
  }

  /** What was said last still goes out, for a limited time. */
  async close(): Promise<void> {
    this.#looking?.cancel();
    this.#server.close();
    const lines = [...this.#all];
    await new Promise<void>((done) => {
      const timer = this.#options.clock.after(CLOSE_WITHIN_MS, done);
      const ended = lines.map((line) => new Promise<void>((resolve) => line.end(resolve)));
      void Promise.all(ended).then(() => {
        timer.cancel();
        done();
      });
    });
    for (const line of lines) line.close();
  }

  /** What is said to a gateway that is not there any more is lost, as long as it has a line. */
  #look(): void {
    for (const line of this.#lines.values()) line.look({ isOpen: true });
    this.#looking = this.#options.clock.after(LOOK_EVERY_MS, () => this.#look());
  }

  #welcome(socket: Socket): void {
    const { clock } = this.#options;
    let subject = '';
    let expected = '';
    let isProven = false;
    const line = new LinkConnection({
      socket,
      messageBytesMax: () => (isProven ? MESSAGE_BYTES_MAX : HANDSHAKE_BYTES_MAX),
      onMessage: (message) => {
        if (!isProven) (expected === '' ? hear : confirm)(message);
        else if (message.length > 0) this.#receivers.tell(message);
      },
      onClosed: () => {
        patience.cancel();
        this.#all.delete(line);
        if (this.#lines.get(subject) === line) this.#lines.delete(subject);
      },
    });
    const patience = clock.after(HANDSHAKE_WITHIN_MS, () => line.close());
    this.#all.add(line);

    const hear = (message: Uint8Array) => {
      const hello = decodeWord(message, ['nonce', 'subject']);
      // Beats, say, are for everybody: no line may take them away.
      if (hello === undefined || !this.#options.subjects.isResults(hello.subject)) {
        line.close();
        return;
      }
      const nonce = drawNonce();
      subject = hello.subject;
      expected = proofBy('gateway', this.#token, nonce);
      line.send(encodeWord({ nonce, proof: proofBy('door', this.#token, hello.nonce) }));
    };

    const confirm = (message: Uint8Array) => {
      const word = decodeWord(message, ['proof']);
      if (word === undefined || !isProof(word.proof, expected)) {
        line.close();
        return;
      }
      isProven = true;
      patience.cancel();
      // Who dials again has lost the line before.
      this.#lines.get(subject)?.close();
      this.#lines.set(subject, line);
    };
  }
}
