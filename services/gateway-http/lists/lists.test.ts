// The order of a list's statement is exchanged, and nothing else in it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ORDERS_OF_USER } from '../../../infra/projections/index.ts';
import { inOrder } from './lists.ts';

test('a statement keeps the orders of the questions inside of it', () => {
  const statement = `select * from t where n > (select m from u order by m limit 1)
    order by n desc limit $1 offset $2`;
  assert.equal(
    inOrder(statement)('order by k asc'),
    `select * from t where n > (select m from u order by m limit 1)
    order by k asc limit $1 offset $2`,
  );
  const [before] = ORDERS_OF_USER.split('order by o.number desc');
  const changed = inOrder(ORDERS_OF_USER)('order by o.side asc, o.number asc');
  assert.equal(changed, `${before}order by o.side asc, o.number asc limit $8 offset $9`);
});
