// Which hosts count as this machine.

import assert from 'node:assert/strict';
import test from 'node:test';
import { isLoopback } from './loopback.ts';

test('only addresses of the loopback interface and localhost are this machine', () => {
  const own = ['127.0.0.1', '127.8.9.10', '::1', '[::1]', 'localhost', '::ffff:127.0.0.1'];
  const others = ['0.0.0.0', '::', '10.0.0.1', '128.0.0.1', 'localhost.example.com', 'n1', ''];
  assert.deepEqual([own.filter(isLoopback), others.filter(isLoopback)], [own, []]);
});
