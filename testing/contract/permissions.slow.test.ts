// Runs the permission table against an exchange: every route, every kind of caller.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { UserId } from '../../core/money/index.ts';
import { issueKey } from '../../features/auth/index.ts';
import { type Route, type RouteName, routes } from '../../protocol/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import type { RestAnswer } from '../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';
import {
  expectedStatus,
  NAMES_BY_ID,
  PERMISSION_CASES,
  type PermissionCase,
  personOf,
} from './permission-cases.ts';
import { SampleWorld, sampleOf } from './route-samples.ts';
import { sendSample } from './send-sample.ts';

/** Window in which equal signed orders count as separate requests, in milliseconds. */
const REPEATS_WITHIN_MS = 2_000;

type Key = { readonly key: string; readonly secret: string };

let sandbox: Sandbox;
let world: SampleWorld;
let keys: Record<'scopeless' | 'scopelessAdmin' | 'elsewhere', Key>;

before(async () => {
  sandbox = await startSandbox({ checkAnswers: true, isSplit: true, givesPlayMoney: true });
  world = new SampleWorld(sandbox);
  const { admin, alice } = sandbox.seeded.users;
  keys = {
    scopeless: await keyOf(alice.user, { isScopeless: true }),
    scopelessAdmin: await keyOf(admin.user, { isScopeless: true, role: 'admin' }),
    elsewhere: await keyOf(alice.user, { addresses: ['10.1.2.0/24'] }),
  };
});

after(async () => {
  // The reason for a failure is in this message.
  if (process.env.RIALTO_SHOW_LOGS !== undefined) console.log(sandbox?.logs());
  await sandbox?.stop();
});

async function keyOf(
  user: UserId,
  wishes: { isScopeless?: boolean; role?: 'admin'; addresses?: readonly string[] },
): Promise<Key> {
  const { addresses = [], isScopeless = false, role = 'user' } = wishes;
  const scopes = { canRead: !isScopeless, canTrade: !isScopeless, canWithdraw: !isScopeless };
  const issued = await issueKey(
    sandbox.admin.registry,
    sandbox.admin.vault,
    {
      user,
      name: 'matrix',
      kind: 'hmac',
      ...scopes,
      role,
      whitelistedIps: addresses,
      nowMs: Date.now(),
    },
    { mayBeAnywhere: true },
  );
  assert.ok(!(issued instanceof Refused), JSON.stringify(issued));
  return { key: issued.key.publicKey, secret: issued.secret };
}

for (const [name, route] of Object.entries<Route>(routes)) {
  for (const kind of PERMISSION_CASES) {
    const status = expectedStatus(kind, name, route);
    test(`${route.method} ${route.path}: ${kind} gets ${status}`, async () => {
      const answer = await play(kind, name as RouteName, route);
      assert.equal(answer.status, status, answer.text);
    });
  }
}

async function play(kind: PermissionCase, name: RouteName, route: Route): Promise<RestAnswer> {
  const { admin, alice } = sandbox.seeded.users;
  const owner = kind === "other's id" ? 'bob' : kind === 'administrator' ? 'admin' : 'alice';
  // The administrator has no money, so routes that need some fund the account first.
  const hasMoney = owner !== 'admin' || route.permission.who !== 'user';
  if (!hasMoney && needsMoney.has(name)) await fundAdmin();
  const sample = await (isRejectedUnread(kind, expectedStatus(kind, name, route))
    ? rejectedSample
    : sampleOf)(name, world, { owner });
  const send = (key: Key | undefined, extra: Extra = {}) =>
    sendSample(route, sample, { url: world.urlFor(owner, route), key, ...extra });
  const sendAsPerson = async () =>
    send(undefined, { headers: await world.sessionHeaders('alice') });
  switch (kind) {
    case 'no credentials':
      return send(undefined);
    case 'wrong signature':
      return send({ key: alice.key, secret: 'not the secret' });
    case 'expired':
      return send(alice, { expires: Math.floor(Date.now() / 1_000) - 1 });
    case 'replayed': {
      // Far from expiry times that the client chooses itself.
      const expires = Math.floor(Date.now() / 1_000) + 280;
      const key = route.permission.who === 'operator' ? admin : alice;
      const first = await send(key, { expires });
      const isPerson = personOf(route.permission) !== undefined;
      assert.equal(first.status, isPerson ? 403 : route.status, first.text);
      if (route.mayRepeat === true) await delay(REPEATS_WITHIN_MS + 1);
      return send(key, { expires });
    }
    case 'wrong scope':
      return send(route.permission.who === 'operator' ? keys.scopelessAdmin : keys.scopeless);
    case "other's id":
      // A call without an ID changes its caller's data, and the caller must not be alice.
      if (sample.person !== undefined && !(name in NAMES_BY_ID)) {
        return send(undefined, { headers: sample.person });
      }
      return route.permission.who === 'person' ? sendAsPerson() : send(alice);
    case 'user':
      return send(alice);
    case 'blocked address':
      return send(keys.elsewhere);
    case 'session':
      return sample.person === undefined || route.permission.who === 'operator'
        ? sendAsPerson()
        : send(undefined, { headers: sample.person });
    case 'administrator':
      return send(admin);
  }
}

/** Rejected for its credentials, whatever the request contains. */
function isRejectedUnread(kind: PermissionCase, status: number): boolean {
  const isUnread = [
    'no credentials',
    'wrong signature',
    'expired',
    'wrong scope',
    'blocked address',
    'user',
  ];
  return isUnread.includes(kind) && (status === 401 || status === 403);
}

const rejectedSamples = new Map<RouteName, ReturnType<typeof sampleOf>>();

/** Prepares one sample per route, because rejected requests do not use it up. */
const rejectedSample: typeof sampleOf = (name, ...rest) => {
  const known = rejectedSamples.get(name) ?? sampleOf(name, ...rest);
  rejectedSamples.set(name, known);
  return known;
};

/** Administrator endpoints that need money in the account. */
const needsMoney = new Set<RouteName>([
  ...(['createOrder', 'createOrders', 'getOrder', 'amendOrder', 'cancelOrder'] as const),
  ...(['cancelOrders', 'createWithdrawal', 'cancelWithdrawal', 'executeQuote'] as const),
  ...(['transferToSubAccount', 'createStake', 'endStake', 'estimateSlash'] as const),
]);

let isAdminFunded: Promise<void> | undefined;

function fundAdmin(): Promise<void> {
  isAdminFunded ??= (async () => {
    const { admin } = sandbox.seeded.users;
    for (const [symbol, units] of [
      ['btc', 100_000_000n],
      ['usdt', 10_000_000_000n],
    ] as const) {
      const asset = sandbox.seeded.assets.get(symbol)!;
      const transactionId = `admin-${symbol}`;
      await sandbox.admin.credit({
        user: admin.user,
        asset,
        transactionId,
        amountAtoms: units as Parameters<typeof sandbox.admin.credit>[0]['amountAtoms'],
      });
    }
  })();
  return isAdminFunded;
}

interface Extra {
  readonly expires?: number;
  readonly headers?: Readonly<Record<string, string>>;
}
