// The exchange under test with its callers, and the documented fields seen in responses so far.

import { setTimeout as delay } from 'node:timers/promises';
import { type Call, endpoints, type TopicName, topics } from './interface.ts';
import { type Mismatch, matchShape, shown } from './match-shape.ts';
import type { Shape } from './shape.ts';
import { type Body, Caller, type Target } from './target.ts';

/** The exchange deviates from the documentation. */
export class Deviation extends Error {
  readonly expected: string;
  readonly seen: string;

  constructor(expected: string, seen: unknown) {
    const text = typeof seen === 'string' ? seen : shown(seen);
    super(`expected ${expected}, saw ${text}`);
    this.expected = expected;
    this.seen = text;
  }
}

export function expect(condition: boolean, expected: string, seen: unknown): asserts condition {
  if (!condition) throw new Deviation(expected, seen);
}

export interface Person {
  readonly id: number;
  readonly email: string;
  readonly caller: Caller;
}

type Given = Readonly<Record<string, unknown>>;

/** Calls whose bodies are queries. */
const QUERY_DELETES: readonly string[] = [
  'DELETE /v2/order',
  'DELETE /v2/order/all',
  'DELETE /v2/admin/order',
];
const ANSWER_MAX = 160;
const MAILED_WITHIN_MS = 30_000;

export class Stage {
  readonly target: Target;
  readonly nobody: Caller;
  readonly admin: Person;
  readonly maker: Person;
  readonly taker: Person;
  /** Documented fields that were seen, by endpoint or by topic and action. */
  readonly fields = new Map<string, Set<string>>();
  readonly mismatches = new Map<string, Map<string, Mismatch>>();

  static async open(target: Target): Promise<Stage> {
    const open = async (key: Target['admin']) => {
      const caller = new Caller(target.url, key);
      const { email, id } = await caller.must({ method: 'GET', path: '/v2/user' });
      return { id, email, caller };
    };
    const { admin, maker, taker } = target;
    return new Stage(target, [await open(admin), await open(maker), await open(taker)]);
  }

  constructor(target: Target, [admin, maker, taker]: readonly [Person, Person, Person]) {
    this.target = target;
    this.nobody = new Caller(target.url);
    [this.admin, this.maker, this.taker] = [admin, maker, taker];
  }

  send(call: Call, given: Given = {}, by: Caller = this.#callerOf(call)) {
    const [method, path] = call.split(' ');
    const isQuery = method === 'GET' || QUERY_DELETES.includes(call);
    return by.send({ method, path, ...(isQuery ? { query: given } : { body: given }) });
  }

  /** Sends a request that must succeed, and compares the response with its shape. */
  async ok(call: Call, given: Given = {}, by?: Caller): Promise<Body> {
    const answer = await this.send(call, given, by);
    const text = `${answer.status} ${answer.text.slice(0, ANSWER_MAX)}`;
    expect(answer.status === 200 || answer.status === 201, `success of ${shown(given)}`, text);
    expect(answer.body !== undefined, 'JSON', text);
    this.#match(call, answer.body, endpoints[call].answer);
    return answer.body;
  }

  /** Compares a stream message with its shape. */
  matchMessage(topic: TopicName, action: string, message: unknown): void {
    const fields = topics[topic].messages[action];
    if (fields !== undefined) this.#match(`${topic} ${action}`, message, { fields });
  }

  /** Sends a request that must be rejected as invalid. */
  async refused(call: Call, given: Given, by?: Caller): Promise<void> {
    const { status, text } = await this.send(call, given, by);
    expect(status === 400, `400 for ${shown(given)}`, `${status} ${text.slice(0, ANSWER_MAX)}`);
  }

  /** Waits for an email with these texts, in its subject or body, if emails can be read. */
  async mailed({ email }: Person, texts: readonly string[]): Promise<void> {
    const { inboxUrl } = this.target;
    if (inboxUrl === undefined) return;
    let seen: string[] = [];
    const hasArrived = async () => {
      const answer = await fetch(`${inboxUrl}/messages.json?to=${encodeURIComponent(email)}`);
      const mails = (await answer.json()) as { subject: string; text: string }[];
      seen = mails.map(({ subject, text }) => `${subject}\n${text}`);
      return seen.some((mail) => texts.every((text) => mail.includes(text)));
    };
    for (const until = Date.now() + MAILED_WITHIN_MS; !(await hasArrived()); await delay(200)) {
      expect(Date.now() < until, `an email with ${texts.join(', ')}`, seen[0] ?? 'none');
    }
  }

  #match(name: string, value: unknown, shape: Shape): void {
    const matched = matchShape(value, shape);
    const seen = this.fields.get(name) ?? new Set();
    for (const field of matched.fields) seen.add(field);
    this.fields.set(name, seen);
    const mismatches = this.mismatches.get(name) ?? new Map();
    for (const one of matched.mismatches) mismatches.set(one.path, one);
    this.mismatches.set(name, mismatches);
  }

  #callerOf(call: Call): Caller {
    const { auth } = endpoints[call];
    if (auth === 'public') return this.nobody;
    return auth === 'user' ? this.maker.caller : this.admin.caller;
  }
}
