// Manual credit for money received externally. Repeats amount and unit, and shows the value, the
// share of all user holdings, the cap and the required approvals.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DecimalField, Field, Select } from '../../ui/index.ts';
import { consentFor } from '../approvals/consent.ts';
import { constantsQuery, controlQuery, exchange, workQuery } from '../exchange.ts';
import { ActDialog } from '../parts/act-dialog.tsx';
import { idOf } from '../parts/search-parameters.ts';
import { useOperator } from '../session.tsx';
import { useLook } from '../use-words.ts';
import { type CreditEffect, creditEffect } from './credit-view.ts';

export function CreditDialog({ onClose }: { onClose(): void }) {
  const { number, t } = useLook();
  const { data: constants } = useQuery(constantsQuery);
  const [user, setUser] = useState('');
  const [currency, setCurrency] = useState('usdt');
  const [amount, setAmount] = useState('');
  const [network, setNetwork] = useState('');
  const [transaction, setTransaction] = useState('');
  const [output, setOutput] = useState('');
  const coins = Object.values(constants?.coins ?? {});
  const coin = constants?.coins[currency];
  const networks = (coin?.network ?? '').split(',').filter((one) => one !== '');
  const userId = idOf(user);
  const effect = useEffectOf(currency, amount);
  const written = amount === '' ? '' : `${number(amount)} ${currency.toUpperCase()}`;
  return (
    <ActDialog
      title={t('deposits.credit')}
      submit={t('deposits.creditSubmit', { amount: written, user })}
      form="wide"
      reason="optional"
      isDisabled={userId === undefined || effect === undefined || effect.isOverCap}
      act={({ reason }) =>
        exchange.creditDeposit({
          user_id: userId ?? 0,
          currency,
          amount,
          ...(networks.length > 0 && { network: network === '' ? networks[0] : network }),
          ...(transaction !== '' && { transaction_id: transaction }),
          ...(output !== '' && { output }),
          ...(reason !== '' && { description: reason }),
        })
      }
      onClose={onClose}
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <Field
          label={t('deposits.userNumber')}
          required
          inputMode="numeric"
          dir="ltr"
          value={user}
          hint={userId !== undefined && <NamedUser id={userId} />}
          onChange={({ target }) => setUser(target.value.trim())}
        />
        <Select
          label={t('users.coin')}
          value={currency}
          onValue={setCurrency}
          choices={coins.map(({ fullname, symbol }) => ({
            value: symbol,
            label: `${symbol.toUpperCase()} · ${fullname}`,
          }))}
        />
        <DecimalField
          label={t('users.amount')}
          increment={coin?.increment_unit ?? '0.00000001'}
          after={currency.toUpperCase()}
          required
          value={amount}
          onValue={setAmount}
        />
        {networks.length > 0 && (
          <Select
            label={t('users.network')}
            value={network === '' ? networks[0] : network}
            onValue={setNetwork}
            choices={networks.map((value) => ({ value, label: value }))}
          />
        )}
        <Field
          label={t('users.transaction')}
          hint={t('deposits.causeHint')}
          dir="ltr"
          maxLength={200}
          value={transaction}
          onChange={({ target }) => setTransaction(target.value.trim())}
        />
        <Field
          label={t('deposits.output')}
          hint={t('deposits.outputHint')}
          inputMode="numeric"
          dir="ltr"
          pattern="[0-9]*"
          value={output}
          onChange={({ target }) => setOutput(target.value.trim())}
        />
      </div>
      {effect !== undefined && <Preview effect={effect} written={written} />}
    </ActDialog>
  );
}

function useEffectOf(currency: string, amount: string): CreditEffect | undefined {
  const { may } = useOperator();
  const { data: control } = useQuery({ ...controlQuery, enabled: may('readControl') });
  const quote = control?.currency;
  const { data: prices } = useQuery({
    queryKey: ['oracle', currency, quote],
    enabled: quote !== undefined,
    queryFn: ({ signal }) =>
      exchange.getOraclePrices({ assets: [currency], quote: quote ?? '' }, { signal }),
  });
  const { data: totals } = useQuery({
    queryKey: ['private', 'total balance'],
    enabled: may('readTotals'),
    queryFn: ({ signal }) => exchange.getTotalBalance({ signal }),
  });
  const { data: coins } = useQuery({
    queryKey: ['private', 'coins', currency],
    enabled: may('readCoins'),
    queryFn: async ({ signal }) => (await exchange.getCoins({ currency }, { signal })).data,
  });
  return creditEffect({
    amount,
    price: prices?.[currency],
    holdings: totals?.[`${currency}_balance`],
    cap: coins?.find(({ symbol }) => symbol === currency)?.issuance_cap,
    thresholds: control && { one: control.one_approval_from, two: control.two_approvals_from },
  });
}

function NamedUser({ id }: { id: number }) {
  const { t } = useLook();
  const user = useQuery({
    queryKey: ['private', 'users', 'one', id],
    queryFn: async ({ signal }) => (await exchange.getUsers({ id }, { signal })).data,
  });
  if (user.data === undefined) return null;
  const [one] = user.data;
  if (one === undefined) return <span className="text-down">{t('users.none')}</span>;
  return (
    <bdi dir="ltr">
      {one.email} · {t('users.tierIs', { tier: one.verification_level })}
    </bdi>
  );
}

function Preview({ effect, written }: { effect: CreditEffect; written: string }) {
  const { number, percent, t } = useLook();
  const { data: control } = useQuery(controlQuery);
  const { data: work } = useQuery(workQuery);
  const { role } = useOperator();
  const { capShare, isOverCap, people, share, value } = effect;
  const unit = control?.currency.toUpperCase() ?? '';
  const consent = work && consentFor(people ?? 2, { mode: work.control_mode, role });
  return (
    <div className="flex flex-col gap-1 rounded border border-line p-3 text-value">
      <p className="font-semibold">
        <bdi dir="ltr">
          {written} = {value === undefined ? t('deposits.noPrice') : `${number(value, 2)} ${unit}`}
        </bdi>
      </p>
      {share !== undefined && <p>{t('deposits.share', { percent: percent(share) })}</p>}
      {capShare !== undefined && (
        <div>
          <p className={isOverCap ? 'text-down' : ''}>
            {t(isOverCap ? 'deposits.overCap' : 'deposits.cap', { percent: percent(capShare) })}
          </p>
          <CapBar share={Math.min(1, Number(capShare))} />
        </div>
      )}
      <p className="text-body text-quiet">
        {people === undefined || consent === undefined
          ? t('deposits.peopleUnknown')
          : consent === 'solo' || consent === 'administrator'
            ? t(`consent.${consent}`)
            : t(`deposits.people.${people}`)}
      </p>
    </div>
  );
}

const FULL_FROM = 0.9;

/** Percentage as a bar; the text next to it has the same value. */
function CapBar({ share }: { share: number }) {
  return (
    <div aria-hidden="true" className="mt-1 h-1.5 overflow-hidden rounded-full bg-raised">
      <div
        style={{ inlineSize: `${share * 100}%` }}
        className={`h-full min-w-1 ${share >= FULL_FROM ? 'bg-down' : 'bg-accent'}`}
      />
    </div>
  );
}
