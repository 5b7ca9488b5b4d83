// Tests that a scenario cannot pass by accident: each of these broken stories fails with a message
// that explains the problem.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compileScenario } from './compile-scenario.ts';
import { parseScenarios } from './parse-scenario.ts';
import { runScenario } from './run-scenario.ts';
import { VENUES } from './venues.ts';

const VALID = `# Heading

## A buy meets a sell

before
       |   101 | b1 2, c1 1

story
  alice buys 3 at 102 | a1 buys 2 at 101 from b1
                      | b1 filled
                      | a1 buys 1 at 101 from c1
                      | c1 filled
                      | a1 filled

after
  empty

balances
  alice btc | 1,003 | 0
`;

function run(text: string): void {
  for (const scenario of parseScenarios(text, 'story')) {
    for (const open of Object.values(VENUES)) {
      runScenario(scenario, compileScenario(scenario), open());
    }
  }
}

function edit(from: string, to: string): string {
  assert.ok(VALID.includes(from), `the valid story must have '${from}'`);
  return VALID.replace(from, to);
}

test('the valid story passes', () => run(VALID));

describe('a story fails when', () => {
  const broken: [string, string, RegExp][] = [
    ['a trade is not stated', edit('| a1 buys 1 at 101 from c1', '| c1 filled'), /events differ/],
    ['a close is not stated', edit('| a1 filled\n', '| b1 filled\n'), /events differ/],
    ['an action states no outcome but has one', edit('a1 buys 2 at 101 from b1', ''), /events dif/],
    [
      'a trade has another price',
      edit('a1 buys 2 at 101', 'a1 buys 2 at 102'),
      /! a1 buys 2 at 102/,
    ],
    [
      'a trade has another size',
      edit('a1 buys 2 at 101', 'a1 buys 1 at 101'),
      /! a1 buys 1 at 101/,
    ],
    ['a trade has another maker', edit('from c1', 'from d1'), /! a1 buys 1 at 101 from d1/],
    ['the book after is missing', edit('after\n  empty\n', ''), /has no book after/],
    ['the book after is blank', edit('after\n  empty\n', 'after\n'), /or say 'empty'/],
    [
      'the book after differs',
      edit('  empty', '  a1 1 | 99 |'),
      /the book differs[\s\S]*! a1 1 \| 99/,
    ],
    ['the queue before is not as drawn', edit('b1 2, c1 1', 'b1 1, c1 2'), /events differ/],
    ['a balance differs', edit('1,003', '1,002'), /alice btc differs/],
    ['a balance is not exact', edit('1,003 |', '1,003.00000001 |'), /alice btc differs/],
    ['the story is missing', `## T\n\nafter\n  empty\n`, /has no story/],
    ['a heading is unknown', edit('balances', 'balance'), /not a part of a scenario/],
    [
      'a sentence is unknown',
      edit('alice buys 3 at 102', 'alice wants 3 at 102'),
      /no sentence matches/,
    ],
    ['a term is unknown', edit('at 102 |', 'at 102 iok |'), /not a term of an order/],
    ['a price is not a multiple of the tick', edit('at 102', 'at 102.001'), /not a multiple/],
    ['a person is unknown', edit('alice buys', 'someone buys'), /not in the cast/],
    ['an order is unknown', edit('alice buys 3 at 102', 'alice cancels a9'), /no order is called/],
    ['a level is misdrawn', edit('|   101 |', '|   101'), /a level reads/],
    [
      'a line is outside a scenario',
      edit('## A buy', 'stray\n## A buy'),
      /before the first scenario/,
    ],
    ['a second market is not drawn and not empty', withSecondMarket(), /the book differs/],
    ['an event of the frame start is not stated', withLateStop(), /start of the frame/],
  ];
  for (const [what, text, message] of broken) {
    test(what, () => assert.throws(() => run(text), message));
  }
});

/** A stop left from the previous frame fires at the start of the next, without being stated. */
function withLateStop(): string {
  return `## T

given
  market btc-usdt: reference 100
  limit stopsPerStepMax is 1

before
  b1 1 |    99 |

story
  2 times: dave stop-sells 1 at 99 limit 98
  alice sells 1 at 99 | a1 sells 1 at 99 to b1
                      | b1 filled
                      | a1 filled
                      | d1 triggers
  alice buys 1 at 90

after
  empty
`;
}

function withSecondMarket(): string {
  return `## T

given
  asset eth: scale 8, cap 1,000,000
  market eth-usdt

story
  alice buys 1 eth-usdt at 100

after
  empty
`;
}
