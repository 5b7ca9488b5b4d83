// Steps of a withdrawal, with the policy's explanation, and all details of a transfer.

import type { DepositOrWithdrawal } from '../../../client/index.ts';
import { CopyButton, type Fact, Facts } from '../../forms/index.ts';
import { Amount, Dialog, useLook } from '../../ui/index.ts';
import { policyWords } from './policy-words.ts';
import { type Stage, stageOf, stepsOf } from './transfers.ts';

const MARKS = { done: '✓', now: '◌', next: '·', failed: '✕' } as const;
const COLOURS = {
  done: 'text-up',
  now: 'text-accent',
  next: 'text-quiet',
  failed: 'text-down',
} as const;

export function Steps({ policy, stage }: { stage: Stage; policy: DepositOrWithdrawal['policy'] }) {
  const { t, time } = useLook();
  return (
    <div className="flex flex-col gap-3">
      <p role="status" className="text-value font-semibold">
        {t(`wallet.stage.${stage}`)}
      </p>
      <ol className="flex flex-col gap-2">
        {stepsOf(stage).map(([step, status]) => (
          <li key={step} data-status={status} className="flex gap-2 text-body">
            <span aria-hidden="true" className={`w-3 flex-none ${COLOURS[status]}`}>
              {MARKS[status]}
            </span>
            <span className={status === 'next' ? 'text-quiet' : ''}>
              {t(`wallet.step.${step}`)}
            </span>
          </li>
        ))}
      </ol>
      {policy !== undefined && policy.length > 0 && (
        <section aria-label={t('policy.title')} className="rounded bg-raised p-3 text-body">
          <h3 className="mb-1 text-label text-quiet">{t('policy.title')}</h3>
          <ul className="flex flex-col gap-1">
            {policy.map((line) => {
              const { values, word } = policyWords(line, (text) => time(text, 'full'));
              return <li key={line.rule}>{t(word, values)}</li>;
            })}
          </ul>
        </section>
      )}
    </div>
  );
}

export function TransferDialog({
  onClose,
  row,
}: {
  row: DepositOrWithdrawal | undefined;
  onClose(): void;
}) {
  const { t } = useLook();
  const title =
    row === undefined ? '' : t(`wallet.${row.type}Of`, { coin: row.currency.toUpperCase() });
  return (
    <Dialog title={title} isOpen={row !== undefined} onClose={onClose}>
      {row !== undefined && <Details row={row} />}
    </Dialog>
  );
}

/** Links to the block explorer, if the network has one. */
function Transaction({ row }: { row: DepositOrWithdrawal }) {
  const { transaction_id, txid_url } = row;
  const text = (
    <bdi dir="ltr" className="break-all">
      {transaction_id}
    </bdi>
  );
  if (txid_url === undefined) return text;
  return (
    <a href={txid_url} target="_blank" rel="noreferrer" className="text-accent hover:underline">
      {text}
    </a>
  );
}

function Details({ row }: { row: DepositOrWithdrawal }) {
  const { t, time } = useLook();
  const { address, amount, created_at, currency, fee, fee_coin, network, transaction_id } = row;
  const facts: Fact[] = [
    { label: t('wallet.amount'), value: <Amount value={amount} unit={currency} /> },
    { label: t('wallet.fee'), value: <Amount value={fee} unit={fee_coin} /> },
    { label: t('wallet.time'), value: <bdi>{time(created_at, 'full')}</bdi> },
  ];
  if (network !== null && network !== '')
    facts.push({ label: t('wallet.network'), value: network.toUpperCase() });
  if (address !== null && address !== '')
    facts.push({
      label: t('wallet.address'),
      value: (
        <bdi dir="ltr" className="break-all">
          {address}
        </bdi>
      ),
    });
  facts.push({
    label: t('wallet.transaction'),
    value: <Transaction row={row} />,
    act: <CopyButton label={t('people.copy')} text={transaction_id} />,
  });
  return (
    <div className="flex flex-col gap-4">
      {row.type === 'withdrawal' && <Steps stage={stageOf(row)} policy={row.policy} />}
      <Facts facts={facts} />
      {row.description !== null && row.description !== '' && (
        <p className="text-body text-quiet">{row.description}</p>
      )}
    </div>
  );
}
