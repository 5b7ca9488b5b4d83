// A checked order is refused exactly when the placed order would be, and changes no book and no
// balance.

import assert from 'node:assert/strict';
import test from 'node:test';
import { compileSentences } from '../../testing/scenarios/compile-scenario.ts';
import type { Command, CommandFrame, PlaceOrder } from '../messages/index.ts';
import type { MarketId } from '../money/index.ts';
import { applyFrame } from './apply-frame.ts';
import { createExchange } from './create-exchange.ts';
import { accountsOf, bookOf } from './views.ts';

const BEFORE = ['alice sells 1 at 110', 'bob buys 1 at 90 id taken', 'carol buys 1 at 91'];
const ORDERS = [
  'bob buys 1 at 95',
  'bob buys 1 at 110',
  'bob buys 1 at 110 post-only',
  'bob buys 1 at 95 id taken',
  'bob buys 1000000 at 110',
  'bob buys 5 at 110 fok',
  'bob buys 1 market',
  'dave buys 1 at 1',
];

for (const sentence of ORDERS) {
  test(`'${sentence}' is checked like it is placed, and only checked`, () => {
    const exchange = createExchange();
    const script = compileSentences(['market btc-usdt: reference 100'], ['alice', 'bob', 'carol']);
    for (const { frame } of script.setUp) applyFrame(exchange, frame);
    applyFrame(exchange, script.nextStep(BEFORE).frame);
    const { frame } = script.nextStep([sentence]);
    const placed = frame.commands[0] as PlaceOrder;
    const checked: Command = { ...placed, kind: 'CheckOrder', number: placed.number + 1_000 };
    const stateOf = () => [bookOf(exchange, 1 as MarketId), accountsOf(exchange)];
    const before = stateOf();
    const refusalOf = ({ commands, sequence, ...header }: CommandFrame, later: number) => {
      const next = { ...header, commands, sequence: sequence + later };
      return applyFrame(exchange, next).events.flatMap((event) =>
        event.kind === 'CommandRefused' ? [[event.refusal, event.order]] : [],
      );
    };
    const answer = refusalOf({ ...frame, commands: [checked] }, 0);
    assert.deepEqual(stateOf(), before);
    assert.deepEqual(answer, refusalOf(frame, 1));
  });
}
