// The interface table is complete, and every parameter and message in it has a check.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { coerceQuery } from '../../protocol/coerce-query.ts';
import { routes } from '../../protocol/routes.ts';
import { type Route, Type } from '../../protocol/wire/index.ts';
import { ALLOWED_DEVIATIONS } from './allowed-deviations.ts';
import { endpointNames, topicNames, unmatchedChecks } from './exercises/all-checks.ts';
import { endpoints } from './interface.ts';
import { fieldsOf, matchShape } from './match-shape.ts';

const DOCS = join(import.meta.dirname, '../../docs/api');
const page = readFileSync(join(DOCS, 'conformance.md'), 'utf8');
const compatibility = readFileSync(join(DOCS, 'compatibility.md'), 'utf8');

test('the table has 73 endpoints and 10 topics', () => {
  assert.equal(endpointNames.length, 73);
  assert.equal(topicNames.length, 10);
});

test('every parameter, response and message has a check', () => {
  assert.deepEqual(unmatchedChecks(), []);
});

// The suite proves page sizes only for lists with more rows than a page.
test('every list reads the documented default and maximum of `limit`', () => {
  const all: readonly Route[] = Object.values(routes);
  const paged = Object.entries(endpoints).flatMap(([call, { parameters }]) => {
    const name = Object.keys(parameters).find((one) => /^(opts\.)?limit$/.test(one));
    return name === undefined ? [] : [{ call, name, documented: parameters[name] }];
  });
  assert.equal(paged.length, 13);
  for (const { call, documented, name } of paged) {
    const route = all.find(({ method, path }) => `${method} ${path}` === call);
    const limit = route?.query?.properties.limit;
    assert.ok(limit !== undefined, call);
    const limitOf = (raw: Record<string, string>) => {
      const read = coerceQuery(Type.Object({ limit }), raw, route?.queryPrefix);
      return read.ok ? read.value.limit : read.detail;
    };
    assert.equal(limitOf({}), documented.default, call);
    assert.equal(limitOf({ [name]: '1000' }), documented.maximum, call);
  }
});

test('at most ten deviations are documented, including all that the suite allows', () => {
  const rows = [...compatibility.matchAll(/^\| (\d+) \| (.*)$/gm)];
  assert.deepEqual(
    rows.map(([, number]) => Number(number)),
    rows.map((_, at) => at + 1),
  );
  assert.ok(rows.length > 0 && rows.length <= 10);
  for (const { at, reason, row } of ALLOWED_DEVIATIONS) {
    assert.ok(reason !== '');
    const name = at[0].startsWith('topic') ? at[0].split(' ')[1] : at[0].split(' ', 2).join(' ');
    assert.ok(rows[row - 1]?.[2].includes(`\`${name}\``), `row ${row} names ${name}`);
  }
});

test('the page has a row for every endpoint and topic', () => {
  for (const name of [...endpointNames, ...topicNames.map((topic) => `topic ${topic}`)]) {
    assert.ok(page.includes(`\n| \`${name}\` |`), name);
  }
});

test('missing, null and different fields are mismatches; additional fields are not', () => {
  const shape = {
    page: { fields: { id: ['number', ''], at: ['time?', ''], side: [{ values: ['buy'] }, ''] } },
  } as const;
  const good = { count: 1, data: [{ id: 1, at: null, side: 'buy', more: true }] };
  assert.deepEqual(matchShape(good, shape).mismatches, []);
  assert.deepEqual([...matchShape(good, shape).fields], [...fieldsOf(shape)]);
  const bad = { count: 1, data: [{ id: null, at: '2026-01-01', side: 'sell' }] };
  assert.deepEqual(
    matchShape(bad, shape).mismatches.map(({ path }) => path),
    ['data[].id', 'data[].at', 'data[].side'],
  );
  assert.deepEqual(
    matchShape({ data: [] }, shape).mismatches.map(({ path }) => path),
    ['count'],
  );
});

test('a balance has both amounts of every coin', () => {
  const shape = { balance: { updated_at: ['time', ''] } } as const;
  const at = '2026-01-01T00:00:00.000Z';
  const good = { updated_at: at, btc_balance: 1, btc_available: 0 };
  assert.deepEqual(matchShape(good, shape).mismatches, []);
  const [mismatch] = matchShape({ updated_at: at, btc_balance: 1 }, shape).mismatches;
  assert.equal(mismatch.path, 'btc_available');
});
