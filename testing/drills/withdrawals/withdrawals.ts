// Withdrawals under faults: a race for one balance and one limit over two gateways, and kill -9 of
// gateways, dispatcher and notifier at each step. Checked against the ledger, the stream and the
// mail server: one hold, one outcome, one email each, and nothing below zero.

import { percentile } from '../../../tools/percentile.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { countBelowZero, findFaults } from './judge-ledger.ts';
import { killRounds } from './kills.ts';
import { raceForBalance, raceForLimit } from './race.ts';
import { type DrillStage, openStage } from './stage.ts';

const SEED = Number(process.env.RIALTO_SEED ?? 12);
const SIZES = {
  full: {
    balance: { attempts: 1_000, fits: 400 },
    limit: { attempts: 400, amount: '0.0237' },
    kills: 200,
  },
  quick: {
    balance: { attempts: 200, fits: 80 },
    limit: { attempts: 60, amount: '0.137' },
    kills: 8,
  },
};
const PUBLISHED_WITHIN_MS = 30_000;
/** A notice that takes longer while nothing is killed is a fault, even on a busy machine. */
const NOTICE_P99_MAX_MS = 2_000;

export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  const size = quick ? SIZES.quick : SIZES.full;
  console.log(`seed ${SEED}`);
  const stage = await openStage();
  try {
    const balance = await raceForBalance(stage, size.balance);
    const limit = await raceForLimit(stage, size.limit);
    await untilPublished(stage);
    const noticeMs = stage.notices.takeTimesMs();
    console.log(JSON.stringify({ balance, limit }));
    for (const reason of [...balance.reasons, ...limit.reasons]) console.error(reason);
    const kills = await killRounds(stage, { kills: size.kills, seed: SEED });
    await untilPublished(stage);
    const { admin } = stage.sandbox;
    const ledgerFaults = await findFaults(admin);
    for (const fault of ledgerFaults) console.error(fault);
    const result = {
      requested: balance.requested + limit.requested + kills.withdrawals,
      belowZero: await countBelowZero(admin),
      ...kills,
      notWhatFits: balance.notWhatFits + limit.notWhatFits,
      unclear: balance.unclear + limit.unclear,
      refusedLater: balance.refusedLater,
      ledgerFaults: ledgerFaults.length,
      ...(await stage.notices.judge(admin)),
      noticeP50Ms: percentile(noticeMs, 50),
      noticeP99Ms: percentile(noticeMs, 99),
      seed: SEED,
    };
    if (!isClean(result)) process.exitCode = 1;
    return result;
  } finally {
    await stage.stop();
  }
}

/** Repeated emails and metrics without a limit are not faults. */
function isClean(result: Readonly<Record<string, number>>): boolean {
  const faults = [
    'belowZero',
    'doubleHolds',
    'doublePaid',
    'lost',
    'wrongAtoms',
    'lostMails',
    'doubleMails',
    'wrongMails',
    'notWhatFits',
    'unclear',
    'ledgerFaults',
    'missedNotices',
    'disorderedNotices',
  ];
  return faults.every((name) => result[name] === 0) && result.noticeP99Ms <= NOTICE_P99_MAX_MS;
}

async function untilPublished({ sandbox }: DrillStage): Promise<void> {
  await waitUntil({
    what: 'all changes are published',
    timeoutMs: PUBLISHED_WITHIN_MS,
    question: async () => {
      const unpublished = 'select 1 from transfer_changes where published_at is null limit 1';
      return (await sandbox.admin.registry.query(unpublished)).rows.length === 0;
    },
  });
}
