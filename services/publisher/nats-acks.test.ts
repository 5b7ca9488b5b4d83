// Acknowledgments by number: each message is called back once, with or without a response.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headers, type Msg } from '@nats-io/transport-node';
import type { Nats } from '../../infra/bus/index.ts';
import { Random } from '../../testing/flows/index.ts';
import { VirtualTime } from '../../testing/simulator/virtual-time.ts';
import { type Ack, NatsAcks } from './nats-acks.ts';

const TIMEOUT_MS = 2_000;

/** A server that responds on demand. */
class Stage {
  readonly time = new VirtualTime({ startMs: 0, random: new Random(1), latenessMsMax: 0 });
  readonly received: (readonly [name: string, ack: Ack])[] = [];
  readonly #replies = new Map<string, string>();
  readonly #acks: NatsAcks;
  #isConnected = true;
  #changed: (isConnected: boolean) => void = () => {};
  #receive: (fault: null, message: Msg) => void = () => {};

  constructor() {
    const stage = this;
    const client = {
      subscribe: (_: string, { callback }: { callback: (fault: null, message: Msg) => void }) => {
        this.#receive = callback;
      },
      publish: (subject: string, _: string, { reply }: { reply: string }) => {
        this.#replies.set(subject, reply);
      },
    };
    const nats = {
      client,
      createInbox: () => '_INBOX.acks',
      watch(changed: (isConnected: boolean) => void) {
        stage.#changed = changed;
      },
      get isConnected() {
        return stage.#isConnected;
      },
    } as unknown as Nats;
    this.#acks = new NatsAcks({ nats, clock: this.time, timeoutMs: TIMEOUT_MS });
  }

  publish(name: string): void {
    const message = { payload: '{}', headers: headers() };
    this.#acks.publish(name, message, (ack) => this.received.push([name, ack]));
  }

  answer(name: string, answer: { readonly seq: number } | { readonly code: number }): void {
    this.answerText(name, JSON.stringify(answer), 'code' in answer ? answer.code : 0);
  }

  answerText(name: string, text: string, code = 0): void {
    const subject = this.#replies.get(name);
    const json = () => JSON.parse(text);
    this.#receive(null, { subject, headers: { code }, json } as unknown as Msg);
  }

  connect(isConnected: boolean): void {
    this.#isConnected = isConnected;
    this.#changed(isConnected);
  }

  pass(ms: number): void {
    this.time.runUntil(this.time.nowMs() + ms);
  }
}

test('each message gets its own response once, in any order', () => {
  const stage = new Stage();
  for (const name of ['a', 'b']) stage.publish(name);
  stage.answer('b', { seq: 7 });
  stage.answer('a', { seq: 8 });
  stage.answer('a', { seq: 8 });
  stage.pass(2 * TIMEOUT_MS);
  assert.deepEqual(stage.received, [
    ['b', { seq: 7 }],
    ['a', { seq: 8 }],
  ]);
});

test('a missing stream has no responder', () => {
  const stage = new Stage();
  stage.publish('a');
  stage.answer('a', { code: 503 });
  assert.deepEqual(stage.received, [['a', 'no_stream']]);
});

test('an unreadable response leaves the outcome unknown', () => {
  for (const text of ['', 'thanks', 'null', '7', '"stream"']) {
    const stage = new Stage();
    stage.publish('a');
    stage.answerText('a', text);
    assert.deepEqual(stage.received, [['a', 'unknown']], text);
  }
});

test('a message without a timely response is unknown, each after its own timeout', () => {
  const stage = new Stage();
  stage.publish('a');
  stage.pass(TIMEOUT_MS / 2);
  stage.publish('b');
  stage.pass(TIMEOUT_MS / 2 + 1);
  assert.deepEqual(stage.received, [['a', 'unknown']]);
  stage.pass(TIMEOUT_MS / 2);
  assert.deepEqual(stage.received.slice(1), [['b', 'unknown']]);
});

test('messages in flight at a disconnect are immediately unknown', () => {
  const stage = new Stage();
  stage.publish('a');
  stage.connect(false);
  assert.deepEqual(stage.received, [['a', 'unknown']]);
  stage.publish('b');
  assert.deepEqual(stage.received.slice(1), [['b', 'unknown']]);
  stage.connect(true);
  stage.publish('c');
  stage.answer('c', { seq: 9 });
  assert.deepEqual(stage.received.slice(2), [['c', { seq: 9 }]]);
});
