// A proxy in front of a node that injects faults: it loses calls and answers, delays and repeats
// them, cuts them short, and lies in any method. It never invents a block that verifies.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { postInTurn } from '../../tools/services/node-lane.ts';
import type { Random } from '../flows/index.ts';

export const FAULTS = [
  'lose call',
  'lose answer',
  'double',
  'delay',
  'cut short',
  'lie',
  'error',
] as const;
export type Fault = (typeof FAULTS)[number];

export interface FaultProxy {
  readonly url: string;
  /** Faults injected so far. */
  readonly counts: Readonly<Record<Fault, number>>;
  /** Methods that the proxy lied about. */
  readonly liedMethods: ReadonlySet<string>;
  /** Chances of faults in percent; of all faults 0 at first. */
  setFaults(percents: Partial<Record<Fault, number>>): void;
  /** Lies about one method in every answer, until it is called without a method. */
  lieAbout(method?: string): void;
  /** Answers of this node from another one, or from its own node again. */
  redirect(url?: string): void;
  stop(): Promise<void>;
}

export interface FaultProxyOptions {
  readonly target: string;
  readonly random: Random;
  readonly delayMs?: number;
}

type Rpc = { readonly id: number; readonly method: string };
type Answer = { readonly id: number; result?: unknown };

const BYTES_MAX = 1024 * 1024;

export async function startFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const { delayMs = 200, random } = options;
  const counts = Object.fromEntries(FAULTS.map((fault) => [fault, 0])) as Record<Fault, number>;
  const liedMethods = new Set<string>();
  let percents: Partial<Record<Fault, number>> = {};
  let lieMethod: string | undefined;
  let target = options.target;

  const drawFault = (): Fault | undefined => {
    const drawn = random.below(100);
    let sum = 0;
    return FAULTS.find((fault) => drawn < (sum += percents[fault] ?? 0));
  };

  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    const calls = [JSON.parse(body)].flat() as Rpc[];
    const isLieAsked = calls.some(({ method }) => method === lieMethod);
    const fault = isLieAsked ? 'lie' : drawFault();
    if (fault !== undefined) counts[fault] += 1;
    if (fault === 'lose call') return void response.destroy();
    if (fault === 'delay') await delay(delayMs);
    if (fault === 'error') {
      return send(
        response,
        JSON.stringify({
          jsonrpc: '2.0',
          id: calls[0].id,
          error: { code: -32_000, message: 'busy' },
        }),
      );
    }
    const text = await postInTurn(target, body);
    if (fault === 'double') await postInTurn(target, body);
    if (fault === 'lose answer') return void response.destroy();
    if (fault === 'cut short') return send(response, text.slice(0, text.length >> 1));
    return send(response, fault === 'lie' ? lyingText(calls, text) : text);
  }

  function lyingText(calls: readonly Rpc[], text: string): string {
    const answers = JSON.parse(text) as Answer | Answer[];
    for (const one of [answers].flat()) {
      const method = calls.find(({ id }) => id === one.id)?.method ?? '';
      liedMethods.add(method);
      one.result = falsified(one.result, random);
    }
    return JSON.stringify(answers);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    counts,
    liedMethods,
    setFaults: (next) => {
      percents = next;
    },
    lieAbout: (method) => {
      lieMethod = method;
    },
    redirect: (url = options.target) => {
      target = url;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Changes one digit of one value, or removes one element of a list. */
export function falsified(value: unknown, random: Random): unknown {
  const places = placesIn(value);
  if (places.length === 0) return '0x1';
  const path = random.pick(places);
  const copy = structuredClone({ value });
  let holder = copy as unknown as Record<string | number, unknown>;
  for (const key of ['value', ...path].slice(0, -1)) holder = holder[key] as typeof holder;
  const key = ['value', ...path].at(-1) as string | number;
  const found = holder[key];
  if (typeof found === 'string') holder[key] = withOtherDigit(found, random);
  else if (Array.isArray(found)) found.splice(random.below(found.length), 1);
  return copy.value;
}

/** Paths of the texts in hexadecimal and of the lists that are not empty. */
function placesIn(value: unknown, path: readonly (string | number)[] = []): (string | number)[][] {
  if (typeof value === 'string') return /^0x[0-9a-f]+$/.test(value) ? [[...path]] : [];
  if (Array.isArray(value)) {
    const inner = value.flatMap((item, at) => placesIn(item, [...path, at]));
    return value.length === 0 ? inner : [[...path], ...inner];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => placesIn(item, [...path, key]));
}

function withOtherDigit(text: string, random: Random): string {
  const index = 2 + random.below(text.length - 2);
  const digit = ((Number.parseInt(text[index], 16) + 1 + random.below(15)) % 16).toString(16);
  return `${text.slice(0, index)}${digit}${text.slice(index + 1)}`;
}

function send(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(text);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BYTES_MAX) throw new Error('the request is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
