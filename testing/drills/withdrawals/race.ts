// The race: one balance is spent concurrently over two gateways, by more requests than it can pay
// for: withdrawals, transfers, moves to a sub-account and orders, each of the same value. Then a
// limit instead of a balance. Exactly what fits succeeds, according to the ledger, and no answer
// can contradict it.

import { setTimeout as delay } from 'node:timers/promises';
import { type Atoms, decimalFromAtoms } from '../../../core/money/index.ts';
import { errors } from '../../../protocol/index.ts';
import type { RestAnswer } from '../../../tools/sandbox/rest-client.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { AnswerTally } from './answer-tally.ts';
import { balanceOf, untilQuiet, withdrawalsOf } from './judge-ledger.ts';
import { ADDRESS, atoms, type DrillStage, FEE_ATOMS, type Person, SCALE } from './stage.ts';

export interface RaceSize {
  readonly attempts: number;
  /** Number of requests that the balance can pay for. */
  readonly fits: number;
}

export interface RaceResult {
  readonly requested: number;
  /** Successful requests, according to the ledger. */
  readonly succeeded: number;
  readonly refused: number;
  /** Queued, and refused by the engine after the answer. */
  readonly refusedLater: number;
  /** Inconclusive answers. */
  readonly unclear: number;
  /** Distance of the result from what fits; 0 is correct. */
  readonly notWhatFits: number;
  readonly answers: AnswerTally;
  /** One sentence for each unexpected outcome. */
  readonly reasons: readonly string[];
}

const UNIT = atoms('0.01');
const ABOVE_THE_MARKET = 66_000;

const WAYS = ['withdrawal', 'move', 'order', 'withdrawal', 'move'] as const;
type Way = (typeof WAYS)[number];

/** Spends a balance of `fits` units with `attempts` concurrent requests. */
export async function raceForBalance(stage: DrillStage, size: RaceSize): Promise<RaceResult> {
  const { attempts, fits } = size;
  const [person] = await stage.people(1, text((UNIT * BigInt(fits)) as Atoms));
  const [friend] = await stage.people(1, '0.001');
  const sub = await subAccountOf(person);
  const transfers = new EmailTransfers(stage, { from: person, to: friend });
  await transfers.request();
  // Orders need no lock: they are so fast that more of them would leave nothing for the others.
  const acts: Record<Way, () => Act> = {
    withdrawal: () => withdraw(person, (UNIT - FEE_ATOMS) as Atoms),
    move: () => moveTo(person, sub),
    order: () => order(person),
  };
  const attempted = Promise.all(
    Array.from({ length: attempts }, async (_, at) => {
      const way = WAYS[at % WAYS.length];
      return { way, answer: await insist(acts[way](), at) };
    }),
  );
  const [confirmations, answered] = await Promise.all([transfers.run(), attempted]);
  await untilQuiet(stage);
  const spent = await spentBy(stage, { person, sub, friend: friend.user });
  const refusedLater = await countRefusedLater(stage, answered);
  const succeeded = spent.withdrawal + spent.move + spent.order + spent.transfer;
  const reasons = [
    ...disagreements(answered, { spent, refusedLater }),
    ...(spent.restAtoms === 0n ? [] : [`${spent.restAtoms} atoms are left or in no unit`]),
    ...(succeeded === fits ? [] : [`the ledger has ${succeeded}, and ${fits} fit`]),
    ...(confirmations.doubled === 0 ? [] : [`${confirmations.doubled} transfers confirmed twice`]),
  ];
  const { answers, unclear } = count(answered);
  const requested = attempts + confirmations.requested;
  return {
    requested,
    succeeded,
    refused: requested - succeeded - unclear,
    refusedLater,
    unclear,
    notWhatFits: reasons.length === 0 ? 0 : Math.max(1, Math.abs(succeeded - fits)),
    answers,
    reasons,
  };
}

interface Answered {
  readonly way: Way;
  readonly answer: RestAnswer;
}

type Spent = Readonly<Record<Way | 'transfer', number>> & {
  /** Still available, or on hold and moved in amounts that were not requested. */
  readonly restAtoms: bigint;
};

/** Returns the units that left the balance, by kind of request, according to the ledger. */
async function spentBy(
  { sandbox }: DrillStage,
  { friend, person, sub }: { person: Person; sub: Person['user']; friend: Person['user'] },
): Promise<Spent> {
  const { admin, seeded } = sandbox;
  const asset = seeded.assets.get('btc')!.id;
  const [own, moved, received] = await Promise.all(
    [person.user, sub, friend].map((user) => balanceOf(admin, { user, asset })),
  );
  const open = (await withdrawalsOf(admin, person.user)).filter(({ status }) => status === 'open');
  const forWithdrawals = open.reduce((sum, one) => sum + one.amountAtoms + one.feeAtoms, 0n);
  const amounts = {
    withdrawal: forWithdrawals,
    move: moved.availableAtoms,
    order: own.heldAtoms - forWithdrawals,
    transfer: received.availableAtoms - atoms('0.001'),
  };
  const rests = Object.values(amounts).map((amount) => amount % UNIT);
  return {
    withdrawal: open.length,
    move: Number(amounts.move / UNIT),
    order: Number(amounts.order / UNIT),
    transfer: Number(amounts.transfer / UNIT),
    restAtoms: own.availableAtoms + rests.reduce((sum, rest) => sum + rest, 0n),
  };
}

/** A gateway stops waiting for the engine after a while and reports the request as queued. */
async function countRefusedLater(
  { sandbox }: DrillStage,
  answered: readonly Answered[],
): Promise<number> {
  const ids = answered
    .filter(({ answer, way }) => way === 'withdrawal' && answer.status < 300)
    .map(({ answer }) => answer.body.id);
  const { rows } = await sandbox.admin.registry.query(
    `select from withdrawal_requests where id = any($1::bigint[]) and state = 'refused'`,
    [ids],
  );
  return rows.length;
}

/** Returns answers that the ledger contradicts, one sentence each. */
function disagreements(
  answered: readonly Answered[],
  { refusedLater, spent }: { readonly spent: Spent; readonly refusedLater: number },
): string[] {
  return (['withdrawal', 'move', 'order'] as const).flatMap((way) => {
    const own = answered.filter((one) => one.way === way).map(({ answer }) => answer);
    const accepted = own.filter(({ status }) => status < 300).length;
    const certain = accepted - (way === 'withdrawal' ? refusedLater : 0);
    const unknown = own.filter(isUnknown).length;
    const isTrue = spent[way] >= certain && spent[way] <= certain + unknown;
    const said = `${certain} succeeded and ${unknown} are unknown`;
    return isTrue ? [] : [`${way}: the ledger has ${spent[way]}, the answers say that ${said}`];
  });
}

/** Daily bitcoin limit in tier 1. */
const LIMIT = atoms('5');

/**
 * Concurrently withdraws more than the limit, then exactly the remainder of the limit, then one
 * atom.
 */
export async function raceForLimit(
  stage: DrillStage,
  { amount, attempts }: { readonly amount: string; readonly attempts: number },
): Promise<RaceResult> {
  const [person] = await stage.people(1, '20');
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
  const all = [...answers, ...more].map((answer) => ({ way: 'withdrawal', answer }) as const);
  const counted = count(all);
  const reasons = [
    ...(sum === LIMIT ? [] : [`the ledger has ${sum} atoms, the limit is ${LIMIT}`]),
    ...(isExact ? [] : [`answers at the edge of the limit are ${statuses.join(', ')}`]),
  ];
  return {
    requested: all.length,
    succeeded: opened.length,
    refused: all.length - opened.length - counted.unclear,
    refusedLater: 0,
    unclear: counted.unclear,
    notWhatFits: reasons.length,
    answers: counted.answers,
    reasons,
  };
}

const TRANSFERS = 3;
/** Sent concurrently for each transfer; one of them counts. */
const CONFIRMATIONS = 20;
const MAILED_WITHIN_MS = 60_000;

/** Transfers by email, one after another, each confirmed many times concurrently. */
class EmailTransfers {
  readonly #stage: DrillStage;
  readonly #from: Person;
  readonly #to: Person;

  constructor(stage: DrillStage, { from, to }: { readonly from: Person; readonly to: Person }) {
    this.#stage = stage;
    this.#from = from;
    this.#to = to;
  }

  /** Resolves when the email with the code has arrived. */
  async request(): Promise<void> {
    const { anyone, mails } = this.#stage;
    const { email, session } = this.#from;
    await this.#stage.provePasskey(this.#from);
    const before = mails.codeOf(email);
    const body = { currency: 'btc', network: 'email', address: this.#to.email, amount: text(UNIT) };
    const target = '/v2/user/request-withdrawal';
    const asked = await insist(
      (at) => anyone[at].send({ method: 'POST', target, body, headers: session }),
      0,
    );
    if (asked.status !== 200) throw new Error(`transfer not requested: ${asked.text}`);
    await waitUntil({
      what: 'the code has arrived',
      timeoutMs: MAILED_WITHIN_MS,
      question: () => mails.codeOf(email) !== before,
    });
  }

  /**
   * Starts with the first one requested. `doubled` counts excess confirmations that were accepted.
   */
  async run(): Promise<{ readonly requested: number; readonly doubled: number }> {
    const { anyone, mails } = this.#stage;
    let doubled = 0;
    for (let transfer = 1; transfer <= TRANSFERS; transfer += 1) {
      const token = mails.codeOf(this.#from.email)!;
      const answers = await Promise.all(
        Array.from({ length: CONFIRMATIONS }, (_, at) =>
          insist((gateway) => anyone[gateway].post('/user/confirm-withdrawal', { token }), at),
        ),
      );
      const accepted = answers.filter(({ status }) => status < 300).length;
      doubled += Math.max(0, accepted - 1);
      if (transfer < TRANSFERS) await this.request();
    }
    return { requested: TRANSFERS * CONFIRMATIONS, doubled };
  }
}

type Act = (gateway: number) => Promise<RestAnswer>;

const BUSY = 503;
const RETRY_MS = 100;

/** Retries like clients: a gateway without a free connection reports that and has done nothing. */
async function insist(act: Act, at: number): Promise<RestAnswer> {
  for (let gateway = at % 2; ; gateway = 1 - gateway) {
    const answer = await act(gateway);
    if (answer.status !== BUSY) return answer;
    await delay(RETRY_MS + (at % RETRY_MS));
  }
}

function withdraw({ clients }: Person, amount: Atoms): Act {
  const body = { currency: 'btc', network: 'btc', address: ADDRESS, amount: text(amount) };
  return (gateway) => clients[gateway].post('/user/withdrawal', different(body));
}

function order({ clients }: Person): Act {
  const body = { symbol: 'btc-usdt', side: 'sell', type: 'limit', size: text(UNIT) };
  return (gateway) =>
    clients[gateway].post('/order', different({ ...body, price: ABOVE_THE_MARKET }));
}

function moveTo({ clients }: Person, sub: number): Act {
  const body = { subaccount_id: sub, currency: 'btc', amount: text(UNIT), direction: 'to_sub' };
  return (gateway) => clients[gateway].post('/subaccount/transfer', different(body));
}

let sent = 0;

/** The same body in other bytes, because a signature is valid once and a thousand must not wait. */
function different(body: object): string {
  sent += 1;
  const [blanks, lines] = [' '.repeat(sent % 64), '\n'.repeat(Math.floor(sent / 64) % 64)];
  return `${JSON.stringify(body)}${blanks}${lines}`;
}

async function subAccountOf(person: Person): Promise<Person['user']> {
  const created = await person.clients[0].post('/subaccount', { label: 'race', virtual: true });
  if (created.status !== 201) throw new Error(`no sub-account: ${created.text}`);
  return created.body.id;
}

/** Refusals that a race can end with; every other one is inconclusive. */
const REASONS: ReadonlySet<number> = new Set([
  errors.balance_too_small.code,
  errors.available_balance_too_small.code,
  errors.withdrawal_limit_reached.code,
  errors.code_used.code,
  errors.code_wrong.code,
]);

function count(answered: readonly Answered[]) {
  const answers = new AnswerTally();
  for (const { answer, way } of answered) answers.add(way, answer);
  const unclear = answered.filter(({ answer }) => {
    return answer.status >= 300 && !isUnknown(answer) && !REASONS.has(answer.body?.code);
  }).length;
  return { answers, unclear };
}

/** The gateway stopped waiting, so the ledger decides. */
function isUnknown({ body }: RestAnswer): boolean {
  return body?.code === errors.outcome_unknown.code;
}

function text(amount: Atoms): string {
  return decimalFromAtoms(amount, SCALE);
}
