// Kill -9 of a gateway, the dispatcher or the notifier at each withdrawal step. After each kill the
// process is restarted, and the withdrawals in progress are driven to their ends like by clients
// and operators who did not get an answer: the same request again, at the other gateway.

import { setTimeout as delay } from 'node:timers/promises';
import { type Atoms, decimalFromAtoms } from '../../../core/money/index.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { Random } from '../../flows/index.ts';
import { type DrivenWithdrawal, type End, STEPS, WithdrawalDriver } from './drive-withdrawal.ts';
import { balanceOf, untilQuiet, withdrawalsOf } from './judge-ledger.ts';
import type { MailFaults, MailName } from './mail-tally.ts';
import { atoms, type DrillStage, type Person, SCALE } from './stage.ts';

export interface KillsResult extends MailFaults {
  readonly kills: number;
  readonly withdrawals: number;
  readonly doubleHolds: number;
  readonly doublePaid: number;
  /** Withdrawals that are missing in the ledger, or did not reach their end. */
  readonly lost: number;
  /** Atoms by which the balance differs from the total paid. */
  readonly wrongAtoms: number;
}

const VICTIMS = ['gateway-http-1', 'gateway-http-2', 'outbox-dispatcher', 'notifier'] as const;
/** Kinds of the withdrawals in progress at each kill. */
const WAYS = ['key', 'key', 'session'] as const;
const ENDS: readonly End[] = ['completed', 'completed', 'canceled', 'rejected'];
/** The kill happens within this time of the step; most steps take less. */
const WITHIN_MS = 80;
const BTC = '4';
/** Limit for steps that send no email. */
const NO_MAIL_MS = 500;
const MAILED_WITHIN_MS = 30_000;

export async function killRounds(
  stage: DrillStage,
  { kills, seed }: { readonly kills: number; readonly seed: number },
): Promise<KillsResult> {
  const random = new Random(seed);
  const driver = new WithdrawalDriver(stage);
  const [program] = await stage.people(1, BTC);
  const others = await stage.people(kills, BTC);
  const all: DrivenWithdrawal[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    const victim = VICTIMS[kill % VICTIMS.length];
    // A different step in each round of victims.
    const step = STEPS[(kill + Math.floor(kill / VICTIMS.length)) % STEPS.length];
    const batch = WAYS.map((way, at) =>
      driver.plan({
        way,
        person: way === 'key' ? program : others[kill],
        // Unique, because the ledger and the emails identify a withdrawal only by its amount.
        amountAtoms: (atoms('0.001') + BigInt(all.length + at + 1)) as Atoms,
        end: ENDS[(all.length + at) % ENDS.length],
      }),
    );
    all.push(...batch);
    const afterMs = random.below(WITHIN_MS);
    await round(stage, { batch, driver, victim, step, afterMs }).catch((cause: unknown) => {
      throw new Error(`kill ${kill + 1}, of ${victim}, ${afterMs} ms after ${step}`, { cause });
    });
    if ((kill + 1) % 20 === 0) console.log(`${kill + 1} kills`);
  }
  return judge(stage, [program, ...others], { all, kills });
}

interface Round {
  readonly batch: readonly DrivenWithdrawal[];
  readonly driver: WithdrawalDriver;
  readonly victim: (typeof VICTIMS)[number];
  readonly step: (typeof STEPS)[number];
  readonly afterMs: number;
}

async function round(stage: DrillStage, round: Round): Promise<void> {
  const { afterMs, batch, driver, step, victim } = round;
  let restarting: Promise<void> | undefined;
  for (const one of STEPS) {
    const nextMail = stage.mails.next();
    const acts = Promise.all(batch.map((withdrawal) => driver.take(one, withdrawal)));
    if (one === step) {
      // The worst moment for a notifier: an email has arrived, but is not recorded yet.
      if (victim === 'notifier') await Promise.race([nextMail, delay(NO_MAIL_MS)]);
      else await delay(afterMs);
      const service = stage.sandbox.service(victim);
      await service.kill('SIGKILL');
      restarting = service.start();
      restarting.catch(() => {});
    }
    // The other processes continue while it starts.
    await acts;
  }
  const wanted = batch.flatMap(mailsOf);
  await restarting;
  await waitUntil({
    what: 'the emails have arrived',
    timeoutMs: MAILED_WITHIN_MS,
    question: () => wanted.every(({ amount, email, mail }) => stage.mails.has(email, amount, mail)),
  });
}

interface WantedMail {
  readonly email: string;
  readonly amount: string;
  readonly mail: MailName;
}

function mailsOf({ amountAtoms, end, person }: DrivenWithdrawal): WantedMail[] {
  const [amount, { email }] = [decimalFromAtoms(amountAtoms, SCALE), person];
  return [
    { email, amount, mail: 'held' },
    { email, amount, mail: end === 'completed' ? 'completed' : 'ended' },
  ];
}

async function judge(
  stage: DrillStage,
  people: readonly Person[],
  { all, kills }: { readonly all: readonly DrivenWithdrawal[]; readonly kills: number },
): Promise<KillsResult> {
  await untilQuiet(stage);
  const counts = { doubleHolds: 0, doublePaid: 0, lost: 0, wrongAtoms: 0 };
  const mails = { lostMails: 0, doubleMails: 0, wrongMails: 0, repeatedMails: 0 };
  for (const person of people) {
    const own = all.filter((one) => one.person === person);
    await judgeLedger(stage, person, own, counts);
    const found = stage.mails.judge(person.email, own.flatMap(mailsOf));
    for (const name of Object.keys(mails) as (keyof MailFaults)[]) mails[name] += found[name];
  }
  return { kills, withdrawals: all.length, ...counts, ...mails };
}

async function judgeLedger(
  { sandbox }: DrillStage,
  person: Person,
  own: readonly DrivenWithdrawal[],
  counts: { doubleHolds: number; doublePaid: number; lost: number; wrongAtoms: number },
): Promise<void> {
  const { admin, seeded } = sandbox;
  const found = await withdrawalsOf(admin, person.user);
  let paid = 0n;
  for (const { amountAtoms, end } of own) {
    const same = found.filter((one) => one.amountAtoms === amountAtoms);
    const completed = same.filter(({ status }) => status === 'completed');
    for (const { feeAtoms } of completed) paid += amountAtoms + feeAtoms;
    if (completed.length > (end === 'completed' ? 1 : 0)) counts.doublePaid += 1;
    const status = end === 'completed' ? end : 'canceled';
    if (!same.some((one) => one.status === status)) counts.lost += 1;
  }
  counts.doubleHolds += Math.max(0, found.length - own.length);
  const asset = seeded.assets.get('btc')!.id;
  const { availableAtoms, heldAtoms } = await balanceOf(admin, { user: person.user, asset });
  const wrong = atoms(BTC) - paid - availableAtoms;
  counts.wrongAtoms += Number(wrong < 0n ? -wrong : wrong) + Number(heldAtoms);
}
