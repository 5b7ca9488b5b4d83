// Free ports are distinct and can be bound.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { freePorts } from './free-ports.ts';

test('nine ports are found, all different, and all can be bound', async () => {
  const ports = await freePorts(9);
  assert.equal(new Set(ports).size, 9);
  const more = await freePorts(9);
  assert.equal(new Set([...ports, ...more]).size, 18, 'none is given twice');
  for (const port of ports) {
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
  }
});

test('a port that fetch rejects is not returned', async () => {
  const [other] = await freePorts(1);
  const [unused] = await freePorts(1);
  const candidates = [10_080, other, unused + 1];
  const [found] = await freePorts(1, () => candidates.shift() ?? 0);
  assert.ok(found !== 10_080 && found !== other, `${found}`);
  await assert.rejects(fetch('http://127.0.0.1:10080'), ({ cause }) => /bad port/.test(`${cause}`));
});
