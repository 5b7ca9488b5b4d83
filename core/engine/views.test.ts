// When time alone has an effect: a host then writes a frame without commands.

import assert from 'node:assert/strict';
import test from 'node:test';
import { compileSentences } from '../../testing/scenarios/compile-scenario.ts';
import { INITIAL_LIMITS } from '../messages/index.ts';
import type { TimeMs } from '../money/index.ts';
import { applyFrame } from './apply-frame.ts';
import { createExchange } from './create-exchange.ts';
import { wakesAtMs } from './views.ts';

const NEVER = Number.POSITIVE_INFINITY;

test('a frame without commands has an effect when a switch is due or a stop is ready', () => {
  const exchange = createExchange({ ...INITIAL_LIMITS, stopsPerStepMax: 1 });
  const script = compileSentences(['market btc-usdt: reference 100'], ['alice', 'bob', 'carol']);
  for (const { frame } of script.setUp) applyFrame(exchange, frame);
  const apply = (sentences: string[]) => applyFrame(exchange, script.nextStep(sentences).frame);

  apply(['alice sells 1 at 105', 'bob buys 1 at 90']);
  assert.equal(wakesAtMs(exchange), NEVER, 'only commands can change anything');

  apply(['carol arms a switch of 5s for key 4']);
  assert.equal(wakesAtMs(exchange), exchange.timeMs + 5_000);

  const stop = 'stop-buys 1 at 105 limit 70';
  apply([`alice ${stop}`, `alice ${stop}`, `bob ${stop}`, 'carol buys 1 at 105']);
  assert.equal(wakesAtMs(exchange), exchange.timeMs, 'two ready stops wait for activation');

  apply(['status is paused']);
  assert.equal(
    wakesAtMs(exchange) > exchange.timeMs,
    true,
    'a paused market does not activate stops',
  );
});

test('a frame without commands has an effect when an order expires', () => {
  const exchange = createExchange();
  const script = compileSentences(['rules version is 3'], ['alice']);
  for (const { frame } of script.setUp) applyFrame(exchange, frame);
  const apply = (sentences: string[]) => applyFrame(exchange, script.nextStep(sentences).frame);
  apply(['alice buys 1 at 90 until 7s']);
  assert.equal(wakesAtMs(exchange), exchange.timeMs + 7_000);
  const { frame } = script.nextStep(['alice buys 1 at 80']);
  const timeMs = (exchange.timeMs + 7_000) as TimeMs;
  const { events } = applyFrame(exchange, { ...frame, timeMs });
  assert.equal(events[0].kind, 'OrderClosed');
  assert.equal(wakesAtMs(exchange), NEVER);
});
