// Every setting with which a log could lose data is found, one at a time, by name.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkServers, reportOf } from './nats-server-settings.ts';
import { checkBucket, checkStream } from './nats-stream-settings.ts';
import { journalNames, StreamFault } from './streams.ts';

const expected = { name: 'RIALTO_COMMANDS', subject: 'rialto.log.commands', replicas: 3 };

// The description by server 2.15.1 of a stream with the required settings.
const safe = {
  name: 'RIALTO_COMMANDS',
  subjects: ['rialto.log.commands'],
  retention: 'limits',
  max_consumers: -1,
  max_msgs: -1,
  max_bytes: -1,
  max_age: 0,
  max_msgs_per_subject: -1,
  max_msg_size: -1,
  discard: 'new',
  storage: 'file',
  num_replicas: 3,
  duplicate_window: 100_000_000,
  compression: 'none',
  allow_direct: false,
  mirror_direct: false,
  sealed: false,
  deny_delete: true,
  deny_purge: false,
  allow_rollup_hdrs: false,
  consumer_limits: {},
  allow_msg_ttl: false,
  metadata: { '_nats.level': '5' },
};

const unsafe: [setting: string, value: unknown][] = [
  ['subjects', ['rialto.log.>']],
  ['subjects', ['rialto.log.commands', 'rialto.log.events']],
  ['subjects', undefined],
  ['retention', 'workqueue'],
  ['retention', 'interest'],
  ['storage', 'memory'],
  ['num_replicas', 1],
  ['num_replicas', undefined],
  ['discard', 'old'],
  ['max_age', 86_400_000_000_000],
  ['max_msgs_per_subject', 1_000_000],
  ['max_msg_size', 1_048_576],
  ['deny_delete', false],
  ['deny_delete', undefined],
  ['duplicate_window', 120_000_000_000],
  ['persist_mode', 'async'],
  ['no_ack', true],
  ['allow_rollup_hdrs', true],
  ['allow_msg_ttl', true],
  ['allow_msg_counter', true],
  ['allow_msg_schedules', true],
  ['subject_transform', { src: '>', dest: 'other.>' }],
  ['republish', { src: '>', dest: 'copy.>' }],
  ['mirror', { name: 'OTHER' }],
  ['sources', [{ name: 'OTHER' }]],
  ['sealed', true],
];

test('a log that cannot be trimmed, or is compressed, is reported and not rejected', () => {
  const findings = checkStream(expected, { ...safe, deny_purge: true, compression: 's2' });
  assert.deepEqual(
    findings.map(({ setting, isWarning }) => [setting, isWarning]),
    [
      ['deny_purge', true],
      ['compression', true],
    ],
  );
  for (const one of findings) assert.match(one.expected, /docs\/operating\/retention\.md/);
});

for (const [setting, value] of unsafe) {
  test(`a stream with ${setting} ${JSON.stringify(value) ?? 'unset'} is unsafe`, () => {
    const findings = checkStream(expected, { ...safe, [setting]: value });
    assert.deepEqual(
      findings.map((finding) => [finding.at, finding.setting, finding.found]),
      [['RIALTO_COMMANDS', setting, JSON.stringify(value) ?? 'nothing']],
    );
  });
}

test('a stream with the required settings, or safer ones, has no findings', () => {
  assert.deepEqual(checkStream(expected, safe), []);
  const safer = { num_replicas: 5, max_bytes: 1e12, persist_mode: 'default' };
  assert.deepEqual(checkStream(expected, { ...safe, ...safer }), []);
});

test('a snapshot bucket must be on disk, on as many servers as the log', () => {
  const bucket = { name: 'RIALTO_SNAPSHOTS', replicas: 3 };
  assert.deepEqual(checkBucket(bucket, { storage: 'file', num_replicas: 3 }), []);
  const findings = checkBucket(bucket, { storage: 'memory', num_replicas: 1 });
  assert.deepEqual(
    findings.map(({ at, setting }) => [at, setting]),
    [
      ['OBJ_RIALTO_SNAPSHOTS', 'storage'],
      ['OBJ_RIALTO_SNAPSHOTS', 'num_replicas'],
    ],
  );
});

const varz = {
  server_name: 'n1',
  version: '2.15.1',
  max_payload: 8_388_608,
  jetstream: { config: { sync_interval: 120_000_000_000, sync_always: true } },
};

const unsafeServers: [what: string, varz: object, setting: string, found: string][] = [
  ['an older version', { version: '2.14.9' }, 'version', '2.14.9'],
  ['a very old version', { version: '1.99.0' }, 'version', '1.99.0'],
  ['a version that is not a number', { version: 'devel' }, 'version', 'devel'],
  ['a small max_payload', { max_payload: 1_048_576 }, 'max_payload', '1048576'],
  [
    'a sync every two minutes',
    { jetstream: { config: { sync_interval: 120_000_000_000 } } },
    'sync_interval',
    'periodic sync',
  ],
  ['no JetStream', { jetstream: {} }, 'sync_interval', 'no JetStream'],
];

for (const [what, difference, setting, found] of unsafeServers) {
  test(`a server with ${what} is unsafe`, () => {
    const findings = checkServers([reportOf({ ...varz, ...difference })], []);
    assert.deepEqual(
      findings.map((finding) => [finding.at, finding.setting, finding.found]),
      [['n1', setting, found]],
    );
  });
}

test('later versions are accepted', () => {
  for (const version of ['2.15.0', '2.16.0-RC.1', '3.0.0']) {
    assert.deepEqual(checkServers([reportOf({ ...varz, version })], []), []);
  }
});

test('a replica server without a report is a finding; one that is offline is a warning', () => {
  const holders = [
    { name: 'n1', isOffline: false },
    { name: 'n2', isOffline: false },
    { name: 'n3', isOffline: true },
  ];
  const findings = checkServers([reportOf(varz)], holders);
  assert.deepEqual(
    findings.map(({ at, setting, isWarning }) => [at, setting, isWarning]),
    [
      ['n2', 'sync_interval', undefined],
      ['n3', 'sync_interval', true],
    ],
  );
});

test('all names of an exchange derive from its name', () => {
  assert.deepEqual(journalNames('rialto'), {
    commands: { stream: 'RIALTO_COMMANDS', subject: 'rialto.log.commands' },
    events: { stream: 'RIALTO_EVENTS', subject: 'rialto.log.events' },
    bucket: 'RIALTO_SNAPSHOTS',
    name: { stream: 'RIALTO_NAME', subject: 'rialto.log.name' },
  });
  for (const name of ['', 'Rialto', 'a.b', 'a b', '>', '1st', 'x'.repeat(33)]) {
    assert.throws(() => journalNames(name), RangeError, name);
  }
});

test('a fault with findings is not retryable; one without is', () => {
  assert.equal(new StreamFault('unsafe', { findings: [] }).isRetryable, false);
  assert.equal(new StreamFault('no answer', { cause: new Error('timeout') }).isRetryable, true);
});
