// The gateway's end of a line: hears on the bus who leads, dials that leader's door, and sends
// batches there instead of through NATS. It is a bus around another, to which it goes back at once
// when the line is closed or silent.

import { connect } from 'node:net';
import type { Bus, Subscription } from '../bus/index.ts';
import type { Clock, Timer } from '../process/index.ts';
import { decodeLeaderBeat } from './beats.ts';
import {
  decodeWord,
  drawNonce,
  encodeWord,
  HANDSHAKE_BYTES_MAX,
  HANDSHAKE_WITHIN_MS,
  isProof,
  type LinkAddress,
  proofBy,
} from './handshake.ts';
import { LinkConnection, LOOK_EVERY_MS } from './link-connection.ts';
import { Receivers } from './receivers.ts';
import { type LinkSubjects, linkSubjects } from './subjects.ts';

export interface LinkClientOptions {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly exchange: string;
  /** Of the command client that uses this bus: results for it may come over the line. */
  readonly source: number;
}

/** The results of a frame, with events. */
const MESSAGE_BYTES_MAX = 64 * 1024 * 1024;
const DIAL_AGAIN_AFTER_MS = 1_000;

/** dialling: not proven yet. open: batches go there. */
interface Call {
  readonly door: LinkAddress;
  readonly line: LinkConnection;
  isOpen: boolean;
}

export class LinkClient implements Bus {
  readonly #options: LinkClientOptions;
  readonly #subjects: LinkSubjects;
  readonly #results: string;
  readonly #receivers: Receivers;
  readonly #beats: Subscription;
  #epoch = 0;
  #call: Call | undefined;
  #dialAgainMs = 0;
  #looking: Timer | undefined;
  #isClosed = false;

  constructor(options: LinkClientOptions) {
    this.#options = options;
    this.#subjects = linkSubjects(options.exchange);
    this.#results = this.#subjects.resultsFor(options.source);
    this.#receivers = new Receivers(options.bus, this.#results);
    this.#beats = options.bus.subscribe(this.#subjects.leader, (beat) => this.#hearBeat(beat));
    this.#look();
  }

  /** Batches go to the leader itself. */
  get isOpen(): boolean {
    return this.#call?.isOpen === true;
  }

  publish(subject: string, message: Uint8Array): void {
    const call = this.#call;
    if (call?.isOpen && subject === this.#subjects.commands) call.line.send(message);
    else this.#options.bus.publish(subject, message);
  }

  subscribe(subject: string, receive: Parameters<Bus['subscribe']>[1]): Subscription {
    return this.#receivers.subscribe(subject, receive);
  }

  close(): void {
    this.#isClosed = true;
    this.#beats.stop();
    this.#looking?.cancel();
    this.#call?.line.close();
  }

  #hearBeat(message: Uint8Array): void {
    const beat = decodeLeaderBeat(message);
    if (beat === undefined || beat.epoch < this.#epoch || this.#isClosed) return;
    if (beat.epoch > this.#epoch) this.#dialAgainMs = 0;
    this.#epoch = beat.epoch;
    const { door } = beat;
    if (door?.token === this.#call?.door.token) return;
    const former = this.#call;
    // Forgotten first: what we end ourselves is no reason to wait with the next.
    this.#call = undefined;
    former?.line.close();
    if (door === undefined || this.#options.clock.elapsedMs() < this.#dialAgainMs) return;
    this.#dial(door);
  }

  #dial(door: LinkAddress): void {
    const nonce = drawNonce();
    const { host, port, token } = door;
    const socket = connect({ host, port, noDelay: true });
    const line = new LinkConnection({
      socket,
      messageBytesMax: () => (call.isOpen ? MESSAGE_BYTES_MAX : HANDSHAKE_BYTES_MAX),
      onMessage: (message) => {
        if (!call.isOpen) answer(message);
        else if (message.length > 0) this.#receivers.tell(message);
      },
      onClosed: () => {
        patience.cancel();
        if (this.#call !== call) return;
        this.#call = undefined;
        this.#dialAgainMs = this.#options.clock.elapsedMs() + DIAL_AGAIN_AFTER_MS;
      },
    });
    const call: Call = { door, line, isOpen: false };
    const patience = this.#options.clock.after(HANDSHAKE_WITHIN_MS, () => line.close());
    this.#call = call;
    line.send(encodeWord({ subject: this.#results, nonce }));

    function answer(message: Uint8Array): void {
      const word = decodeWord(message, ['nonce', 'proof']);
      if (word === undefined || !isProof(word.proof, proofBy('door', token, nonce))) {
        line.close();
        return;
      }
      line.send(encodeWord({ proof: proofBy('gateway', token, word.nonce) }));
      call.isOpen = true;
      patience.cancel();
    }
  }

  #look(): void {
    this.#call?.line.look(this.#call);
    this.#looking = this.#options.clock.after(LOOK_EVERY_MS, () => this.#look());
  }
}
