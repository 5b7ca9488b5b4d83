// Pulls each kill switch under load, with clients at two gateways of each kind. No forbidden
// operation can be accepted later than a second after the stop, nor after the leader and a gateway
// are killed. Then others approve, and everything must work again.

import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { RestClient } from '../../../tools/sandbox/rest-client.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import type { Probe } from './probe.ts';
import { SwitchStage } from './stage.ts';

type Target = Readonly<Record<string, unknown>>;

interface Drilled {
  readonly title: string;
  /** Undefined if it cannot be resumed. */
  readonly target?: Target | ((stage: SwitchStage) => Target);
  probes(stage: SwitchStage): Probe[] | Promise<Probe[]>;
  pull?(stage: SwitchStage): Promise<void>;
  /** Operations that must continue. */
  goesOn?(stage: SwitchStage): Promise<void>;
  /** A quick drill kills only in this one. */
  readonly isKilledInQuick?: true;
}

interface Outcome {
  readonly title: string;
  readonly where: string;
  readonly effectMs: number;
  readonly acceptedLate: number;
  readonly acceptedAfterKill: number;
  readonly resumedMs: number | undefined;
  readonly said: string;
}

const EFFECT_WITHIN_MS = 1_000;
const LOAD_BEFORE_MS = 500;
const WATCHED_MS = { full: 3_000, quick: 1_300 };
const RESUMES_WITHIN_MS = 20_000;
const SESSIONS = { full: 1_000_000, quick: 20_000 };

const REASON = 'drill';

const DRILLED: readonly Drilled[] = [
  {
    title: 'trading of a market',
    target: { name: 'trading', symbol: 'btc-usdt' },
    probes: (stage) => stage.orders(),
  },
  {
    title: 'deposits of a coin',
    target: { name: 'deposits', symbol: 'btc' },
    probes: (stage) => stage.depositAddresses(),
  },
  {
    title: 'withdrawals of a coin',
    target: { name: 'withdrawals', symbol: 'btc' },
    probes: (stage) => stage.withdrawals(),
  },
  {
    title: 'writes: orders',
    target: { name: 'writes' },
    probes: (stage) => stage.orders(),
    goesOn: cancelsAndReads,
    isKilledInQuick: true,
  },
  {
    title: 'writes: withdrawals',
    target: { name: 'writes' },
    probes: (stage) => stage.withdrawals(),
  },
  {
    title: 'logins',
    target: { name: 'logins' },
    probes: (stage) => stage.sessions(),
    goesOn: keysAndOperators,
  },
  {
    title: 'accounts',
    target: (stage) => ({ name: 'accounts', users: [stage.traders[2].user] }),
    probes: (stage) => stage.ordersOfFrozen(),
  },
  {
    title: 'intake of gateway-http',
    target: { name: 'intake', service: 'gateway-http' },
    probes: (stage) => stage.reads(),
  },
  {
    title: 'intake of gateway-websocket',
    target: { name: 'intake', service: 'gateway-websocket' },
    probes: (stage) => stage.sockets(),
  },
  {
    title: 'intake of outbox-dispatcher',
    target: { name: 'intake', service: 'outbox-dispatcher' },
    probes: (stage) => stage.settledOutbox(),
  },
  {
    title: 'intake of notifier',
    target: { name: 'intake', service: 'notifier' },
    probes: (stage) => stage.sentMails(),
  },
  // The last one, because it also ends the sessions of the voters.
  {
    title: 'log out everyone',
    probes: (stage) => stage.sessions(),
    goesOn: keysAndOperators,
  },
];

export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  const size = quick ? 'quick' : 'full';
  const stage = await SwitchStage.start();
  try {
    const outcomes: Outcome[] = [];
    await addSessions(stage, SESSIONS[size]);
    for (const drilled of DRILLED) {
      const isKilled = !quick || drilled.isKilledInQuick === true;
      outcomes.push(...(await drill(stage, drilled, { watchedMs: WATCHED_MS[size], isKilled })));
    }
    return judge(outcomes);
  } finally {
    await stage.stop();
  }
}

async function drill(
  stage: SwitchStage,
  { goesOn, probes: open, target: given, title }: Drilled,
  { isKilled, watchedMs }: { readonly watchedMs: number; readonly isKilled: boolean },
): Promise<Outcome[]> {
  const target = typeof given === 'function' ? given(stage) : given;
  const probes = await open(stage);
  try {
    const beganMs = performance.now();
    await untilAll(probes, `${title}: load`, (probe) => probe.acceptedAfter(beganMs) > 0);
    await delay(LOAD_BEFORE_MS);
    await pull(stage, target);
    const stoppedMs = performance.now();
    await delay(watchedMs);
    await goesOn?.(stage);
    let killedMs = performance.now();
    if (isKilled) {
      await stage.kill();
      const startedMs = performance.now();
      await untilAll(probes, `${title}: refused`, (probe) => probe.refusedAfter(startedMs) > 0);
    } else killedMs = Number.POSITIVE_INFINITY;
    const outcomes = probes.map((probe) => ({
      title,
      where: probe.where,
      effectMs: probe.lastAcceptedAfter(stoppedMs),
      acceptedLate: probe.acceptedAfter(stoppedMs + EFFECT_WITHIN_MS),
      acceptedAfterKill: probe.acceptedAfter(killedMs),
      said: probe.saidAfter(stoppedMs).join(' | '),
    }));
    const resumed = await resume(stage, title, { probes, target });
    return outcomes.map((outcome, at) => ({ ...outcome, resumedMs: resumed?.[at] }));
  } finally {
    await Promise.all(probes.map((probe) => probe.stop()));
  }
}

async function pull(stage: SwitchStage, target: Target | undefined): Promise<void> {
  const path = target === undefined ? '/admin/logout-everyone' : '/admin/switches/stop';
  const { status, text } = await stage.operate(path, { ...target, reason: REASON });
  assert.equal(status, 200, text);
}

/** Returns the milliseconds until each probe is accepted again. Ended sessions stay ended. */
async function resume(
  stage: SwitchStage,
  title: string,
  { probes, target }: { readonly probes: readonly Probe[]; readonly target: Target | undefined },
): Promise<number[] | undefined> {
  if (target === undefined) return undefined;
  await stage.resume(target);
  const resumedMs = performance.now();
  if (target.name === 'logins') return undefined;
  const took: number[] = [];
  await untilAll(probes, `${title}: resumed`, (probe, at) => {
    const isAccepted = probe.acceptedAfter(resumedMs) > 0;
    if (isAccepted) took[at] ??= Math.round(performance.now() - resumedMs);
    return isAccepted;
  });
  return took;
}

async function untilAll(
  probes: readonly Probe[],
  what: string,
  question: (probe: Probe, at: number) => boolean,
): Promise<void> {
  const isEach = () => probes.map(question).every((isTrue) => isTrue);
  try {
    await waitUntil({ what, timeoutMs: RESUMES_WITHIN_MS, question: isEach });
  } catch (cause) {
    const said = probes.map((probe) => `${probe.where}: ${probe.saidAfter(0).join(' | ')}`);
    throw new Error(said.join('\n'), { cause });
  }
}

/** At every gateway. */
async function cancelsAndReads({ sandbox, traders }: SwitchStage): Promise<void> {
  for (const [at, url] of sandbox.urls.entries()) {
    const client = new RestClient({ url, ...traders[at] });
    const open = await client.get('/orders', { open: true, limit: 1 });
    assert.equal(open.status, 200, open.text);
    const cancelled = await client.delete('/order', { order_id: open.body.data[0].id });
    assert.equal(cancelled.status, 200, cancelled.text);
  }
}

async function keysAndOperators(stage: SwitchStage): Promise<void> {
  for (const url of stage.sandbox.urls) {
    const { status, text } = await new RestClient({ url, ...stage.traders[0] }).get('/user');
    assert.equal(status, 200, text);
  }
  const session = stage.admins[0].clients.find(({ by }) => by === 'session');
  assert.ok(session !== undefined);
  const own = await session.send('GET', '/admin/switches');
  assert.equal(own.status, 200, own.text);
}

const SESSIONS_PER_INSERT = 20_000;

/** Ending many sessions must not take longer. */
async function addSessions({ sandbox, traders }: SwitchStage, count: number): Promise<void> {
  // In parts, because a statement has a time limit.
  for (let first = 1; first <= count; first += SESSIONS_PER_INSERT) {
    await sandbox.admin.registry.query(
      `insert into sessions (user_id, token_hash, scopes, expires_at, kind, security_version, ip,
         user_agent)
       select $1, sha256(n::text::bytea), '{user}', now() + interval '1 day', 'login', 1, '', ''
       from generate_series($2::integer, $3::integer) n`,
      [traders[3].user, first, Math.min(count, first + SESSIONS_PER_INSERT - 1)],
    );
  }
}

function judge(outcomes: readonly Outcome[]): Record<string, unknown> {
  console.table(
    outcomes.map(({ effectMs, resumedMs, said, title, where }) => ({
      switch: title,
      where,
      'effect ms': effectMs,
      'resumed ms': resumedMs ?? '',
      'clients got': said.slice(0, 60),
    })),
  );
  const late = outcomes.filter(({ acceptedLate }) => acceptedLate > 0);
  const lost = outcomes.filter(({ acceptedAfterKill }) => acceptedAfterKill > 0);
  if (late.length + lost.length > 0) process.exitCode = 1;
  return {
    switches: new Set(outcomes.map(({ title }) => title)).size,
    gateways: outcomes.length,
    slowestEffectMs: Math.max(...outcomes.map(({ effectMs }) => effectMs)),
    slowestResumeMs: Math.max(...outcomes.map(({ resumedMs }) => resumedMs ?? 0)),
    late: late.map(({ title, where }) => `${title} at ${where}`),
    lostByKill: lost.map(({ title, where }) => `${title} at ${where}`),
  };
}
