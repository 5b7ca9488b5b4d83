// Each metric belongs to the registry that created it, and to no other.

import assert from 'node:assert/strict';
import test from 'node:test';
import { register } from 'prom-client';
import { createMetrics } from './metrics.ts';

test('counters, gauges and histograms appear in the text format', async () => {
  const metrics = createMetrics();
  const frames = metrics.counter({ name: 'frames_total', help: 'Frames.', labelNames: ['kind'] });
  frames.inc({ kind: 'commands' }, 2);
  metrics.gauge({ name: 'queue', help: 'Queued.' }).set(7);
  metrics.histogram({ name: 'wait_ms', help: 'Wait.', buckets: [1, 10] }).observe(4);
  assert.deepEqual((await metrics.text()).split('\n').filter(Boolean), [
    '# HELP frames_total Frames.',
    '# TYPE frames_total counter',
    'frames_total{kind="commands"} 2',
    '# HELP queue Queued.',
    '# TYPE queue gauge',
    'queue 7',
    '# HELP wait_ms Wait.',
    '# TYPE wait_ms histogram',
    'wait_ms_bucket{le="1"} 0',
    'wait_ms_bucket{le="10"} 1',
    'wait_ms_bucket{le="+Inf"} 1',
    'wait_ms_sum 4',
    'wait_ms_count 1',
  ]);
  assert.equal(metrics.contentType, 'text/plain; version=0.0.4; charset=utf-8');
});

test('a gauge can compute its value when it is collected', async () => {
  const metrics = createMetrics();
  let depth = 3;
  metrics.gauge({
    name: 'depth',
    help: 'Depth.',
    collect() {
      this.set(depth);
    },
  });
  assert.match(await metrics.text(), /^depth 3$/m);
  depth = 4;
  assert.match(await metrics.text(), /^depth 4$/m);
});

test('two services in one process count separately, and nothing is global', async () => {
  const [one, other] = [createMetrics(), createMetrics()];
  one.counter({ name: 'same_total', help: 'One.' }).inc(1);
  other.counter({ name: 'same_total', help: 'Other.' }).inc(2);
  assert.match(await one.text(), /^same_total 1$/m);
  assert.match(await other.text(), /^same_total 2$/m);
  assert.equal(await register.metrics(), '\n');
});

test('a duplicate name throws', () => {
  const metrics = createMetrics();
  metrics.counter({ name: 'same_total', help: 'One.' });
  assert.throws(() => metrics.gauge({ name: 'same_total', help: 'Other.' }), /already/);
});

test('process metrics are present only with ofProcess', async () => {
  assert.doesNotMatch(await createMetrics().text(), /process_/);
  assert.match(
    await createMetrics({ ofProcess: true }).text(),
    /^process_cpu_seconds_total [\d.]+$/m,
  );
});

test('services in one process share its metrics', async () => {
  const [one, other] = [createMetrics({ ofProcess: true }), createMetrics({ ofProcess: true })];
  one.counter({ name: 'one_total', help: 'One.' }).inc(1);
  for (const metrics of [one, other, one]) {
    const text = await metrics.text();
    assert.equal(text.match(/^process_cpu_seconds_total /gm)?.length, 1);
    assert.equal(/^one_total 1$/m.test(text), metrics === one);
  }
});
