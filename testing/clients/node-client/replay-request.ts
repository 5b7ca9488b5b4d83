// Sends a recorded request exactly as the client does: path, query, headers and body.

import { createHmac } from 'node:crypto';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { Key } from '../../conformance/target.ts';
import type { RecordedMethod } from './recorded-methods.ts';

export type Given = Readonly<Record<string, unknown>>;

export interface Replayed {
  readonly status: number;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a response can have any shape.
  readonly body: any;
}

const EXPIRES_AFTER_S = 60;
const TOO_MANY = 429;
const TRIES_MAX = 60;

/** Returns the path with its query, and the body, as the client writes them. */
export function recordedRequest(
  { body, call, file, lead, query = [] }: Omit<RecordedMethod, 'name'>,
  given: Given,
): { method: string; path: string; body: string } {
  const [method, path] = call.split(' ');
  const isFile = file !== undefined && given.format !== undefined;
  const parts = query
    .filter((name) => given[name] !== undefined)
    .map((name) => (name.startsWith('/') ? name : `&${name}=${given[name]}`))
    .join('');
  const start = isFile ? `${path}${file}` : path;
  const names = (body ?? []).filter((name) => given[name] !== undefined);
  return {
    method,
    path: `${start}${queryText(parts, lead)}`,
    body:
      body === undefined
        ? ''
        : JSON.stringify(Object.fromEntries(names.map((name) => [name, given[name]]))),
  };
}

function queryText(parts: string, lead: RecordedMethod['lead']): string {
  if (lead === 'always ?') return `?${parts}`;
  if (parts === '') return '';
  return lead === '?' ? `?${parts.slice(1)}` : `?${parts}`;
}

/** The client never retries. The replay pauses if a rate limit requires it. */
export async function replay(
  url: string,
  key: Key,
  recorded: Omit<RecordedMethod, 'name'>,
  given: Given = {},
): Promise<Replayed> {
  for (let left = TRIES_MAX; ; left -= 1) {
    const answer = await send(url, key, recorded, given);
    if (answer.status !== TOO_MANY || left === 0) return answer;
    await delay(1_000);
  }
}

async function send(
  url: string,
  { key, secret }: Key,
  recorded: Omit<RecordedMethod, 'name'>,
  given: Given,
): Promise<Replayed> {
  const { body, method, path } = recordedRequest(recorded, given);
  const expires = Math.floor(Date.now() / 1_000) + EXPIRES_AFTER_S;
  const signature = createHmac('sha256', secret)
    .update(method + path + expires + body)
    .digest('hex');
  const { hostname, port, protocol } = new URL(url);
  const open = protocol === 'https:' ? requestHttps : requestHttp;
  const signed = { 'api-signature': signature, 'api-expires': expires };
  const sent = open({
    hostname,
    port,
    method,
    path,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      'api-key': key,
      ...(recorded.isPublic === true ? {} : signed),
      ...(body === '' ? {} : { 'content-length': Buffer.byteLength(body) }),
    },
  });
  const { promise, reject, resolve } = Promise.withResolvers<Replayed>();
  sent.once('error', reject);
  sent.once('response', (response) => {
    const status = response.statusCode ?? 0;
    text(response).then((all) => resolve({ status, text: all, body: parsed(all) }), reject);
  });
  sent.end(body);
  return promise;
}

function parsed(answer: string): unknown {
  try {
    return JSON.parse(answer);
  } catch {
    return undefined;
  }
}
