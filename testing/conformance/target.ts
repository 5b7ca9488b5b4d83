// The exchange under test, and the callers of the suite: an administrator and two traders, each
// with a key.

import { setTimeout as delay } from 'node:timers/promises';
import { type RestAnswer, RestClient, targetOf } from '../../tools/sandbox/rest-client.ts';

export interface Key {
  readonly key: string;
  readonly secret: string;
}

export interface Target {
  /** Serves users and operators. Excludes `/v2`. */
  readonly url: string;
  /** Includes the path. */
  readonly streamUrl: string;
  /** Inbox of the notifier. Undefined if the suite cannot read emails. */
  readonly inboxUrl?: string;
  /** Has every permission. */
  readonly admin: Key;
  readonly maker: Key;
  readonly taker: Key;
}

/** An exchange for one suite. */
export interface OpenedTarget {
  readonly target: Target;
  /** Turns approvals on. Undefined if the suite cannot do that. */
  useTeam?(): Promise<void>;
  stop(): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: the shape of an answer is what the suite tests.
export type Body = any;

export interface Sent {
  readonly method: string;
  /** Includes `/v2`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

const TRIES_MAX = 60;
const TOO_MANY = 429;

/** Sends requests with a key, a session, or anonymously. Retries after rate limits. */
export class Caller {
  readonly #client: RestClient;
  readonly key: Key | undefined;

  constructor(url: string, by?: Key | { readonly token: string }) {
    this.key = by !== undefined && 'key' in by ? by : undefined;
    this.#client = new RestClient({
      url,
      ...this.key,
      ...(by !== undefined && 'token' in by
        ? { headers: { authorization: `Bearer ${by.token}` } }
        : {}),
    });
  }

  async send({ body, method, path, query = {} }: Sent): Promise<RestAnswer> {
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const target = targetOf(path.slice('/v2'.length), Object.fromEntries(given) as never);
    for (let left = TRIES_MAX; ; left -= 1) {
      const request = { method, target, ...(body === undefined ? {} : { body }) };
      const answer = await this.#client.send(request as never);
      if (answer.status !== TOO_MANY || left === 0) return answer;
      await delay(1_000 * Number(answer.headers.get('retry-after') ?? 1));
    }
  }

  /** Throws unless the response is a success. */
  async must(sent: Sent): Promise<Body> {
    const answer = await this.send(sent);
    if (answer.status < 300 && answer.body !== undefined) return answer.body;
    throw new Error(`${sent.method} ${sent.path}: ${answer.status} ${answer.text}`);
  }
}
