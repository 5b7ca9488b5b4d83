// A minimal stream client for tests: stores received messages, and validates each message with the
// protocol schemas.

import { once } from 'node:events';
import { Ajv, type ValidateFunction } from 'ajv';
import { WebSocket } from 'ws';
import { type StreamMessage, streamServerMessages } from '../../protocol/index.ts';
import { sign } from '../../tools/sandbox/rest-client.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a test asserts on may have any shape.
export type Received = any;

export interface Refused {
  readonly status: number;
  readonly text: string;
}

const RECEIVED_WITHIN_MS = 20_000;
const EXPIRES_AFTER_S = 60;
const WIRE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

export class StreamProbe {
  readonly websocket: WebSocket;
  /** All received messages, in order. */
  readonly received: Received[] = [];
  closedWith: [code: number, reason: string] | undefined;
  #taken = 0;

  constructor(websocket: WebSocket) {
    this.websocket = websocket;
    websocket.on('message', (data) => {
      const message = JSON.parse(String(data)) as Received;
      checkMessage(message);
      this.received.push(message);
    });
    websocket.on('close', (code, reason) => {
      this.closedWith = [code, String(reason)];
    });
    websocket.on('error', () => {});
  }

  static async open(url: string, headers: Record<string, string> = {}): Promise<StreamProbe> {
    const probe = new StreamProbe(new WebSocket(url, { headers }));
    await once(probe.websocket, 'open');
    return probe;
  }

  send(message: unknown): void {
    this.websocket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  subscribe(...args: string[]): void {
    this.send({ op: 'subscribe', args });
  }

  /** Returns the next message that was not returned yet. */
  async next(): Promise<Received> {
    await this.until('something is received', () => this.received.length > this.#taken);
    this.#taken += 1;
    return this.received[this.#taken - 1];
  }

  /** Returns the next message of this topic. Skips earlier ones. */
  async nextOf(topic: string): Promise<Received> {
    for (;;) {
      const message = await this.next();
      if (message.topic === topic) return message;
    }
  }

  until(what: string, question: () => boolean): Promise<void> {
    return waitUntil({ what, timeoutMs: RECEIVED_WITHIN_MS, question });
  }

  close(): void {
    this.websocket.terminate();
  }
}

/** Returns the response to a rejected handshake. */
export function refusedHandshake(
  url: string,
  headers: Record<string, string> = {},
): Promise<Refused> {
  return new Promise((resolve, reject) => {
    const websocket = new WebSocket(url, { headers });
    websocket.on('error', () => {});
    websocket.once('open', () => {
      websocket.terminate();
      reject(new Error('the handshake was not rejected'));
    });
    websocket.once('unexpected-response', async (_request, response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode ?? 0, text });
    });
  });
}

export function signedFields(
  { key, secret }: { readonly key: string; readonly secret: string },
  expires: number = Math.floor(Date.now() / 1_000) + EXPIRES_AFTER_S,
): Record<string, string> {
  return {
    'api-key': key,
    'api-signature': sign(secret, `CONNECT/stream${expires}`),
    'api-expires': String(expires),
  };
}

export function signedUrl(
  url: string,
  key: { readonly key: string; readonly secret: string },
): string {
  return `${url}?${new URLSearchParams(signedFields(key))}`;
}

const FORMATS = { 'date-time': WIRE_TIME, uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/ };

let checks: readonly ValidateFunction[] | undefined;

function checkMessage(message: Received): void {
  checks ??= compileChecks();
  if (checks.some((check) => check(message))) return;
  throw new Error(`no schema describes ${JSON.stringify(message).slice(0, 1_000)}`);
}

function compileChecks(): ValidateFunction[] {
  const ajv = new Ajv({ strict: false, formats: FORMATS });
  const messages = Object.values<StreamMessage>(streamServerMessages);
  return messages.map(({ schema }) => ajv.compile(schema));
}
