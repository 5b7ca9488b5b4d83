// A synced book when messages are missing, late or never sent.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../../testing/flows/index.ts';
import { textsIn } from '../../../testing/market-data/level-client.ts';
import { VirtualTime } from '../../../testing/simulator/virtual-time.ts';
import type { Frame } from '../frame.ts';
import type { ChannelSubscription } from '../topic.ts';
import type { BookAnswer, BookChange } from './book-link.ts';
import { LevelBook } from './level-book.ts';
import { SyncedBook } from './synced-book.ts';

const HEAD = { timeMs: 5, lot: { atoms: '1', scale: 0 }, tick: { mantissa: 1, scale: 0 } };
type Rows = [price: number, total: string][];

function whole(frame: number, bids: Rows): BookAnswer {
  return { frame, payload: JSON.stringify({ ...HEAD, bids, asks: [] }) };
}

function change(previous: number, frame: number, bids: Rows): BookChange {
  return { previous, frame, payload: JSON.stringify({ timeMs: 6, bids, asks: [] }) };
}

function stage() {
  const time = new VirtualTime({ startMs: 0, random: new Random(1), latenessMsMax: 0 });
  const questions: ((answer: BookAnswer | undefined) => void)[] = [];
  let forward = (_: BookChange): void => {};
  let returned = (): void => {};
  let gaps = 0;
  const book = new SyncedBook({
    kind: 'l2',
    symbol: 'btc-usdt',
    topic: 'orderbook_l2',
    book: new LevelBook(),
    clock: time,
    link: {
      subscribe(_, receive) {
        forward = receive;
        return { stop() {} };
      },
      ask: (_, done) => questions.push(done),
      watchReturns(task) {
        returned = task;
        return { stop() {} };
      },
    },
    onGap() {
      gaps += 1;
    },
  });
  return {
    time,
    book,
    questions,
    gapCount: () => gaps,
    receive: (change: BookChange) => forward(change),
    returned: () => returned(),
    /** Returns a new subscriber's messages in a short form. */
    subscribe(): string[] {
      const heard: string[] = [];
      const send = ({ bytes }: Frame) => {
        for (const text of textsIn(bytes)) {
          const { action, data } = JSON.parse(text);
          const from = action === 'partial' ? 'whole' : `${data.previous}`;
          heard.push(`${from}→${data.sequence} ${data.bids.map(String).join(' ')}`);
        }
        return true;
      };
      const subscriber = {
        id: 1,
        caller: undefined,
        isOpen: true,
        watchClose: () => ({ stop() {} }),
      };
      const subscription = { subscriber, channel: '', symbol: 'btc-usdt', fields: {}, send };
      book.subscribe({ ...subscription, sendOrClose() {} } satisfies ChannelSubscription);
      return heard;
    },
  };
}

test('newer changes received before the response are applied after it', () => {
  const { subscribe, gapCount, receive, questions } = stage();
  const heard = subscribe();
  receive(change(3, 4, [[10, '1']]));
  receive(change(4, 6, [[11, '2']]));
  receive(change(6, 7, [[12, '3']]));
  assert.deepEqual(heard, []);
  questions[0](whole(5, [[10, '1']]));
  assert.deepEqual(heard, ['whole→5 10,1', '5→6 11,2', '6→7 12,3']);
  assert.equal(gapCount(), 0);
});

test('a later subscriber gets the full book and the changes after it', () => {
  const { subscribe, receive, questions } = stage();
  subscribe();
  questions[0](whole(5, [[10, '1']]));
  receive(change(5, 6, [[11, '2']]));
  assert.deepEqual(subscribe(), ['whole→5 10,1', '5→6 11,2']);
  receive(change(6, 7, [[12, '3']]));
  assert.deepEqual(subscribe(), ['whole→5 10,1', '5→6 11,2', '6→7 12,3']);
});

test('after many changes, a new full book replaces the old one', () => {
  const { subscribe, receive, questions } = stage();
  questions[0](whole(1, [[10, '1']]));
  subscribe();
  for (let frame = 2; frame <= 1_000; frame += 1) receive(change(frame - 1, frame, [[frame, '2']]));
  const heard = subscribe();
  assert.ok(heard.length < 600);
  assert.match(heard.at(-1)!, /→1000 /);
});

test('after a gap the book is requested again, and an older response is ignored', () => {
  const { subscribe, gapCount, receive, questions, time } = stage();
  const heard = subscribe();
  questions[0](whole(5, [[10, '1']]));
  receive(change(8, 9, [[12, '3']]));
  assert.equal(gapCount(), 1);
  questions[1](whole(7, [[10, '7']]));
  questions[1] = () => {};
  time.runUntil(300);
  assert.equal(questions.length, 3);
  questions[2](whole(8, [[10, '8']]));
  assert.deepEqual(heard, ['whole→5 10,1', 'whole→8 10,8', '8→9 12,3']);
});

test('repeated and older changes are not sent again', () => {
  const { subscribe, receive, questions } = stage();
  const heard = subscribe();
  questions[0](whole(5, [[10, '1']]));
  receive(change(5, 6, [[11, '2']]));
  receive(change(5, 6, [[11, '2']]));
  receive(change(2, 4, [[10, '9']]));
  receive(change(2, 7, [[10, '9'], [11, '2']])); // biome-ignore format: rows
  assert.deepEqual(heard, ['whole→5 10,1', '5→6 11,2', '6→7 10,9']);
});

test('a heartbeat for a later frame reveals a missed change', () => {
  const { subscribe, receive, questions } = stage();
  const heard = subscribe();
  questions[0](whole(5, [[10, '1']]));
  receive({ previous: 5, frame: 5, payload: '' });
  assert.equal(questions.length, 1);
  receive({ previous: 8, frame: 8, payload: '' });
  assert.equal(questions.length, 2);
  questions[1](whole(8, [[10, '2']]));
  assert.deepEqual(heard, ['whole→5 10,1', 'whole→8 10,2']);
});

test('an identical full book is not sent, and later changes continue the last one', () => {
  const { subscribe, receive, questions, returned } = stage();
  const heard = subscribe();
  questions[0](whole(5, [[10, '1']]));
  returned();
  questions[1](whole(9, [[10, '1']]));
  receive(change(9, 10, [[10, '2']]));
  assert.deepEqual(heard, ['whole→5 10,1', '5→10 10,2']);
});

test('after a reconnect the book is requested again, and an older response is ignored', () => {
  const { subscribe, questions, returned, time } = stage();
  const heard = subscribe();
  questions[0](whole(5, [[10, '1']]));
  returned();
  returned();
  assert.equal(questions.length, 2);
  questions[1](whole(4, [[10, '4']]));
  time.runUntil(300);
  questions[2](whole(6, [[10, '6']]));
  assert.deepEqual(heard, ['whole→5 10,1', 'whole→6 10,6']);
});

test('after a period without messages the book is requested again', () => {
  const { receive, questions, time } = stage();
  questions[0](whole(5, [[10, '1']]));
  for (let second = 1; second <= 20; second += 1) {
    time.runUntil(second * 1_000);
    receive({ previous: 5, frame: 5, payload: '' });
  }
  assert.equal(questions.length, 1);
  time.runUntil(31_000);
  assert.equal(questions.length, 2);
});

test('without a response the book is requested again until it is closed', () => {
  const { book, questions, time } = stage();
  for (let at = 0; at < 4; at += 1) {
    questions[at](undefined);
    time.runUntil(time.nowMs() + 250);
  }
  assert.equal(questions.length, 5);
  book.close();
  questions[4](undefined);
  time.runUntil(60_000);
  assert.equal(questions.length, 5);
});
