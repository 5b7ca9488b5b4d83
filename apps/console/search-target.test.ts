// Screen that a search result opens.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberOf, pathOfResult } from './search-target.ts';

const ALL = ['/people', '/withdrawals', '/markets'];

test('a result links to its screen, else to its user, else to nothing', () => {
  const target = (type: string, user: number | null, paths = ALL) => {
    const found = pathOfResult({ type, id: '5', user_id: user }, paths);
    return found && [found.path, ...Object.entries(found.search).flat()].join(' ');
  };
  assert.equal(target('withdrawal', 17), '/withdrawals id 5');
  assert.equal(target('withdrawal', 17, ['/people']), '/people id 17');
  assert.equal(target('withdrawal', 17, []), undefined);
  assert.equal(target('order', 17), '/people id 17');
  assert.equal(target('market', null), '/markets pair 5');
  assert.equal(target('thing of tomorrow', null), undefined);
  assert.equal(target('toString', null), undefined);
});

test('results of one type are told apart by number or symbol', () => {
  const number = (type: string, id: string) => numberOf({ type, id });
  assert.deepEqual([number('user', '17'), number('withdrawal', '3')], ['#17', '#3']);
  assert.equal(number('coin', 'btc'), 'BTC');
  assert.equal(number('market', 'btc-usdt'), undefined);
  assert.equal(number('api_key', '12'), undefined);
});
