// The race: one balance, and more than it can pay for, spent at the same moment over two gateways:
// withdrawals and orders, each of the same worth. Then a limit instead of a
// balance. Exactly what fits succeeds.

import { setTimeout as delay } from 'node:timers/promises';
import type { Atoms } from '../../../core/money/index.ts';
import { decimalFromAtoms } from '../../../core/money/index.ts';
import type { RestAnswer } from '../../../tools/sandbox/rest-client.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { balanceOf, withdrawalsOf } from './judge-ledger.ts';
import { ADDRESS, atoms, type DrillStage, FEE_ATOMS, type Person, SCALE } from './stage.ts';

export interface RaceSize {
  readonly attempts: number;
  /** How many of them the balance can pay for. */
  readonly fits: number;
}

export interface RaceResult {
  readonly requested: number;
  readonly succeeded: number;
  readonly refused: number;
  /** Answers that say neither. */
  readonly unclear: number;
  /** How far the result is from what fits; 0 is right. */
  readonly notWhatFits: number;
}

const UNIT = atoms('0.01');
const ABOVE_THE_MARKET = 66_000;
const SETTLED_WITHIN_MS = 60_000;

/** Spends a balance of `fits` units in `attempts` ways at once. */
export async function raceForBalance(stage: DrillStage, size: RaceSize): Promise<RaceResult> {
  const { attempts, fits } = size;
  const { admin, seeded } = stage.sandbox;
  const person = await stage.person(text((UNIT * BigInt(fits)) as Atoms));
  const ways = [() => withdraw(person, (UNIT - FEE_ATOMS) as Atoms), () => order(person)];
  const answers = await Promise.all(
    Array.from({ length: attempts }, (_, at) => insist(ways[at % ways.length](), at)),
  );
  const asset = seeded.assets.get('btc')!.id;
  const result = count(answers);
  await untilQuiet(stage);
  const parent = await balanceOf(admin, { user: person.user, asset });
  const spent = UNIT * BigInt(result.succeeded);
  const isSpent = parent.availableAtoms === 0n && parent.heldAtoms === spent;
  const isExact = isSpent && result.succeeded === fits;
  return { ...result, notWhatFits: isExact ? 0 : Math.max(1, Math.abs(result.succeeded - fits)) };
}

/** The daily limit of bitcoin in tier 1. */
const LIMIT = atoms('5');

/** Withdraws more than the limit at once; then an atom more than it has left, and the rest. */
export async function raceForLimit(
  stage: DrillStage,
  { amount, attempts }: { readonly amount: string; readonly attempts: number },
): Promise<RaceResult> {
  const person = await stage.person('20');
  const each = atoms(amount);
  const answers = await Promise.all(
    Array.from({ length: attempts }, (_, at) => insist(withdraw(person, each), at)),
  );
  const fits = LIMIT / each;
  const left = (LIMIT - fits * each) as Atoms;
  const more = [
    await withdraw(person, (left + 1n) as Atoms)(0),
    await withdraw(person, left)(1),
    await withdraw(person, atoms('0.001'))(0),
  ];
  const statuses = more.map(({ status }) => status);
  const isExact = statuses[0] >= 400 && statuses[1] === 200 && statuses[2] >= 400;
  await untilQuiet(stage);
  const opened = await withdrawalsOf(stage.sandbox.admin, person.user);
  const sum = opened.reduce((total, { amountAtoms }) => total + amountAtoms, 0n);
  const result = count([...answers, ...more]);
  return { ...result, notWhatFits: Number(sum !== LIMIT) + Number(!isExact) };
}

type Act = (gateway: number) => Promise<RestAnswer>;

const BUSY = 503;
const RETRY_MS = 100;

/** As clients do: a gateway without a free connection says so, and has done nothing. */
async function insist(act: Act, at: number): Promise<RestAnswer> {
  for (let gateway = at % 2; ; gateway = 1 - gateway) {
    const answer = await act(gateway);
    if (answer.status !== BUSY) return answer;
    await delay(RETRY_MS + (at % RETRY_MS));
  }
}

function withdraw({ clients }: Person, amount: Atoms): Act {
  const body = { currency: 'btc', network: 'btc', address: ADDRESS, amount: text(amount) };
  return (gateway) => clients[gateway].post('/user/withdrawal', body);
}

function order({ clients }: Person): Act {
  const body = { symbol: 'btc-usdt', side: 'sell', type: 'limit', size: text(UNIT) };
  return (gateway) => clients[gateway].post('/order', { ...body, price: ABOVE_THE_MARKET });
}

function count(answers: readonly RestAnswer[]): Omit<RaceResult, 'notWhatFits'> {
  const succeeded = answers.filter(({ status }) => status < 300).length;
  const refused = answers.filter(({ status }) => status >= 400 && status < 500).length;
  const unclear = answers.length - succeeded - refused;
  return { requested: answers.length, succeeded, refused, unclear };
}

/** Until no command waits, and the tables have all of them. */
async function untilQuiet({ sandbox }: DrillStage): Promise<void> {
  const { admin } = sandbox;
  await waitUntil({
    what: 'no command waits',
    timeoutMs: SETTLED_WITHIN_MS,
    question: async () => {
      const waiting = "select 1 from outbox where state = 'waiting' limit 1";
      return (await admin.registry.query(waiting)).rows.length === 0;
    },
  });
  // Changes nothing; it only tells where the log ends.
  const { user } = sandbox.seeded.users.bob;
  const { frame } = await admin.apply({ kind: 'SetUserGroup', user, group: 0, house: false });
  await admin.waitUntilProjected(frame);
}

function text(amount: Atoms): string {
  return decimalFromAtoms(amount, SCALE);
}
