// Tiers with their names, and the deposit and withdrawal limits of each.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { TransactionLimit } from '../../../client/index.ts';
import {
  Amount,
  Button,
  type Column,
  DecimalField,
  Field,
  Panel,
  Select,
  stateOfList,
  WideTable,
} from '../../ui/index.ts';
import { constantsQuery, exchange } from '../exchange.ts';
import { ActDialog } from '../parts/act-dialog.tsx';
import { useOperator } from '../session.tsx';
import { useLook } from '../use-words.ts';
import {
  ALL_COINS,
  isLimitValid,
  type LimitDraft,
  limitKind,
  nextLevel,
  sortedLimits,
  type TierRow,
} from './tier-view.ts';

export function TiersPanel({ tiers }: { tiers: readonly TierRow[] }) {
  const { t } = useLook();
  const { may } = useOperator();
  const [edited, setEdited] = useState<TierRow | 'new'>();
  const columns: Column<TierRow>[] = [
    { key: 'level', label: t('fees.tier'), isNumber: true, cell: ({ level }) => level },
    { key: 'name', label: t('market.fullname'), cell: ({ tier }) => tier.name },
    {
      key: 'description',
      label: t('settings.description'),
      isExtra: true,
      cell: ({ tier }) => <span className="whitespace-normal">{tier.description || '–'}</span>,
    },
    {
      key: 'act',
      label: <span className="sr-only">{t('users.acts')}</span>,
      isNumber: true,
      cell: (row) =>
        may('changeTier') && (
          <Button size="small" className="my-0.5" onClick={() => setEdited(row)}>
            {t('markets.edit')}
          </Button>
        ),
    },
  ];
  return (
    <Panel
      title={t('tiers.title')}
      state={stateOfList({ error: null, data: tiers }, t('tiers.none'))}
      after={
        may('addTier') && (
          <Button size="small" onClick={() => setEdited('new')}>
            {t('tiers.new')}
          </Button>
        )
      }
      dialogs={
        edited !== undefined && (
          <TierDialog
            row={edited === 'new' ? undefined : edited}
            level={edited === 'new' ? nextLevel(tiers) : edited.level}
            onClose={() => setEdited(undefined)}
          />
        )
      }
    >
      <WideTable
        caption={t('tiers.title')}
        columns={columns}
        rows={tiers}
        keyOf={({ level }) => String(level)}
      />
    </Panel>
  );
}

function TierDialog({
  level,
  onClose,
  row,
}: {
  level: number;
  row: TierRow | undefined;
  onClose(): void;
}) {
  const { t } = useLook();
  const [name, setName] = useState(row?.tier.name ?? '');
  const [description, setDescription] = useState(row?.tier.description ?? '');
  const texts = { level, name: name.trim(), description: description.trim() };
  return (
    <ActDialog
      title={row === undefined ? t('tiers.new') : t('markets.editTitle', { name: row.tier.name })}
      submit={t('control.save')}
      approvals={row === undefined ? 1 : 0}
      isDisabled={name.trim() === ''}
      onClose={onClose}
      act={() =>
        row === undefined
          ? exchange.createTier({ ...texts, icon: '', fees: { maker: {}, taker: {} } })
          : exchange.changeTier(texts)
      }
    >
      {row === undefined && <p className="text-body text-quiet">{t('tiers.newText', { level })}</p>}
      <Field
        label={t('market.fullname')}
        required
        maxLength={100}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <Field
        label={t('settings.description')}
        maxLength={500}
        value={description}
        onChange={({ target }) => setDescription(target.value)}
      />
    </ActDialog>
  );
}

export function LimitsPanel({ tiers }: { tiers: readonly TierRow[] }) {
  const { t } = useLook();
  const { may } = useOperator();
  const [edited, setEdited] = useState<TransactionLimit | 'new'>();
  const [removed, setRemoved] = useState<TransactionLimit>();
  const limits = useQuery({
    queryKey: ['private', 'transaction limits'],
    queryFn: ({ signal }) => exchange.getTransactionLimits({ signal }),
  });
  const rows = limits.data && sortedLimits(limits.data);
  const nameOf = (level: number) => tiers.find((one) => one.level === level)?.tier.name ?? '';
  const columns: Column<TransactionLimit>[] = [
    {
      key: 'tier',
      label: t('fees.tier'),
      cell: ({ tier }) => (tier === 0 ? t('tiers.every') : `${tier} · ${nameOf(tier)}`),
    },
    { key: 'type', label: t('users.type'), cell: ({ type }) => t(`limits.${type}`) },
    {
      key: 'coin',
      label: t('health.coin'),
      cell: ({ limit_currency: coin }) =>
        coin === ALL_COINS ? t('limits.allCoins') : <bdi dir="ltr">{coin.toUpperCase()}</bdi>,
    },
    {
      key: 'day',
      label: t('limits.day'),
      isNumber: true,
      cell: ({ amount, currency }) => <LimitAmount amount={amount} unit={currency} />,
    },
    {
      key: 'month',
      label: t('limits.month'),
      isNumber: true,
      cell: ({ currency, monthly_amount: amount }) => (
        <LimitAmount amount={amount ?? '0'} unit={currency} />
      ),
    },
    {
      key: 'act',
      label: <span className="sr-only">{t('users.acts')}</span>,
      isNumber: true,
      cell: (row) =>
        may('setLimit') && (
          <span className="my-0.5 inline-flex gap-1">
            <Button size="small" onClick={() => setEdited(row)}>
              {t('markets.edit')}
            </Button>
            <Button size="small" look="danger" onClick={() => setRemoved(row)}>
              {t('control.remove')}
            </Button>
          </span>
        ),
    },
  ];
  return (
    <Panel
      title={t('limits.title')}
      state={stateOfList({ error: limits.error, data: rows }, t('limits.none'))}
      onRetry={() => void limits.refetch()}
      after={
        may('setLimit') && (
          <Button size="small" onClick={() => setEdited('new')}>
            {t('limits.new')}
          </Button>
        )
      }
      dialogs={
        <>
          {edited !== undefined && (
            <LimitDialog
              limit={edited === 'new' ? undefined : edited}
              tiers={tiers}
              onClose={() => setEdited(undefined)}
            />
          )}
          {removed !== undefined && (
            <ActDialog
              title={t('limits.removeTitle')}
              submit={t('control.remove')}
              isDanger
              approvals={1}
              onClose={() => setRemoved(undefined)}
              act={() => exchange.deleteTransactionLimit({ id: removed.id })}
            >
              <p className="text-body">{t('limits.removeText')}</p>
            </ActDialog>
          )}
        </>
      }
    >
      <WideTable
        caption={t('limits.title')}
        columns={columns}
        rows={rows ?? []}
        keyOf={({ id }) => String(id)}
      />
    </Panel>
  );
}

function LimitAmount({ amount, unit }: { amount: string; unit: string }) {
  const { t } = useLook();
  const kind = limitKind(amount);
  return kind === 'amount' ? <Amount value={amount} unit={unit} /> : t(`limits.${kind}`);
}

function LimitDialog({
  limit,
  onClose,
  tiers,
}: {
  limit: TransactionLimit | undefined;
  tiers: readonly TierRow[];
  onClose(): void;
}) {
  const { t } = useLook();
  const { data: constants } = useQuery(constantsQuery);
  const [draft, setDraft] = useState<LimitDraft>({
    tier: String(limit?.tier ?? tiers[0]?.level ?? 1),
    type: limit?.type ?? 'withdrawal',
    coin: limit?.limit_currency ?? ALL_COINS,
    currency: limit?.currency ?? 'usdt',
    day: limit?.amount ?? '',
    month: limit?.monthly_amount ?? '0',
  });
  const set = (change: Partial<LimitDraft>) => setDraft({ ...draft, ...change });
  const coins = Object.keys(constants?.coins ?? {}).toSorted();
  const coinChoices = coins.map((value) => ({ value, label: value.toUpperCase() }));
  const isNew = limit === undefined;
  return (
    <ActDialog
      title={t(isNew ? 'limits.new' : 'limits.edit')}
      submit={t('control.save')}
      approvals={1}
      isDisabled={!isLimitValid(draft)}
      onClose={onClose}
      act={() =>
        exchange.setTransactionLimit({
          ...(limit !== undefined && { id: limit.id }),
          tier: Number(draft.tier),
          type: draft.type,
          limit_currency: draft.coin,
          currency: draft.currency,
          amount: draft.day,
          monthly_amount: draft.month,
        })
      }
    >
      {isNew && (
        <>
          <Select
            label={t('fees.tier')}
            value={draft.tier}
            onValue={(tier) => set({ tier })}
            choices={tiers.map(({ level, tier }) => ({
              value: String(level),
              label: `${level} · ${tier.name}`,
            }))}
          />
          <Select
            label={t('users.type')}
            value={draft.type}
            onValue={(type) => set({ type })}
            choices={(['withdrawal', 'deposit'] as const).map((value) => ({
              value,
              label: t(`limits.${value}`),
            }))}
          />
          <Select
            label={t('health.coin')}
            value={draft.coin}
            onValue={(coin) => set({ coin })}
            choices={[{ value: ALL_COINS, label: t('limits.allCoins') }, ...coinChoices]}
          />
        </>
      )}
      <Select
        label={t('limits.currency')}
        value={draft.currency}
        onValue={(currency) => set({ currency })}
        choices={coinChoices}
      />
      <DecimalField
        label={t('limits.day')}
        hint={t('limits.hint')}
        increment="0.00000001"
        after={draft.currency.toUpperCase()}
        required
        value={draft.day}
        onValue={(day) => set({ day })}
      />
      <DecimalField
        label={t('limits.month')}
        hint={t('limits.hint')}
        increment="0.00000001"
        after={draft.currency.toUpperCase()}
        required
        value={draft.month}
        onValue={(month) => set({ month })}
      />
    </ActDialog>
  );
}
