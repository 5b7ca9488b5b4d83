// Fees and tiers: the rates for each market and tier, a proposal of new rates, and its effect over
// the last 30 days before it is requested.

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FeeEffect, FeeEffects, FeeProposalIn } from '../../../client/index.ts';
import { Facts } from '../../forms/index.ts';
import {
  Amount,
  Button,
  type Column,
  DecimalField,
  marketName,
  Panel,
  stateOfError,
  stateOfList,
  Table,
} from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import {
  type FeeRow,
  feeRows,
  feesBody,
  isComplete,
  isRate,
  keyOf,
  type Proposal,
  ratesOf,
  withRates,
} from '../fees/fee-view.ts';
import { SettlementPanel } from '../fees/settlement.tsx';
import { tierRows } from '../fees/tier-view.ts';
import { LimitsPanel, TiersPanel } from '../fees/tiers-panel.tsx';
import { ActDialog } from '../parts/act-dialog.tsx';
import { useOperator } from '../session.tsx';
import { useLook } from '../use-words.ts';

export function Screen() {
  const { t } = useLook();
  const { may } = useOperator();
  const [proposal, setProposal] = useState<Proposal>({});
  const [isAsking, setAsking] = useState(false);
  const tiers = useQuery({
    queryKey: ['private', 'tiers'],
    queryFn: ({ signal }) => exchange.getTiers({ signal }),
  });
  const rows = tiers.data && feeRows(tiers.data);
  const count = Object.keys(proposal).length;
  return (
    <div className="grid gap-1 xl:grid-cols-2">
      <h1 className="sr-only">{t('screen.fees')}</h1>
      <Panel
        title={t('fees.rates')}
        state={stateOfList({ error: tiers.error, data: rows }, t('switches.noMarkets'))}
        onRetry={() => void tiers.refetch()}
        after={
          count > 0 && (
            <span className="flex gap-2">
              <Button size="small" look="quiet" onClick={() => setProposal({})}>
                {t('fees.reset')}
              </Button>
              {may('setFees') && (
                <Button
                  size="small"
                  look="main"
                  disabled={!isComplete(proposal)}
                  onClick={() => setAsking(true)}
                >
                  {t('fees.request', { count })}
                </Button>
              )}
            </span>
          )
        }
      >
        <RatesTable rows={rows ?? []} proposal={proposal} onProposal={setProposal} />
      </Panel>
      <EffectPanel proposal={proposal} />
      <TiersPanel tiers={tierRows(tiers.data ?? {})} />
      {may('readLimits') && <LimitsPanel tiers={tierRows(tiers.data ?? {})} />}
      {(may('readAccounts') || may('settleFees')) && <SettlementPanel />}
      {isAsking && (
        <ActDialog
          title={t('fees.requestTitle', { count })}
          submit={t('markets.request')}
          approvals={1}
          onClose={() => setAsking(false)}
          act={async () => {
            const answer = await exchange.setPairFees({ fees: feesBody(proposal) });
            setProposal({});
            return answer;
          }}
        >
          <p className="text-body">{t('fees.requestText')}</p>
          <Facts
            facts={Object.entries(proposal).map(([key, { maker, taker }]) => ({
              label: marketName(key),
              value: <bdi dir="ltr">{`${maker}% / ${taker}%`}</bdi>,
            }))}
          />
        </ActDialog>
      )}
    </div>
  );
}

function RatesTable({
  onProposal,
  proposal,
  rows,
}: {
  rows: readonly FeeRow[];
  proposal: Proposal;
  onProposal(proposal: Proposal): void;
}) {
  const { t } = useLook();
  const side = (name: 'maker' | 'taker'): Column<FeeRow> => ({
    key: name,
    label: t(`fees.${name}`),
    cell: (row) => {
      const rates = ratesOf(row, proposal);
      return (
        <span className="inline-block w-28 py-0.5">
          <DecimalField
            label={t('fees.rateOf', {
              side: t(`fees.${name}`),
              pair: marketName(row.pair),
              tier: row.tierName,
            })}
            isLabelHidden
            increment="0.0001"
            after="%"
            aria-invalid={!isRate(rates[name]) || undefined}
            value={rates[name]}
            onValue={(rate) => onProposal(withRates(proposal, row, { ...rates, [name]: rate }))}
          />
        </span>
      );
    },
  });
  const columns: Column<FeeRow>[] = [
    {
      key: 'pair',
      label: t('overview.market'),
      cell: ({ pair }) => <bdi dir="ltr">{marketName(pair)}</bdi>,
    },
    {
      key: 'tier',
      label: t('fees.tier'),
      cell: (row) => (
        <span className={proposal[keyOf(row)] === undefined ? '' : 'font-semibold text-accent'}>
          {row.tier} · {row.tierName}
        </span>
      ),
    },
    side('maker'),
    side('taker'),
  ];
  return <Table caption={t('fees.rates')} columns={columns} rows={rows} keyOf={keyOf} />;
}

function EffectPanel({ proposal }: { proposal: Proposal }) {
  const { t } = useLook();
  const isReady = isComplete(proposal);
  const body: FeeProposalIn = isReady ? { fees: feesBody(proposal) } : { discount: '0' };
  const effects = useQuery({
    queryKey: ['private', 'fees', body],
    queryFn: ({ signal }) => exchange.estimateFees(body, { signal }),
    placeholderData: keepPreviousData,
  });
  const { data } = effects;
  const state =
    effects.error !== null
      ? stateOfError(effects.error)
      : data === undefined
        ? ({ kind: 'loading' } as const)
        : data.from === null
          ? ({ kind: 'empty', text: t('overview.noFees') } as const)
          : data.effects.length === 0
            ? ({ kind: 'empty', text: t('fees.noTrades') } as const)
            : ({ kind: 'ready' } as const);
  return (
    <Panel
      title={t(isReady ? 'fees.effect' : 'fees.present')}
      state={state}
      onRetry={() => void effects.refetch()}
    >
      {data !== undefined && <EffectView data={data} isProposal={isReady} />}
    </Panel>
  );
}

function EffectView({ data, isProposal }: { data: FeeEffects; isProposal: boolean }) {
  const { t } = useLook();
  const { currency, from, to, total } = data;
  const columns: Column<FeeEffect>[] = [
    {
      key: 'pair',
      label: t('overview.market'),
      cell: ({ symbol, tier }) => <bdi dir="ltr">{`${marketName(symbol)} · ${tier}`}</bdi>,
    },
    {
      key: 'users',
      label: t('switches.users'),
      isNumber: true,
      cell: ({ users }) => <Amount value={String(users)} />,
    },
    {
      key: 'collected',
      label: t('overview.feesTotal'),
      isNumber: true,
      cell: ({ value }) => <Amount value={value?.collected} scale={2} unit={currency} />,
    },
    ...(isProposal
      ? [
          {
            key: 'difference',
            label: t('fees.difference'),
            isNumber: true,
            cell: ({ value }: FeeEffect) => (
              <Difference value={value?.difference} unit={currency} />
            ),
          },
        ]
      : []),
  ];
  return (
    <>
      <div className="flex flex-wrap items-baseline gap-x-6 px-2 py-3">
        <p className="text-price">
          <Amount value={total?.collected} scale={2} unit={currency} />
        </p>
        {isProposal && (
          <p className="text-price">
            <Difference value={total?.difference} unit={currency} />
          </p>
        )}
        <p className="text-label text-quiet">
          {t('overview.feesOf', { from: from ?? '', to: to ?? '' })}
        </p>
      </div>
      <p className="px-2 pb-2 text-label text-quiet">{t('fees.assumes')}</p>
      <Table
        caption={t('fees.effect')}
        columns={columns}
        rows={data.effects}
        keyOf={({ symbol, tier }) => `${symbol} ${tier}`}
      />
    </>
  );
}

function Difference({ unit, value }: { value: string | undefined; unit: string }) {
  if (value === undefined) return <span>–</span>;
  const isLess = value.startsWith('-');
  return (
    <span className={isLess ? 'text-down' : 'text-up'}>
      <span aria-hidden="true">{isLess ? '▼ ' : '▲ '}</span>
      <Amount value={value} scale={2} unit={unit} />
    </span>
  );
}
