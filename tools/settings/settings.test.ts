// The settings table is complete, correct for every service, and the source of both documents.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parseEnv } from 'node:util';
import { CAPTCHA_KINDS } from '../../features/auth/sign-up/captcha.ts';
import { ConfigFault } from '../../infra/process/index.ts';
import {
  allSettings,
  readServiceConfig,
  SERVICES,
  SETTINGS,
  type ServiceName,
} from '../../infra/settings/index.ts';
import { STREAM_CLIENT_BUDGET, STREAM_IDLE_MS } from '../../protocol/index.ts';
import { ARCHIVIST_DEFAULTS } from '../../services/archivist/archivist.ts';
import * as archivist from '../../services/archivist/config.ts';
import { TRIM_DEFAULTS } from '../../services/archivist/trimmer.ts';
import { GATEWAY_MODULES } from '../../services/gateway-http/served-routes.ts';
import * as dispatcher from '../../services/outbox-dispatcher/config.ts';
import { DISPATCHER_DEFAULTS } from '../../services/outbox-dispatcher/outbox-dispatcher.ts';
import * as projector from '../../services/projector/config.ts';
import { PROJECTOR_DEFAULTS } from '../../services/projector/projector.ts';
import * as publisher from '../../services/publisher/config.ts';
import { PUBLISHER_DEFAULTS } from '../../services/publisher/publisher.ts';
import * as sequencer from '../../services/sequencer/config.ts';
import { SEQUENCER_DEFAULTS } from '../../services/sequencer/sequencer-options.ts';
import {
  defaultText,
  exampleOf,
  SETTINGS_FILE,
  SETTINGS_PAGE,
  settingsFile,
  settingsPage,
} from './settings-documents.ts';

const ROOT = join(import.meta.dirname, '../..');
const ROWS = allSettings().map(([, row]) => row);

const DEVELOPMENT = {
  RIALTO_MODE: 'development',
  RIALTO_NATS_URLS: 'nats://127.0.0.1:4222',
  RIALTO_POSTGRES_URL: 'postgres://x@127.0.0.1/x',
  RIALTO_ARCHIVE_FOLDER: '/tmp/archive',
};

/** Example of every setting: the file's content if all its lines are used. */
const EXAMPLES = Object.fromEntries(ROWS.map((row) => [row.name, exampleOf(row)]));

function problemsOf(service: ServiceName, environment: Record<string, string>): readonly string[] {
  try {
    readServiceConfig(service, environment);
    return [];
  } catch (fault) {
    assert.ok(fault instanceof ConfigFault);
    return fault.message.split('\n');
  }
}

test('the documents are up to date (npm run fix)', () => {
  assert.equal(readFileSync(join(ROOT, SETTINGS_PAGE), 'utf8'), settingsPage());
  assert.equal(readFileSync(join(ROOT, SETTINGS_FILE), 'utf8'), settingsFile());
});

test('every service in the repository has settings, and the table names no others', () => {
  const folders = readdirSync(join(ROOT, 'services')).sort();
  assert.deepEqual([...SERVICES].sort(), folders);
});

test('every setting has a unique name, a meaning, and a unit if it is a number', () => {
  const names = ROWS.map(({ name }) => name);
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  );
  for (const row of ROWS) {
    assert.match(row.name, /^RIALTO_[A-Z_]+$/);
    assert.match(row.meaning, /^[`A-Z].*\.$/, row.name);
    assert.ok(row.usedBy.length > 0, row.name);
    const isNumber = /^an integer/.test(row.expected) && !/_PORT$/.test(row.name);
    assert.equal(row.unit !== undefined, isNumber, `the unit of ${row.name}`);
  }
});

test('every example and every default is a value that the setting accepts', () => {
  for (const row of ROWS) {
    assert.notEqual(row.read(exampleOf(row)), undefined, row.name);
    const text = defaultText(row);
    if (text !== undefined) assert.deepEqual(row.read(text), row.fallback?.value, row.name);
  }
});

describe('one file for all services', () => {
  for (const service of SERVICES) {
    test(`${service} accepts the example of every setting in production`, () => {
      assert.deepEqual(problemsOf(service, EXAMPLES), []);
    });

    test(`${service} rejects an unknown name and suggests one`, () => {
      assert.deepEqual(problemsOf(service, { ...EXAMPLES, RIALTO_STRAEM_PORT: '1' }), [
        'Invalid configuration: RIALTO_STRAEM_PORT is not a known setting ' +
          '(did you mean RIALTO_STREAM_PORT?)',
      ]);
    });
  }
});

test('the file is in the form that node --env-file reads', () => {
  const used = settingsFile().replaceAll(/^#RIALTO_/gm, 'RIALTO_');
  assert.deepEqual({ ...parseEnv(used) }, EXAMPLES);
  assert.deepEqual({ ...parseEnv(settingsFile()) }, {});
});

test('every secret can come from a file', () => {
  const secrets = ROWS.filter(({ isSecret }) => isSecret === true).map(({ name }) => name);
  assert.deepEqual(secrets, [
    'RIALTO_POSTGRES_URL',
    'RIALTO_ACCESS_KEY',
    'RIALTO_TURNSTILE_SECRET',
    'RIALTO_SMTP_URL',
  ]);
});

/** With these changes to the examples, production does not start. */
const OPEN_DOORS: readonly (readonly [ServiceName, Record<string, string | undefined>, RegExp])[] =
  [
    ['gateway-http', { RIALTO_CORS_ORIGINS: '*' }, /RIALTO_CORS_ORIGINS is \*: every web page/],
    [
      'gateway-http',
      { RIALTO_CORS_ORIGINS: undefined },
      /RIALTO_CORS_ORIGINS is not set .*required/,
    ],
    ['gateway-http', { RIALTO_PUBLIC_URL: undefined }, /RIALTO_PUBLIC_URL is not set .*required/],
    ['notifier', { RIALTO_PUBLIC_URL: undefined }, /RIALTO_PUBLIC_URL is not set .*required/],
    [
      'gateway-http',
      { RIALTO_PUBLIC_URL: 'http://x.example' },
      /RIALTO_PUBLIC_URL is .*plain text/,
    ],
    [
      'gateway-websocket',
      { RIALTO_PUBLIC_URL: 'http://x.example' },
      /RIALTO_PUBLIC_URL .*plain text/,
    ],
    ['notifier', { RIALTO_WEB_URL: 'http://x.example' }, /RIALTO_WEB_URL is .*plain text/],
    ['gateway-http', { RIALTO_STREAM_URL: 'ws://10.0.0.2:8081' }, /RIALTO_STREAM_URL leads to an/],
    [
      'gateway-http',
      { RIALTO_IDENTITY_URL: 'http://10.0.0.2:1' },
      /RIALTO_IDENTITY_URL leads to an/,
    ],
    ['gateway-http', { RIALTO_HTTP_PORT: undefined }, /RIALTO_HTTP_PORT is 0, a random port/],
    ['gateway-websocket', { RIALTO_STREAM_PORT: '0' }, /RIALTO_STREAM_PORT is 0, a random port/],
    ['sequencer', { RIALTO_LINK_PORT: undefined }, /RIALTO_LINK_PORT is 0, a random port/],
    ['monitor', { RIALTO_HEALTH_PORT: undefined }, /RIALTO_HEALTH_PORT is 0, a random port/],
  ];

describe('production rejects an insecure setting with one sentence', () => {
  for (const [service, change, sentence] of OPEN_DOORS) {
    test(`${service}: ${JSON.stringify(change)}`, () => {
      const changed = Object.entries({ ...EXAMPLES, ...change }).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      );
      const problems = problemsOf(service, Object.fromEntries(changed));
      assert.equal(problems.length, 1, problems.join('\n'));
      assert.match(problems[0], sentence);
      const development = { ...Object.fromEntries(changed), RIALTO_MODE: 'development' };
      assert.deepEqual(problemsOf(service, development), []);
    });
  }
});

test('the defaults in the table match the code', () => {
  const { archivistConfig } = archivist;
  const { settingsOf: sequencerSettings } = sequencer;
  assert.deepEqual(sequencerSettings(sequencer.sequencerConfig(DEVELOPMENT)), SEQUENCER_DEFAULTS);
  assert.deepEqual(archivist.settingsOf(archivistConfig(DEVELOPMENT)), ARCHIVIST_DEFAULTS);
  assert.deepEqual(archivist.trimSettingsOf(archivistConfig(DEVELOPMENT)), TRIM_DEFAULTS);
  assert.deepEqual(
    projector.settingsOf(projector.projectorConfig(DEVELOPMENT)),
    PROJECTOR_DEFAULTS,
  );
  assert.deepEqual(
    publisher.settingsOf(publisher.publisherConfig(DEVELOPMENT)),
    PUBLISHER_DEFAULTS,
  );
  assert.deepEqual(
    dispatcher.settingsOf(dispatcher.dispatcherConfig(DEVELOPMENT)),
    DISPATCHER_DEFAULTS,
  );
  const stream = readServiceConfig('gateway-websocket', DEVELOPMENT);
  assert.deepEqual(
    {
      messages: { burst: stream.clientMessagesBurst, perSecond: stream.clientMessagesPerSecond },
      bytes: { burst: stream.clientBytesBurst, perSecond: stream.clientBytesPerSecond },
      channels: { burst: stream.clientChannelsBurst, perSecond: stream.clientChannelsPerSecond },
    },
    STREAM_CLIENT_BUDGET,
  );
  assert.equal(stream.idleMs, STREAM_IDLE_MS);
  assert.deepEqual(SETTINGS.modules.fallback?.value, GATEWAY_MODULES);
  assert.equal(SETTINGS.captcha.expected, `one of ${CAPTCHA_KINDS.join(', ')}`);
});
