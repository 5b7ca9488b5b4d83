// The permissions name subjects and streams as data. They must match those that the owners use, and
// a gateway must have no access to the log, its leader or other users' feeds.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { healthSubject } from '../../features/health/index.ts';
import { linkSubjects } from '../../infra/command-link/index.ts';
import {
  IDENTITIES,
  MONEY_CHANNELS,
  natsPermissions,
  type ServiceIdentity,
} from '../../infra/identities/index.ts';
import { journalNames } from '../../infra/journal/index.ts';
import { feedSubjects } from '../../infra/live-feed/index.ts';
import { progressSubject, wantedSubject } from '../../infra/projections/index.ts';
import { statusSubject } from '../../infra/status/index.ts';
import { OUTBOX_CHANNELS } from '../../platform/outbox/index.ts';

const ALL = natsPermissions('rialto', { withSandbox: false });
const link = linkSubjects('rialto');
const log = journalNames('rialto');
const feed = feedSubjects('rialto');

function matches(pattern: string, subject: string): boolean {
  const [wanted, found] = [pattern.split('.'), subject.split('.')];
  const isMatch = wanted.every((token, at) =>
    token === '>' ? found.length > at : token === '*' ? at < found.length : token === found[at],
  );
  return isMatch && (wanted.at(-1) === '>' || wanted.length === found.length);
}

function holders(way: 'publish' | 'subscribe', subject: string): ServiceIdentity[] {
  return IDENTITIES.filter((name) => ALL.get(name)?.[way].some((one) => matches(one, subject)));
}

const HTTP: readonly ServiceIdentity[] = ['gateway-http', 'gateway-identity', 'gateway-admin'];
const STREAM: readonly ServiceIdentity[] = ['gateway-websocket', 'gateway-ws-admin'];
const GATEWAYS: readonly ServiceIdentity[] = [...HTTP, ...STREAM];

const PUBLISHERS: readonly [subject: string, holders: readonly ServiceIdentity[]][] = [
  [log.commands.subject, ['sequencer']],
  [log.events.subject, ['sequencer']],
  [link.leader, ['sequencer']],
  [link.standby, ['sequencer']],
  [link.handOver, ['sequencer']],
  [link.resultsFor('outbox-dispatcher', 7), ['sequencer']],
  [link.commandsFrom('outbox-dispatcher'), ['outbox-dispatcher']],
  [link.commandsFrom('gateway-http'), ['gateway-http']],
  [link.commandsFrom('sandbox'), []],
  ['rialto.outbox.settled', ['outbox-dispatcher']],
  ['rialto.outbox.waiting', HTTP],
  [healthSubject('rialto'), ['monitor']],
  [statusSubject('rialto', 'monitor'), ['monitor']],
  [progressSubject('rialto'), ['projector']],
  [wantedSubject('rialto'), GATEWAYS],
  [`${feed.feed}.book.btc-usdt`, ['publisher']],
  [`${feed.private}.2`, ['publisher']],
  ['rialto.notices.2.deposit', ['outbox-dispatcher']],
  ['rialto.switches.changed', ['gateway-admin']],
  ...STREAM.map((name): [string, readonly ServiceIdentity[]] => [
    `_INBOX.${name}.x.y`,
    ['publisher'],
  ]),
  [`$JS.API.STREAM.PURGE.OBJ_${log.bucket}`, ['archivist']],
  [log.name.subject, []],
  ['$JS.API.STREAM.UPDATE.RIALTO_NAME', []],
  ['$JS.API.STREAM.DELETE.RIALTO_NAME', []],
  ...[log.commands.stream, log.events.stream].flatMap(
    (stream): [string, readonly ServiceIdentity[]][] => [
      [`$JS.API.STREAM.CREATE.${stream}`, ['sequencer']],
      [`$JS.API.STREAM.UPDATE.${stream}`, []],
      [`$JS.API.STREAM.DELETE.${stream}`, []],
      [`$JS.API.STREAM.PURGE.${stream}`, ['archivist']],
      [`$JS.API.STREAM.MSG.DELETE.${stream}`, []],
    ],
  ),
];

const SUBSCRIBERS: readonly [subject: string, holders: readonly ServiceIdentity[]][] = [
  [link.commandsFrom('outbox-dispatcher'), ['sequencer']],
  [link.resultsFor('outbox-dispatcher', 7), ['outbox-dispatcher']],
  [link.leader, ['sequencer', 'outbox-dispatcher', ...GATEWAYS]],
  [`${feed.private}.2`, STREAM],
  ['rialto.notices.2.deposit', STREAM],
  ['_INBOX.gateway-http.x.y', ['gateway-http']],
  ['_INBOX.gateway-ws-admin.x.y', ['gateway-ws-admin']],
  [wantedSubject('rialto'), ['projector']],
  [statusSubject('rialto', 'sequencer'), ['monitor']],
  [statusSubject('rialto', 'projector'), ['archivist', 'monitor']],
  [statusSubject('rialto', 'publisher'), ['archivist', 'monitor']],
  [statusSubject('rialto', 'outbox-dispatcher'), ['archivist', 'monitor']],
];

test('each subject of the exchange has only its own publishers', () => {
  for (const [subject, expected] of PUBLISHERS) {
    assert.deepEqual(holders('publish', subject), expected, subject);
  }
});

test('each subject of the exchange has only its own readers', () => {
  for (const [subject, expected] of SUBSCRIBERS) {
    assert.deepEqual(holders('subscribe', subject), expected, subject);
  }
});

test('money is accepted on the channels that the outbox uses', () => {
  assert.deepEqual([...MONEY_CHANNELS].sort(), Object.values(OUTBOX_CHANNELS).sort());
});
