// Faults in data and in pending work: money, queues, frozen markets, backups.

import { readOpenDifferences } from '../../../features/reconciliation/index.ts';
import { RestClient } from '../../../tools/sandbox/rest-client.ts';
import { PROJECTION_SCHEMA as P } from '../../../tools/sandbox/sandbox-settings.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { type PersonOverHttp, waitingApproval } from '../../identity/person-over-http.ts';
import { POISON_ORDER } from '../../operators/failing-engine.ts';
import type { HealthStage, StagedFault } from './staged-fault.ts';

const PATIENCE_MS = 30_000;
/** No other user trades it, so the reconciler compares it undisturbed. */
const QUIET = `where owner = (select max(owner) from ${P}.balances where owner > 0)
  and asset_id = (select id from ${P}.assets where symbol = 'eur')`;

const ADD = `update ${P}.balances set available_atoms = available_atoms`;
const DEPOSIT = `where id = (select max(id) from deposit_requests where state = 'completed'
  and kind in ('deposit', 'mint'))`;

export const DATA_FAULTS: readonly StagedFault[] = [
  {
    title: 'the accounts of a coin do not sum to zero',
    alarm: 'LedgerUnbalanced',
    object: 'eur',
    follows: ['MoneyDiffers'],
    isQuick: true,
    strike: ({ sql }) => sql(`${ADD} + 1 ${QUIET}`),
    repair: ({ sql }) => sql(`${ADD} - 1 ${QUIET}`),
  },
  {
    title: 'a completed deposit has an atom more than the log',
    alarm: 'MoneyDiffers',
    object: 'deposits',
    async strike({ sandbox, sql }) {
      await sql(`update deposit_requests set amount_atoms = amount_atoms + 1 ${DEPOSIT}`);
      // The reconciler finds it in two rounds.
      const { registry } = sandbox.admin;
      await waitUntil({
        what: 'the discrepancy is recorded',
        timeoutMs: PATIENCE_MS,
        question: async () => (await readOpenDifferences(registry)).length > 0,
      });
    },
    repair: ({ sql }) =>
      sql(`update deposit_requests set amount_atoms = amount_atoms - 1 ${DEPOSIT}`),
  },
  {
    title: 'the mail server refuses connections',
    alarm: 'QueueOld',
    object: 'mails',
    async strike({ mailServer, sandbox, sql }) {
      await mailServer.stop();
      const { email } = sandbox.seeded.users.alice;
      await new RestClient({ url: sandbox.url }).get('/reset-password', { email });
      // As if it had been queued for the limit.
      await sql(`update mail_outbox set created_at = now() - interval '61 seconds'
        where state in ('waiting', 'sending', 'deferred')`);
    },
    async repair({ mailServer, sql }) {
      await mailServer.start();
      await sql(`update mail_outbox set next_at = now() where state = 'deferred'`);
    },
  },
  {
    title: 'the last backup is 27 hours old',
    alarm: 'BackupOld',
    object: '',
    strike: ({ sql }) => sql(`update backups set ended_at = ended_at - interval '27 hours'`),
    repair: ({ ann }) => reportBackup(ann),
  },
  {
    title: 'no backup was ever restored',
    alarm: 'RestoreDrillOld',
    object: '',
    strike: ({ sql }) => sql('update backups set verified = false'),
    repair: ({ ann }) => reportBackup(ann),
  },
  {
    title: 'a command fails in the engine',
    alarm: 'MarketFrozen',
    object: 'btc-eur',
    follows: ['QueueOld'],
    async strike({ sandbox }) {
      const { alice, bob } = sandbox.seeded.users;
      const order = { symbol: 'btc-eur', type: 'limit', size: 0.001, price: 55_000 };
      const { url } = sandbox;
      await new RestClient({ url, ...alice }).post('/order', { ...order, side: 'sell' });
      const poison = { ...order, side: 'buy', client_order_id: POISON_ORDER };
      await new RestClient({ url, ...bob }).post('/order', poison);
    },
    repair: voidPoison,
  },
];

/** Reports a backup like an operator's script, here with a restore drill. */
export async function reportBackup(operator: PersonOverHttp): Promise<void> {
  const ended_at = new Date().toISOString();
  const body = { kind: 'database', ended_at, verified: true, bytes: 1, place: 'drill' };
  const answer = await operator.send('PUT', '/admin/backup', { body });
  if (answer.status !== 200) throw new Error(`no backup: ${answer.text}`);
}

/** Two operators void the command and open the market. */
async function voidPoison({ ann, ben }: HealthStage): Promise<void> {
  const [{ command }] = (await ann.send('GET', '/admin/frozen')).body;
  const voiding = await ann.send('POST', '/admin/void-command', { body: { command } });
  await ben.approve(waitingApproval(voiding));
  await waitUntil({
    what: 'the market is not frozen',
    timeoutMs: PATIENCE_MS,
    question: async () => (await ann.send('GET', '/admin/frozen')).body.length === 0,
  });
}
