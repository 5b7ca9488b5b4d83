// The texts of refused inputs: they name the parameter that is missing or wrong.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routes } from '../../protocol/index.ts';
import { createChecks } from './validation.ts';

const texts: [query: object, detail: string][] = [
  [{}, 'Parameter (order_id) or Parameter (client_order_id) is required'],
  [{ order_id: '1', client_order_id: 'a' }, 'Only one of (order_id, client_order_id) may be sent'],
];

for (const [query, detail] of texts) {
  test(`an order by ${JSON.stringify(query)}: ${detail}`, () => {
    const check = createChecks().input(routes.getOrder.query);
    const refused = check(query);
    assert.deepEqual([refused?.key, refused?.details], ['request_invalid', { detail }]);
  });
}
