// The connection of a stream: opened, named, kept awake, and opened again when it is lost. Asks one
// thing after the other and says what was answered. Knows nothing of topics.

import { type Backoff, backoffMs } from './backoff.ts';
import { RialtoError } from './rialto-error.ts';
import type { Signer } from './signer.ts';

export type StreamStatus = 'idle' | 'connecting' | 'open' | 'waiting' | 'failed' | 'closed';

export interface StreamTimings {
  readonly backoff: Backoff;
  /** From the beginning of a connection to its first answers. */
  readonly connectTimeoutMs: number;
  /** Who answers a request no sooner is not well, even if it answers pings. */
  readonly answerTimeoutMs: number;
  readonly pingEveryMs: number;
  /** Who says nothing for so long is not there any more. */
  readonly silentMsMax: number;
  /** So many requests go out within so long; the exchange takes 20 in 3 s. */
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

/** As it was parsed, with decimals as floats. */
export interface TopicMessage {
  readonly topic: string;
  readonly symbol?: unknown;
}

/** `notice` is there when the answer was one; `lost` when none can come any more. */
export type StreamAnswer =
  | { readonly error: string }
  | { readonly notice: string | undefined }
  | { readonly isLost: true };

export interface StreamLinkOptions {
  /** At least one. After a loss the next is tried. */
  readonly urls: readonly string[];
  readonly signer: Signer | undefined;
  readonly timings: StreamTimings;
  readonly webSocket: typeof WebSocket;
  onStatus(status: StreamStatus, why: string): void;
  /** It can be asked for things from now on. */
  onOpen(): void;
  /** Something else than an answer. */
  onMessage(message: TopicMessage, text: string): void;
  onFailed(error: RialtoError): void;
}

interface Asked {
  readonly request: StreamRequest;
  /** What shows that it was dealt with: the pong behind it, or a notice of its own. */
  readonly proof: 'pong' | 'notice';
  readonly resolve: (answer: StreamAnswer) => void;
  error: string | undefined;
}

/** What passes by itself, in the words of the exchange. */
const PASSING = /^(?:Temporarily unavailable|Rate limit exceeded)/;
const AUTHENTICATED = / authenticated$/;
/** A connection that lasted so long was a good one: the next attempt comes at once. */
const GOOD_AFTER_MS = 5_000;

export function isPassing(error: string): boolean {
  return PASSING.test(error);
}

/**
 * idle ──open──▶ connecting ──named, or nobody──▶ open ──lost──▶ waiting ──▶ connecting …
 * any ──refused──▶ failed; any ──close──▶ closed. These two are final.
 */
export class StreamLink {
  readonly #options: StreamLinkOptions;
  #status: StreamStatus = 'idle';
  #socket: WebSocket | undefined;
  #connections = 0;
  #attempt = 0;
  #openedMs = Number.POSITIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pinging: ReturnType<typeof setInterval> | undefined;
  #heardMs = 0;
  readonly #queue: Asked[] = [];
  #asked: Asked | undefined;
  /** For each ping whose pong has not come: what it proves, if anything. */
  #pongs: (Asked | undefined)[] = [];
  #sentMs: number[] = [];
  #pacing: ReturnType<typeof setTimeout> | undefined;
  #answering: ReturnType<typeof setTimeout> | undefined;

  constructor(options: StreamLinkOptions) {
    this.#options = options;
  }

  get status(): StreamStatus {
    return this.#status;
  }

  open(): void {
    if (this.#status === 'idle') this.#connect();
  }

  /** Only while it is open; resolves in any case. */
  ask(request: StreamRequest, proof: 'pong' | 'notice' = 'pong'): Promise<StreamAnswer> {
    return new Promise((resolve) => {
      const isHopeless = this.#socket === undefined;
      if (isHopeless) resolve({ isLost: true });
      else this.#queue.push({ request, proof, resolve, error: undefined });
      this.#sendNext();
    });
  }

  close(): void {
    if (this.#status === 'closed') return;
    this.#drop();
    this.#become('closed', 'it was closed');
  }

  #connect(): void {
    const { timings, urls, webSocket } = this.#options;
    const { connectTimeoutMs } = timings;
    const socket = new webSocket(urls[this.#connections % urls.length]);
    this.#connections += 1;
    this.#socket = socket;
    this.#become('connecting', '');
    this.#timer = setTimeout(() => this.#lose(socket, 'no answer in time'), connectTimeoutMs);
    socket.addEventListener('open', () => void this.#greet(socket));
    socket.addEventListener('message', ({ data }) => {
      if (socket === this.#socket) this.#hear(String(data));
    });
    socket.addEventListener('close', ({ code, reason }) => {
      this.#lose(socket, reason === '' ? `closed with ${code}` : reason);
    });
    socket.addEventListener('error', () => this.#lose(socket, 'the connection failed'));
  }

  /** The name is said in a message, not in the address: then a refusal can be read. */
  async #greet(socket: WebSocket): Promise<void> {
    const { signer, timings } = this.#options;
    if (socket !== this.#socket) return;
    this.#heardMs = performance.now();
    this.#pinging = setInterval(() => this.#stayAwake(socket), timings.pingEveryMs);
    if (signer !== undefined) {
      const signed = await signer.sign('CONNECT/stream').catch((cause) => {
        this.#fail(new RialtoError({ message: 'The key can not sign', cause }));
      });
      if (signed === undefined || socket !== this.#socket) return;
      const answer = await this.ask({ op: 'auth', args: [signed] }, 'notice');
      if ('isLost' in answer) return;
      if ('error' in answer) {
        const { error } = answer;
        if (isPassing(error)) this.#lose(socket, error);
        else this.#fail(new RialtoError({ message: error, status: 401 }));
        return;
      }
    }
    if (socket !== this.#socket) return;
    clearTimeout(this.#timer);
    this.#openedMs = performance.now();
    this.#become('open', '');
    this.#options.onOpen();
  }

  #stayAwake(socket: WebSocket): void {
    if (performance.now() - this.#heardMs > this.#options.timings.silentMsMax) {
      this.#lose(socket, 'nothing was heard');
    } else {
      this.#ping(undefined);
    }
  }

  #ping(proves: Asked | undefined): void {
    this.#pongs.push(proves);
    this.#socket?.send('{"op":"ping"}');
  }

  #sendNext(): void {
    if (this.#asked !== undefined || this.#queue.length === 0 || this.#socket === undefined) return;
    const waitMs = this.#paceMs();
    if (waitMs > 0) {
      clearTimeout(this.#pacing);
      this.#pacing = setTimeout(() => this.#sendNext(), waitMs);
      return;
    }
    const asked = this.#queue.shift()!;
    const socket = this.#socket;
    const { answerTimeoutMs } = this.#options.timings;
    this.#asked = asked;
    this.#answering = setTimeout(() => this.#lose(socket, 'no answer in time'), answerTimeoutMs);
    this.#sentMs.push(performance.now());
    socket.send(JSON.stringify(asked.request));
    if (asked.proof === 'pong') this.#ping(asked);
  }

  /** How long until the next request may go out. */
  #paceMs(): number {
    const { requestsMax, requestsWithinMs } = this.#options.timings;
    const nowMs = performance.now();
    this.#sentMs = this.#sentMs.filter((sentMs) => nowMs - sentMs < requestsWithinMs);
    if (this.#sentMs.length < requestsMax) return 0;
    return Math.ceil(this.#sentMs[0] + requestsWithinMs - nowMs);
  }

  #hear(text: string): void {
    this.#heardMs = performance.now();
    const message = parsed(text);
    if (message === undefined) return;
    const { topic } = message;
    if (typeof topic === 'string') this.#options.onMessage({ ...message, topic }, text);
    else if (typeof message.error === 'string') this.#hearError(message.error);
    else if (typeof message.message === 'string') this.#hearNotice(message.message);
  }

  #hearError(error: string): void {
    const asked = this.#asked;
    if (asked === undefined) return;
    asked.error ??= error;
    if (asked.proof === 'notice') this.#answered(asked, { error });
  }

  #hearNotice(notice: string): void {
    if (notice === 'pong') {
      const asked = this.#pongs.shift();
      if (asked === undefined || asked !== this.#asked) return;
      const { error } = asked;
      this.#answered(asked, error === undefined ? { notice: undefined } : { error });
      return;
    }
    const asked = this.#asked;
    if (asked?.proof !== 'notice') return;
    const isGreeting = notice === 'Welcome!';
    const isOwn = asked.request.op === 'auth' ? AUTHENTICATED.test(notice) : !isGreeting;
    if (isOwn) this.#answered(asked, { notice });
  }

  #answered(asked: Asked, answer: StreamAnswer): void {
    clearTimeout(this.#answering);
    this.#asked = undefined;
    asked.resolve(answer);
    this.#sendNext();
  }

  #lose(socket: WebSocket, why: string): void {
    if (socket !== this.#socket) return;
    this.#drop();
    const { backoff } = this.#options.timings;
    if (performance.now() - this.#openedMs > GOOD_AFTER_MS) this.#attempt = 0;
    this.#openedMs = Number.POSITIVE_INFINITY;
    const waitMs = backoffMs(backoff, { attempt: this.#attempt, chance: Math.random() });
    this.#attempt += 1;
    this.#timer = setTimeout(() => this.#connect(), waitMs);
    this.#become('waiting', why);
  }

  #fail(error: RialtoError): void {
    this.#drop();
    this.#become('failed', error.message);
    this.#options.onFailed(error);
  }

  /** From now on nothing of the socket is heard, and nobody waits for it. */
  #drop(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#pacing);
    clearTimeout(this.#answering);
    clearInterval(this.#pinging);
    const socket = this.#socket;
    this.#socket = undefined;
    const unanswered = [...(this.#asked === undefined ? [] : [this.#asked]), ...this.#queue];
    this.#asked = undefined;
    this.#queue.length = 0;
    this.#pongs = [];
    this.#sentMs = [];
    socket?.close();
    for (const { resolve } of unanswered) resolve({ isLost: true });
  }

  #become(status: StreamStatus, why: string): void {
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
