// The race: one balance, and more than it can pay for, spent at the same moment over two gateways:
// withdrawals, transfers, moves to a sub-account and orders, each of the same worth. Then a limit
// instead of a balance. Exactly what fits succeeds.

import { setTimeout as delay } from 'node:timers/promises';
import type { Atoms } from '../../../core/money/index.ts';
import { decimalFromAtoms } from '../../../core/money/index.ts';
import { errors } from '../../../protocol/index.ts';
import type { RestAnswer } from '../../../tools/sandbox/rest-client.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { balanceOf, untilQuiet, withdrawalsOf } from './judge-ledger.ts';
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

/** Spends a balance of `fits` units in `attempts` ways at once. */
export async function raceForBalance(stage: DrillStage, size: RaceSize): Promise<RaceResult> {
  const { attempts, fits } = size;
  const { admin, seeded } = stage.sandbox;
  const [person] = await stage.people(1, text((UNIT * BigInt(fits)) as Atoms));
  const [friend] = await stage.people(1, '0.001');
  const sub = await subAccountOf(person);
  const transfers = new EmailTransfers(stage, { from: person, to: friend });
  await transfers.request();
  const withdrawal = () => withdraw(person, (UNIT - FEE_ATOMS) as Atoms);
  const move = () => moveTo(person, sub);
  // Orders need no lock: they are so fast that more of them would leave nothing to the others.
  const ways = [withdrawal, move, () => order(person), withdrawal, move];
  const [confirmations, ...answers] = await Promise.all([
    transfers.run(),
    ...Array.from({ length: attempts }, (_, at) => insist(ways[at % ways.length](), at)),
  ]);
  await untilQuiet(stage);
  const asset = seeded.assets.get('btc')!.id;
  const [own, moved, received] = await Promise.all(
    [person.user, sub, friend.user].map((user) => balanceOf(admin, { user, asset })),
  );
  const sent = received.availableAtoms - atoms('0.001');
  const result = count(answers);
  // The answer to a transfer does not wait for the engine: the ledger says which succeeded.
  const succeeded = result.succeeded + Number(sent / UNIT);
  const elsewhere = own.heldAtoms + moved.availableAtoms + sent;
  const isSpent = own.availableAtoms === 0n && elsewhere === UNIT * BigInt(fits);
  const isExact = isSpent && succeeded === fits && confirmations.doubled === 0;
  return {
    requested: attempts + confirmations.requested,
    succeeded,
    refused: attempts + confirmations.requested - succeeded - result.unclear,
    unclear: result.unclear,
    notWhatFits: isExact ? 0 : Math.max(1, Math.abs(succeeded - fits)),
  };
}

/** The daily limit of bitcoin in tier 1. */
const LIMIT = atoms('5');

/** Withdraws more than the limit at once, then exactly what the limit has left, then one atom. */
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
  const result = count([...answers, ...more]);
  return { ...result, notWhatFits: Number(sum !== LIMIT) + Number(!isExact) };
}

const TRANSFERS = 3;
/** Sent at once for each transfer: one of them counts. */
const CONFIRMATIONS = 20;
const MAILED_WITHIN_MS = 60_000;

/** Transfers by e-mail, one after another, each confirmed many times at once. */
class EmailTransfers {
  readonly #stage: DrillStage;
  readonly #from: Person;
  readonly #to: Person;

  constructor(stage: DrillStage, { from, to }: { readonly from: Person; readonly to: Person }) {
    this.#stage = stage;
    this.#from = from;
    this.#to = to;
  }

  /** Resolves when the mail with the code has arrived. */
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

  /** The first one has been requested. `doubled`: confirmations too many that were accepted. */
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
      doubled += Math.max(0, count(answers).succeeded - 1);
      if (transfer < TRANSFERS) await this.request();
    }
    return { requested: TRANSFERS * CONFIRMATIONS, doubled };
  }
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

/** The same body in other bytes: signatures are valid once, and a thousand must not wait. */
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

/** The refusals that a race may end with: every other one is unclear. */
const REASONS: ReadonlySet<number> = new Set([
  errors.balance_too_small.code,
  errors.available_balance_too_small.code,
  errors.withdrawal_limit_reached.code,
  errors.code_used.code,
  errors.code_wrong.code,
]);

function count(answers: readonly RestAnswer[]): Omit<RaceResult, 'notWhatFits'> {
  const succeeded = answers.filter(({ status }) => status < 300).length;
  const refused = answers.filter(({ body }) => REASONS.has(body?.code)).length;
  const unclear = answers.length - succeeded - refused;
  return { requested: answers.length, succeeded, refused, unclear };
}

function text(amount: Atoms): string {
  return decimalFromAtoms(amount, SCALE);
}
