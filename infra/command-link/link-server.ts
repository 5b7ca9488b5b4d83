// The leader's link server: gateways connect to it and exchange batches and results without NATS.
// It is a bus that wraps another bus, which carries every subject that has no connection. It
// accepts nothing from peers that have not proved their identity, which then never changes.

import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Bus, Subscription } from '../bus/index.ts';
import { isSignature } from '../identities/index.ts';
import type { Clock, Timer } from '../process/index.ts';
import { BATCH_BYTES_MAX } from './batch.ts';
import {
  decodeHandshake,
  drawNonce,
  drawToken,
  encodeHandshake,
  HANDSHAKE_BYTES_MAX,
  HANDSHAKE_WITHIN_MS,
  isProof,
  type LinkAddress,
  proofBy,
  textToSign,
} from './handshake.ts';
import { LinkConnection, TICK_MS } from './link-connection.ts';
import { Receivers } from './receivers.ts';
import type { LinkSubjects } from './subjects.ts';

export interface LinkServerOptions {
  readonly bus: Bus;
  readonly clock: Clock;
  /** A message from a connection is delivered as if it had arrived on its sender's subject. */
  readonly subjects: LinkSubjects;
  readonly listenHost: string;
  /** 0 chooses any free port. */
  readonly port: number;
  /** The host that gateways connect to, published in heartbeats. */
  readonly host: string;
  /**
   * The public keys of an identity, read when a peer connects. Undefined only in development: then
   * the server believes the name that a peer gives.
   */
  readonly publicKeysOf?: ((identity: string) => readonly string[]) | undefined;
  /** In PEM. With them, the server speaks TLS only. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
}

/** Longer than any batch: the last command of a full batch may exceed the batch's bound. */
const MESSAGE_BYTES_MAX = 2 * BATCH_BYTES_MAX;
const CONNECTIONS_MAX = 4_096;
const TLS_SETTINGS = { minVersion: 'TLSv1.3', handshakeTimeout: HANDSHAKE_WITHIN_MS } as const;
const CLOSE_WITHIN_MS = 1_000;

export class LinkServer implements Bus {
  readonly #options: LinkServerOptions;
  readonly #server: Server;
  readonly #token = drawToken();
  readonly #receivers: Receivers;
  /** Connections that completed the handshake, by the subject that each asked for. */
  readonly #connections = new Map<string, LinkConnection>();
  readonly #all = new Set<LinkConnection>();
  #tickTimer: Timer | undefined;

  constructor(options: LinkServerOptions) {
    this.#options = options;
    this.#receivers = new Receivers(options.bus, options.subjects.commands);
    const accept = (socket: Socket) => this.#accept(socket);
    this.#server =
      options.tls === undefined
        ? createServer(accept)
        : createTlsServer({ ...options.tls, ...TLS_SETTINGS }, accept);
    this.#server.maxConnections = CONNECTIONS_MAX;
  }

  /** Starts listening and returns the address to publish to gateways. */
  async open(): Promise<LinkAddress> {
    const { host, listenHost, port } = this.#options;
    await new Promise<void>((done, fail) => {
      // Never removed: a connection that cannot be accepted must not end the process.
      this.#server.on('error', fail);
      this.#server.listen({ host: listenHost, port }, done);
    });
    this.#tick();
    const address = this.#server.address() as { port: number };
    return { host, port: address.port, token: this.#token };
  }

  get connectionCount(): number {
    return this.#connections.size;
  }

  publish(subject: string, message: Uint8Array): void {
    const connection = this.#connections.get(subject);
    if (connection === undefined) this.#options.bus.publish(subject, message);
    else connection.send(message);
  }

  subscribe(subject: string, receive: Parameters<Bus['subscribe']>[1]): Subscription {
    return this.#receivers.subscribe(subject, receive);
  }

  /** Flushes what was published, for a limited time, and closes all connections. */
  async close(): Promise<void> {
    this.#tickTimer?.cancel();
    this.#server.close();
    const connections = [...this.#all];
    await new Promise<void>((done) => {
      const timer = this.#options.clock.after(CLOSE_WITHIN_MS, done);
      const ended = connections.map(
        (connection) => new Promise<void>((resolve) => connection.end(resolve)),
      );
      void Promise.all(ended).then(() => {
        timer.cancel();
        done();
      });
    });
    for (const connection of connections) connection.close();
  }

  /**
   * A dead gateway's messages are lost until its connection is closed and the bus is used again.
   */
  #tick(): void {
    for (const connection of this.#connections.values()) connection.tick({ isOpen: true });
    this.#tickTimer = this.#options.clock.after(TICK_MS, () => this.#tick());
  }

  #accept(socket: Socket): void {
    const { clock, subjects } = this.#options;
    let subject = '';
    let sentOn = '';
    let expected = '';
    let nonces = { server: '', gateway: '' };
    let isProven = false;
    const connection = new LinkConnection({
      socket,
      messageBytesMax: () => (isProven ? MESSAGE_BYTES_MAX : HANDSHAKE_BYTES_MAX),
      onMessage: (message) => {
        if (!isProven) (expected === '' ? onHello : onConfirmation)(message);
        else if (message.length > 0) this.#receivers.deliver(message, sentOn);
      },
      onClosed: () => {
        handshakeTimer.cancel();
        this.#all.delete(connection);
        if (this.#connections.get(subject) === connection) this.#connections.delete(subject);
      },
    });
    const handshakeTimer = clock.after(HANDSHAKE_WITHIN_MS, () => connection.close());
    this.#all.add(connection);

    const onHello = (message: Uint8Array) => {
      const hello = decodeHandshake(message, ['nonce', 'subject']);
      // Only results can move to a connection. Heartbeats, for example, are for every subscriber.
      const sender = subjects.receiverOf(hello?.subject ?? '');
      if (hello === undefined || sender === '') {
        connection.close();
        return;
      }
      const nonce = drawNonce();
      subject = hello.subject;
      sentOn = subjects.commandsFrom(sender);
      nonces = { server: nonce, gateway: hello.nonce };
      expected = proofBy('gateway', this.#token, nonce);
      connection.send(
        encodeHandshake({ nonce, proof: proofBy('server', this.#token, hello.nonce) }),
      );
    };

    const onConfirmation = (message: Uint8Array) => {
      const confirmation = decodeHandshake(message, ['proof', 'signature']);
      const isSound =
        confirmation !== undefined &&
        isProof(confirmation.proof, expected) &&
        this.#isSigned(subject, nonces, confirmation.signature);
      if (!isSound) {
        connection.close();
        return;
      }
      isProven = true;
      handshakeTimer.cancel();
      // A gateway that connects again has lost its former connection.
      this.#connections.get(subject)?.close();
      this.#connections.set(subject, connection);
    };
  }

  /** The subject of the results names the identity: the signature covers it. */
  #isSigned(subject: string, nonces: Parameters<typeof textToSign>[2], signature: string): boolean {
    const { publicKeysOf, subjects } = this.#options;
    if (publicKeysOf === undefined) return true;
    const signed = textToSign(subject, this.#token, nonces);
    return publicKeysOf(subjects.receiverOf(subject)).some((key) =>
      isSignature(signed, signature, key),
    );
  }
}
