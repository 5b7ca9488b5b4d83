// The gateway's end of the direct link. It learns from heartbeats who leads, connects to that
// leader's link server, and sends batches there instead of through NATS. It is a bus that wraps
// another bus, and falls back to that one as soon as the connection closes or goes silent.

import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Bus, Subscription } from '../bus/index.ts';
import { type Identity, signWith } from '../identities/index.ts';
import { type Clock, isLoopback, type Timer } from '../process/index.ts';
import {
  decodeHandshake,
  drawNonce,
  encodeHandshake,
  HANDSHAKE_BYTES_MAX,
  HANDSHAKE_WITHIN_MS,
  isProof,
  type LinkAddress,
  proofBy,
  textToSign,
} from './handshake.ts';
import { decodeLeaderHeartbeat } from './heartbeats.ts';
import { LinkConnection, TICK_MS } from './link-connection.ts';
import { Receivers } from './receivers.ts';
import { type LinkSubjects, linkSubjects } from './subjects.ts';

export interface LinkClientOptions {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly exchange: string;
  readonly identity: Identity;
  /** The source of the command client on this bus: its results may arrive over the connection. */
  readonly source: number;
}

/** Bounds the results of one frame, with their events. */
const MESSAGE_BYTES_MAX = 64 * 1024 * 1024;
const RECONNECT_AFTER_MS = 1_000;

/** `isOpen` is false until the server has proved itself; after that, batches go there. */
interface Link {
  readonly address: LinkAddress;
  readonly connection: LinkConnection;
  isOpen: boolean;
}

export class LinkClient implements Bus {
  readonly #options: LinkClientOptions;
  readonly #subjects: LinkSubjects;
  readonly #commands: string;
  readonly #results: string;
  readonly #receivers: Receivers;
  readonly #heartbeats: Subscription;
  #epoch = 0;
  #link: Link | undefined;
  #reconnectAtMs = 0;
  #tickTimer: Timer | undefined;
  #isClosed = false;

  constructor(options: LinkClientOptions) {
    this.#options = options;
    this.#subjects = linkSubjects(options.exchange);
    this.#commands = this.#subjects.commandsFrom(options.identity.name);
    this.#results = this.#subjects.resultsFor(options.identity.name, options.source);
    this.#receivers = new Receivers(options.bus, this.#results);
    this.#heartbeats = options.bus.subscribe(this.#subjects.leader, (message) =>
      this.#onHeartbeat(message),
    );
    this.#tick();
  }

  /** True while batches go directly to the leader. */
  get isOpen(): boolean {
    return this.#link?.isOpen === true;
  }

  publish(subject: string, message: Uint8Array): void {
    const link = this.#link;
    if (link?.isOpen && subject === this.#commands) link.connection.send(message);
    else this.#options.bus.publish(subject, message);
  }

  subscribe(subject: string, receive: Parameters<Bus['subscribe']>[1]): Subscription {
    return this.#receivers.subscribe(subject, receive);
  }

  close(): void {
    this.#isClosed = true;
    this.#heartbeats.stop();
    this.#tickTimer?.cancel();
    this.#link?.connection.close();
  }

  #onHeartbeat(message: Uint8Array): void {
    const heartbeat = decodeLeaderHeartbeat(message);
    if (heartbeat === undefined || heartbeat.epoch < this.#epoch || this.#isClosed) return;
    if (heartbeat.epoch > this.#epoch) this.#reconnectAtMs = 0;
    this.#epoch = heartbeat.epoch;
    const { linkAddress } = heartbeat;
    if (linkAddress?.token === this.#link?.address.token) return;
    const former = this.#link;
    // Cleared first: closing our own connection must not delay the next one.
    this.#link = undefined;
    former?.connection.close();
    const isTooEarly = this.#options.clock.elapsedMs() < this.#reconnectAtMs;
    if (linkAddress === undefined || isTooEarly || !this.#mayConnect(linkAddress)) return;
    this.#connect(linkAddress);
  }

  /** Plain text never leaves the machine: without TLS, batches take NATS. */
  #mayConnect({ host }: LinkAddress): boolean {
    return this.#options.identity.tlsCa !== undefined || isLoopback(host);
  }

  #connect(address: LinkAddress): void {
    const nonce = drawNonce();
    const { token } = address;
    const { identity } = this.#options;
    const results = this.#results;
    const socket = openSocket(address, identity.tlsCa);
    const connection = new LinkConnection({
      socket,
      messageBytesMax: () => (link.isOpen ? MESSAGE_BYTES_MAX : HANDSHAKE_BYTES_MAX),
      onMessage: (message) => {
        if (!link.isOpen) onAnswer(message);
        else if (message.length > 0) this.#receivers.deliver(message, results);
      },
      onClosed: () => {
        handshakeTimer.cancel();
        if (this.#link !== link) return;
        this.#link = undefined;
        this.#reconnectAtMs = this.#options.clock.elapsedMs() + RECONNECT_AFTER_MS;
      },
    });
    const link: Link = { address, connection, isOpen: false };
    const handshakeTimer = this.#options.clock.after(HANDSHAKE_WITHIN_MS, () => connection.close());
    this.#link = link;
    connection.send(encodeHandshake({ subject: results, nonce }));

    function onAnswer(message: Uint8Array): void {
      const answer = decodeHandshake(message, ['nonce', 'proof']);
      if (answer === undefined || !isProof(answer.proof, proofBy('server', token, nonce))) {
        connection.close();
        return;
      }
      const nonces = { server: answer.nonce, gateway: nonce };
      connection.send(
        encodeHandshake({
          proof: proofBy('gateway', token, answer.nonce),
          signature:
            identity.seed === undefined
              ? ''
              : signWith(identity.seed, textToSign(results, token, nonces)),
        }),
      );
      link.isOpen = true;
      handshakeTimer.cancel();
    }
  }

  #tick(): void {
    this.#link?.connection.tick(this.#link);
    this.#tickTimer = this.#options.clock.after(TICK_MS, () => this.#tick());
  }
}

/** The certificate must name the host that the heartbeat gives. */
function openSocket({ host, port }: LinkAddress, ca: string | undefined): Socket {
  if (ca === undefined) return connect({ host, port, noDelay: true });
  return connectTls({ host, port, ca, minVersion: 'TLSv1.3' });
}
