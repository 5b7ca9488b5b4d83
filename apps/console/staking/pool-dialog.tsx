// Terms of a stake pool, for creating and changing it.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { StakePoolOfOperators } from '../../../client/index.ts';
import { DecimalField, Field, Select, Toggle } from '../../ui/index.ts';
import { constantsQuery, exchange } from '../exchange.ts';
import { ActDialog } from '../parts/act-dialog.tsx';
import { useOperator } from '../session.tsx';
import { useLook } from '../use-words.ts';

export function PoolDialog({
  onClose,
  pool,
}: {
  pool: StakePoolOfOperators | undefined;
  onClose(): void;
}) {
  const { t } = useLook();
  const { id: own } = useOperator();
  const { data: constants } = useQuery(constantsQuery);
  const [name, setName] = useState(pool?.name ?? '');
  const [currency, setCurrency] = useState(pool?.currency ?? 'usdt');
  const [account, setAccount] = useState(String(pool?.account_id ?? own));
  const [apy, setApy] = useState(pool?.apy ?? '');
  const [min, setMin] = useState(pool?.min_amount ?? '');
  const [max, setMax] = useState(pool?.max_amount ?? '');
  const [days, setDays] = useState(pool?.duration ?? '');
  const [isEarly, setEarly] = useState(pool?.early_unstake ?? false);
  const [slash, setSlash] = useState(pool?.slashing_principle_percentage ?? '0');
  const [slashEarning, setSlashEarning] = useState(pool?.slashing_earning_percentage ?? '0');
  const isNew = pool === undefined;
  const isStarted = !isNew && pool.status !== 'uninitialized';
  const increment = constants?.coins[currency]?.increment_unit ?? '0.00000001';
  const unit = currency.toUpperCase();
  const terms = {
    name,
    account_id: Number(account),
    apy,
    min_amount: min,
    max_amount: max,
    duration: days === '' ? null : Number(days),
    early_unstake: isEarly,
    slashing_principle_percentage: slash,
    slashing_earning_percentage: slashEarning,
  };
  return (
    <ActDialog
      title={isNew ? t('pools.create') : `${t('people.change')}: ${pool.name}`}
      submit={t(isNew ? 'pools.create' : 'pools.save')}
      form="wide"
      act={() =>
        isNew
          ? exchange.createStakePool({ ...terms, currency })
          : exchange.changeStakePool({ id: pool.id, ...terms, ...(!isStarted && { currency }) })
      }
      onClose={onClose}
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <Field
          label={t('people.name')}
          required
          maxLength={100}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        {isStarted ? (
          <Field label={t('users.coin')} value={unit} readOnly hint={t('pools.fixed')} />
        ) : (
          <Select
            label={t('users.coin')}
            value={currency}
            onValue={setCurrency}
            choices={Object.keys(constants?.coins ?? { usdt: null }).map((value) => ({
              value,
              label: value.toUpperCase(),
            }))}
          />
        )}
        <DecimalField
          label={t('pools.apy')}
          required
          increment="0.000001"
          after="%"
          value={apy}
          onValue={setApy}
        />
        <Field
          label={t('pools.days')}
          hint={t('pools.daysHint')}
          inputMode="numeric"
          pattern="[0-9]*"
          dir="ltr"
          value={days}
          onChange={({ target }) => setDays(target.value.trim())}
        />
        <DecimalField
          label={t('pools.min')}
          required
          increment={increment}
          after={unit}
          value={min}
          onValue={setMin}
        />
        <DecimalField
          label={t('pools.max')}
          required
          increment={increment}
          after={unit}
          value={max}
          onValue={setMax}
        />
        <Field
          label={t('pools.account')}
          hint={t('pools.accountHint')}
          required
          inputMode="numeric"
          pattern="[0-9]+"
          dir="ltr"
          value={account}
          onChange={({ target }) => setAccount(target.value.trim())}
        />
        <Toggle label={t('pools.early')} isOn={isEarly} onChange={setEarly} />
        {isEarly && (
          <>
            <DecimalField
              label={t('pools.slash')}
              increment="0.0001"
              after="%"
              value={slash}
              onValue={setSlash}
            />
            <DecimalField
              label={t('pools.slashEarning')}
              increment="0.0001"
              after="%"
              value={slashEarning}
              onValue={setSlashEarning}
            />
          </>
        )}
      </div>
      {(isNew || isStarted) && (
        <p className="text-body text-quiet">{t(isNew ? 'pools.createText' : 'pools.changeText')}</p>
      )}
    </ActDialog>
  );
}
