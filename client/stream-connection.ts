// The websocket connection of a stream: connects, authenticates, sends pings and reconnects. Sends
// one request at a time and matches its answer. Does not know topics.

import { type Backoff, backoffMs } from './backoff.ts';
import { RialtoError } from './rialto-error.ts';
import type { Signer } from './signer.ts';

export type StreamStatus = 'idle' | 'connecting' | 'open' | 'waiting' | 'failed' | 'closed';

export interface StreamTimings {
  readonly backoff: Backoff;
  /** From the start of a connection attempt until it is authenticated. */
  readonly connectTimeoutMs: number;
  /** A gateway that does not answer a request in time is given up, even if it answers pings. */
  readonly answerTimeoutMs: number;
  readonly pingEveryMs: number;
  /** A connection without any message for this long is lost. */
  readonly silentMsMax: number;
  /** Maximum number of requests within `requestsWithinMs`; the exchange accepts 20 in 3 s. */
  readonly requestsMax: number;
  readonly requestsWithinMs: number;
}

export const STREAM_TIMINGS: StreamTimings = {
  backoff: { firstMs: 250, maxMs: 15_000 },
  connectTimeoutMs: 10_000,
  answerTimeoutMs: 20_000,
  pingEveryMs: 15_000,
  silentMsMax: 40_000,
  requestsMax: 16,
  requestsWithinMs: 3_200,
};

export interface StreamRequest {
  readonly op: string;
  readonly args: readonly unknown[];
  readonly [field: string]: unknown;
}

/** A parsed message; decimals are floats. */
export interface TopicMessage {
  readonly topic: string;
  readonly symbol?: unknown;
}

/** `notice` is the text of a notice, if that was the answer; `isLost` if the connection failed. */
export type StreamAnswer =
  | { readonly error: string }
  | { readonly notice: string | undefined }
  | { readonly isLost: true };

export interface StreamConnectionOptions {
  /** At least one. Each reconnect uses the next. */
  readonly urls: readonly string[];
  readonly signer: Signer | undefined;
  readonly timings: StreamTimings;
  readonly webSocket: typeof WebSocket;
  onStatus(status: StreamStatus, why: string): void;
  /** Called when requests can be sent. */
  onOpen(): void;
  /** Receives every message that is not an answer to a request. */
  onMessage(message: TopicMessage, text: string): void;
  onFailed(error: RialtoError): void;
  /** The time from each ping to its pong. */
  onLatency(latencyMs: number): void;
}

interface PendingRequest {
  readonly request: StreamRequest;
  /** The message that proves it was processed: the pong after it, or its own notice. */
  readonly proof: 'pong' | 'notice';
  readonly resolve: (answer: StreamAnswer) => void;
  error: string | undefined;
}

/** Error texts of the exchange that are worth a retry. */
const TRANSIENT = /^(?:Temporarily unavailable|Rate limit exceeded)/;
const AUTHENTICATED = / authenticated$/;
/** A connection that lasted this long resets the backoff. */
const STABLE_AFTER_MS = 5_000;

export function isTransient(error: string): boolean {
  return TRANSIENT.test(error);
}

/**
 * idle ──open──▶ connecting ──authenticated──▶ open ──lost──▶ waiting ──▶ connecting …
 * any ──credentials refused──▶ failed; any ──close──▶ closed. Both are final. Without credentials
 * a connection is open immediately.
 */
export class StreamConnection {
  readonly #options: StreamConnectionOptions;
  #status: StreamStatus = 'idle';
  #socket: WebSocket | undefined;
  #connections = 0;
  #attempt = 0;
  #openedMs = Number.POSITIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pinging: ReturnType<typeof setInterval> | undefined;
  #receivedMs = 0;
  readonly #queue: PendingRequest[] = [];
  #pending: PendingRequest | undefined;
  /** One entry for each ping without a pong, with the request that the pong proves, if any. */
  #pings: { readonly proves: PendingRequest | undefined; readonly sentMs: number }[] = [];
  #sentMs: number[] = [];
  #pacing: ReturnType<typeof setTimeout> | undefined;
  #answering: ReturnType<typeof setTimeout> | undefined;

  constructor(options: StreamConnectionOptions) {
    this.#options = options;
  }

  get status(): StreamStatus {
    return this.#status;
  }

  open(): void {
    if (this.#status === 'idle') this.#connect();
  }

  /** Always resolves; to `isLost` without a connection. */
  request(request: StreamRequest, proof: 'pong' | 'notice' = 'pong'): Promise<StreamAnswer> {
    return new Promise((resolve) => {
      if (this.#socket === undefined) resolve({ isLost: true });
      else this.#queue.push({ request, proof, resolve, error: undefined });
      this.#sendNext();
    });
  }

  close(): void {
    if (this.#status === 'closed') return;
    this.#drop();
    this.#setStatus('closed', 'closed by the client');
  }

  #connect(): void {
    const { timings, urls, webSocket } = this.#options;
    const { connectTimeoutMs } = timings;
    const socket = new webSocket(urls[this.#connections % urls.length]);
    this.#connections += 1;
    this.#socket = socket;
    this.#setStatus('connecting', '');
    this.#timer = setTimeout(
      () => this.#reconnect(socket, 'timed out waiting for an answer'),
      connectTimeoutMs,
    );
    socket.addEventListener('open', () => void this.#authenticate(socket));
    socket.addEventListener('message', ({ data }) => {
      if (socket === this.#socket) this.#onMessage(String(data));
    });
    socket.addEventListener('close', ({ code, reason }) => {
      this.#reconnect(socket, reason === '' ? `closed with ${code}` : reason);
    });
    socket.addEventListener('error', () => this.#reconnect(socket, 'connection failed'));
  }

  /** Authenticates by message, not in the URL: browsers cannot read a refused upgrade. */
  async #authenticate(socket: WebSocket): Promise<void> {
    const { signer, timings } = this.#options;
    if (socket !== this.#socket) return;
    this.#receivedMs = performance.now();
    this.#pinging = setInterval(() => this.#keepAlive(socket), timings.pingEveryMs);
    if (signer !== undefined) {
      const signed = await signer.sign('CONNECT/stream').catch((cause) => {
        this.#fail(new RialtoError({ message: 'Cannot sign with the given key', cause }));
      });
      if (signed === undefined || socket !== this.#socket) return;
      const answer = await this.request({ op: 'auth', args: [signed] }, 'notice');
      if ('isLost' in answer) return;
      if ('error' in answer) {
        const { error } = answer;
        if (isTransient(error)) this.#reconnect(socket, error);
        else this.#fail(new RialtoError({ message: error, status: 401 }));
        return;
      }
    }
    if (socket !== this.#socket) return;
    clearTimeout(this.#timer);
    this.#openedMs = performance.now();
    this.#setStatus('open', '');
    this.#options.onOpen();
  }

  #keepAlive(socket: WebSocket): void {
    if (performance.now() - this.#receivedMs > this.#options.timings.silentMsMax) {
      this.#reconnect(socket, 'no message received');
    } else {
      this.#ping(undefined);
    }
  }

  #ping(proves: PendingRequest | undefined): void {
    this.#pings.push({ proves, sentMs: performance.now() });
    this.#socket?.send('{"op":"ping"}');
  }

  #sendNext(): void {
    if (this.#pending !== undefined || this.#queue.length === 0 || this.#socket === undefined)
      return;
    const waitMs = this.#paceMs();
    if (waitMs > 0) {
      clearTimeout(this.#pacing);
      this.#pacing = setTimeout(() => this.#sendNext(), waitMs);
      return;
    }
    const pending = this.#queue.shift()!;
    const socket = this.#socket;
    const { answerTimeoutMs } = this.#options.timings;
    this.#pending = pending;
    this.#answering = setTimeout(
      () => this.#reconnect(socket, 'timed out waiting for an answer'),
      answerTimeoutMs,
    );
    this.#sentMs.push(performance.now());
    socket.send(JSON.stringify(pending.request));
    if (pending.proof === 'pong') this.#ping(pending);
  }

  /** How long until the next request may go out. */
  #paceMs(): number {
    const { requestsMax, requestsWithinMs } = this.#options.timings;
    const nowMs = performance.now();
    this.#sentMs = this.#sentMs.filter((sentMs) => nowMs - sentMs < requestsWithinMs);
    if (this.#sentMs.length < requestsMax) return 0;
    return Math.ceil(this.#sentMs[0] + requestsWithinMs - nowMs);
  }

  #onMessage(text: string): void {
    this.#receivedMs = performance.now();
    const message = parsed(text);
    if (message === undefined) return;
    const { topic } = message;
    if (typeof topic === 'string') this.#options.onMessage({ ...message, topic }, text);
    else if (typeof message.error === 'string') this.#onError(message.error);
    else if (typeof message.message === 'string') this.#onNotice(message.message);
  }

  #onError(error: string): void {
    const pending = this.#pending;
    if (pending === undefined) return;
    pending.error ??= error;
    if (pending.proof === 'notice') this.#resolve(pending, { error });
  }

  #onNotice(notice: string): void {
    if (notice === 'pong') {
      const ping = this.#pings.shift();
      if (ping === undefined) return;
      this.#options.onLatency(performance.now() - ping.sentMs);
      const pending = ping.proves;
      if (pending === undefined || pending !== this.#pending) return;
      const { error } = pending;
      this.#resolve(pending, error === undefined ? { notice: undefined } : { error });
      return;
    }
    const pending = this.#pending;
    if (pending?.proof !== 'notice') return;
    const isGreeting = notice === 'Welcome!';
    const isAnswer = pending.request.op === 'auth' ? AUTHENTICATED.test(notice) : !isGreeting;
    if (isAnswer) this.#resolve(pending, { notice });
  }

  #resolve(pending: PendingRequest, answer: StreamAnswer): void {
    clearTimeout(this.#answering);
    this.#pending = undefined;
    pending.resolve(answer);
    this.#sendNext();
  }

  #reconnect(socket: WebSocket, why: string): void {
    if (socket !== this.#socket) return;
    this.#drop();
    const { backoff } = this.#options.timings;
    if (performance.now() - this.#openedMs > STABLE_AFTER_MS) this.#attempt = 0;
    this.#openedMs = Number.POSITIVE_INFINITY;
    const waitMs = backoffMs(backoff, { attempt: this.#attempt, chance: Math.random() });
    this.#attempt += 1;
    this.#timer = setTimeout(() => this.#connect(), waitMs);
    this.#setStatus('waiting', why);
  }

  #fail(error: RialtoError): void {
    this.#drop();
    this.#setStatus('failed', error.message);
    this.#options.onFailed(error);
  }

  /** Ignores the socket from this point and resolves every open request as lost. */
  #drop(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#pacing);
    clearTimeout(this.#answering);
    clearInterval(this.#pinging);
    const socket = this.#socket;
    this.#socket = undefined;
    const unanswered = [...(this.#pending === undefined ? [] : [this.#pending]), ...this.#queue];
    this.#pending = undefined;
    this.#queue.length = 0;
    this.#pings = [];
    this.#sentMs = [];
    socket?.close();
    for (const { resolve } of unanswered) resolve({ isLost: true });
  }

  #setStatus(status: StreamStatus, why: string): void {
    this.#status = status;
    this.#options.onStatus(status, why);
  }
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? (value as never) : undefined;
  } catch {
    return undefined;
  }
}
