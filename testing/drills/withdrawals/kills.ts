// Kill -9 of a gateway, the dispatcher or the notifier at each step of withdrawals. After each kill
// the process is started again, and the withdrawals under way are driven to their ends, as clients
// and operators would who did not get an answer: the same request again, at the other gateway.

import { setTimeout as delay } from 'node:timers/promises';
import type { Atoms } from '../../../core/money/index.ts';
import { decimalFromAtoms } from '../../../core/money/index.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { Random } from '../../flows/index.ts';
import { type DrivenWithdrawal, type End, STEPS, WithdrawalDriver } from './drive-withdrawal.ts';
import { balanceOf, withdrawalsOf } from './judge-ledger.ts';
import type { MailFaults, MailName } from './mail-tally.ts';
import { atoms, type DrillStage, type Person, SCALE } from './stage.ts';

export interface KillsResult extends MailFaults {
  readonly kills: number;
  readonly withdrawals: number;
  readonly doubleHolds: number;
  readonly doublePaid: number;
  /** Withdrawals that the ledger does not have, or that did not reach their end. */
  readonly lost: number;
  /** Atoms by which the balance differs from the sum of what was paid. */
  readonly wrongAtoms: number;
}

const VICTIMS = ['gateway-http-1', 'gateway-http-2', 'outbox-dispatcher', 'notifier'] as const;
const PER_KILL = 3;
const ENDS: readonly End[] = ['completed', 'completed', 'canceled', 'rejected'];
/** The kill comes within this time of the step; most steps take less. */
const WITHIN_MS = 80;
const BTC = '1000';
const MAILED_WITHIN_MS = 30_000;

export async function killRounds(
  stage: DrillStage,
  { kills, seed }: { readonly kills: number; readonly seed: number },
): Promise<KillsResult> {
  const random = new Random(seed);
  const person = await stage.person(BTC);
  const driver = await WithdrawalDriver.create(stage, person);
  const all: DrivenWithdrawal[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    const victim = VICTIMS[kill % VICTIMS.length];
    // A different step in each round of victims.
    const step = STEPS[(kill + Math.floor(kill / VICTIMS.length)) % STEPS.length];
    // Unique amounts: the ledger and the mails know a withdrawal by nothing else.
    const batch = Array.from({ length: PER_KILL }, () =>
      driver.plan(
        {
          amountAtoms: (atoms('0.001') + BigInt(all.length + 1)) as Atoms,
          end: ENDS[all.length % ENDS.length],
        },
        all,
      ),
    );
    await round(stage, { batch, driver, person, victim, step, afterMs: random.below(WITHIN_MS) });
    if ((kill + 1) % 20 === 0) console.log(`${kill + 1} kills`);
  }
  return judge(stage, person, { all, kills });
}

interface Round {
  readonly batch: readonly DrivenWithdrawal[];
  readonly driver: WithdrawalDriver;
  readonly person: Person;
  readonly victim: (typeof VICTIMS)[number];
  readonly step: (typeof STEPS)[number];
  readonly afterMs: number;
}

async function round(stage: DrillStage, round: Round): Promise<void> {
  const { afterMs, batch, driver, person, step, victim } = round;
  let restarted: Promise<void> | undefined;
  for (const one of STEPS) {
    const acts = Promise.all(batch.map((withdrawal) => driver.take(one, withdrawal)));
    if (one === step) {
      await delay(afterMs);
      const service = stage.sandbox.service(victim);
      await service.kill('SIGKILL');
      restarted = service.start();
    }
    await Promise.all([acts, restarted]);
  }
  const wanted = batch.flatMap(mailsOf);
  await waitUntil({
    what: 'the mails have arrived',
    timeoutMs: MAILED_WITHIN_MS,
    question: () => wanted.every(({ amount, mail }) => stage.mails.has(person.email, amount, mail)),
  });
}

function mailsOf({ amountAtoms, end }: DrivenWithdrawal): { amount: string; mail: MailName }[] {
  const amount = decimalFromAtoms(amountAtoms, SCALE);
  return [
    { amount, mail: 'held' },
    { amount, mail: end === 'completed' ? 'completed' : 'ended' },
  ];
}

async function judge(
  stage: DrillStage,
  person: Person,
  { all, kills }: { readonly all: readonly DrivenWithdrawal[]; readonly kills: number },
): Promise<KillsResult> {
  const { admin, seeded } = stage.sandbox;
  const found = await withdrawalsOf(admin, person.user);
  const counts = { doubleHolds: 0, doublePaid: 0, lost: 0 };
  let paid = 0n;
  for (const { amountAtoms, end } of all) {
    const own = found.filter((one) => one.amountAtoms === amountAtoms);
    const completed = own.filter(({ status }) => status === 'completed');
    for (const { feeAtoms } of completed) paid += amountAtoms + feeAtoms;
    if (own.length > 1) counts.doubleHolds += 1;
    if (completed.length > (end === 'completed' ? 1 : 0)) counts.doublePaid += 1;
    const isEnd = own.some(({ status }) => status === (end === 'completed' ? end : 'canceled'));
    if (!isEnd) counts.lost += 1;
  }
  if (found.length > all.length) counts.doubleHolds += found.length - all.length;
  const asset = seeded.assets.get('btc')!.id;
  const { availableAtoms, heldAtoms } = await balanceOf(admin, { user: person.user, asset });
  const wrong = atoms(BTC) - paid - availableAtoms;
  return {
    kills,
    withdrawals: all.length,
    ...counts,
    wrongAtoms: Number(wrong < 0n ? -wrong : wrong) + Number(heldAtoms),
    ...stage.mails.judge(person.email, all.flatMap(mailsOf)),
  };
}
