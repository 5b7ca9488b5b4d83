// Staking: pools with their next steps, and the stakes in them.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { StakePoolOfOperators, Staker } from '../../../client/index.ts';
import { isZero } from '../../decimals/index.ts';
import { Chip } from '../../forms/index.ts';
import { Amount, Button, type Column, Panel, stateOfList, WideTable } from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { ActDialog } from '../parts/act-dialog.tsx';
import { UserLink } from '../parts/links.tsx';
import { PagedPanel } from '../parts/paged-panel.tsx';
import { useOperator } from '../session.tsx';
import { PoolDialog } from '../staking/pool-dialog.tsx';
import { nextSteps, type PoolStep, stepChange, stepWaits } from '../staking/pool-life.ts';
import { useLook } from '../use-words.ts';

/** Stakes finish without an operator, so the list is polled. */
const EVERY_MS = 10_000;

export function Screen() {
  const { t } = useLook();
  const { may } = useOperator();
  return (
    <div className="flex flex-col gap-1">
      <h1 className="sr-only">{t('screen.staking')}</h1>
      <Pools />
      {may('readStakers') && <Stakers />}
    </div>
  );
}

const COLOURS = {
  uninitialized: 'text-quiet',
  active: 'text-up',
  paused: 'text-warn',
  terminated: 'text-quiet',
} as const;

function Pools() {
  const { t } = useLook();
  const { may } = useOperator();
  const [step, setStep] = useState<{ pool: StakePoolOfOperators; step: PoolStep }>();
  const [edited, setEdited] = useState<StakePoolOfOperators | 'new'>();
  const pools = useQuery({
    queryKey: ['private', 'stake pools'],
    queryFn: async ({ signal }) => (await exchange.getStakePoolsOfOperators({}, { signal })).data,
  });
  const columns = usePoolColumns({
    onStep: (pool, next) => setStep({ pool, step: next }),
    onEdit: setEdited,
  });
  return (
    <Panel
      title={t('pools.title')}
      dialogs={
        <>
          {step !== undefined && <StepDialog {...step} onClose={() => setStep(undefined)} />}
          {edited !== undefined && (
            <PoolDialog
              pool={edited === 'new' ? undefined : edited}
              onClose={() => setEdited(undefined)}
            />
          )}
        </>
      }
      state={stateOfList(pools, t('pools.none'))}
      onRetry={() => void pools.refetch()}
      after={
        may('createPool') && (
          <Button size="small" look="main" onClick={() => setEdited('new')}>
            {t('pools.create')}
          </Button>
        )
      }
    >
      <WideTable
        caption={t('pools.title')}
        columns={columns}
        rows={pools.data ?? []}
        keyOf={({ id }) => String(id)}
      />
    </Panel>
  );
}

function usePoolColumns({
  onEdit,
  onStep,
}: {
  onStep(pool: StakePoolOfOperators, step: PoolStep): void;
  onEdit(pool: StakePoolOfOperators): void;
}): Column<StakePoolOfOperators>[] {
  const { t } = useLook();
  const { may } = useOperator();
  const isOffered = (step: PoolStep) => may(step === 'end' ? 'endPool' : 'changePool');
  return [
    { key: 'name', label: t('people.name'), cell: ({ name }) => <bdi>{name}</bdi> },
    {
      key: 'state',
      label: t('users.state'),
      cell: ({ onboarding, status }) => (
        <Chip color={COLOURS[status]}>
          {t(`pools.${status}`)}
          {status === 'active' && ` · ${t(onboarding ? 'pools.takes' : 'pools.takesNone')}`}
        </Chip>
      ),
    },
    {
      key: 'apy',
      label: t('pools.apy'),
      isNumber: true,
      cell: ({ apy }) => <bdi dir="ltr">{apy}%</bdi>,
    },
    {
      key: 'duration',
      label: t('pools.days'),
      isNumber: true,
      isExtra: true,
      cell: ({ duration }) => duration ?? '∞',
    },
    {
      key: 'bounds',
      label: t('pools.bounds'),
      isNumber: true,
      isExtra: true,
      cell: (pool) => (
        <bdi dir="ltr">
          <Amount value={pool.min_amount} /> –{' '}
          <Amount value={pool.max_amount} unit={pool.currency} />
        </bdi>
      ),
    },
    {
      key: 'unfunded',
      label: t('pools.unfunded'),
      isNumber: true,
      cell: ({ reward_currency: coin, unfunded }) => (
        <span className={isZero(unfunded) ? '' : 'font-semibold text-down'}>
          {isZero(unfunded) ? '' : '✕ '}
          <Amount value={unfunded} unit={coin} />
        </span>
      ),
    },
    {
      key: 'account',
      label: t('pools.account'),
      isExtra: true,
      cell: ({ account_id: id }) => <UserLink id={id} />,
    },
    {
      key: 'act',
      label: <span className="sr-only">{t('users.acts')}</span>,
      cell: (pool) => (
        <span className="flex justify-end gap-1">
          {nextSteps(pool)
            .filter(isOffered)
            .map((step) => (
              <Button
                key={step}
                size="small"
                look={step === 'end' ? 'danger' : 'plain'}
                onClick={() => onStep(pool, step)}
              >
                {t(`pools.step.${step}`)}
              </Button>
            ))}
          {may('changePool') && pool.status !== 'terminated' && (
            <Button size="small" onClick={() => onEdit(pool)}>
              {t('people.change')}
            </Button>
          )}
        </span>
      ),
    },
  ];
}

function StepDialog({
  onClose,
  pool,
  step,
}: {
  pool: StakePoolOfOperators;
  step: PoolStep;
  onClose(): void;
}) {
  const { t } = useLook();
  const change = stepChange(step);
  return (
    <ActDialog
      title={`${t(`pools.step.${step}`)}: ${pool.name}`}
      submit={t(`pools.step.${step}`)}
      isDanger={step === 'end'}
      approvals={stepWaits(step) ? 1 : 0}
      act={() =>
        change === undefined
          ? exchange.terminateStakePool({ id: pool.id })
          : exchange.changeStakePool({ id: pool.id, ...change })
      }
      onClose={onClose}
    >
      <p className="text-value">{t(`pools.will.${step}`, { apy: pool.apy })}</p>
    </ActDialog>
  );
}

function Stakers() {
  const { t, time } = useLook();
  const columns: Column<Staker>[] = [
    { key: 'id', label: t('users.number'), isNumber: true, cell: ({ id }) => id },
    { key: 'user', label: t('users.user'), cell: ({ user_id: id }) => <UserLink id={id} /> },
    { key: 'pool', label: t('pools.pool'), isNumber: true, cell: (one) => one.stake_id },
    {
      key: 'amount',
      label: t('users.amount'),
      isNumber: true,
      cell: ({ amount, currency }) => <Amount value={amount} unit={currency} />,
    },
    {
      key: 'reward',
      label: t('pools.reward'),
      isNumber: true,
      cell: ({ reward, reward_currency: coin }) => <Amount value={reward} unit={coin} />,
    },
    { key: 'state', label: t('users.state'), cell: ({ status }) => t(`pools.stake.${status}`) },
    {
      key: 'closing',
      label: t('pools.closing'),
      isExtra: true,
      cell: ({ closing }) => (closing === null ? '∞' : time(closing, 'short')),
    },
  ];
  return (
    <PagedPanel
      title={t('pools.stakes')}
      queryKey={['stakers']}
      load={(page, signal) => exchange.getStakers(page, { signal })}
      columns={columns}
      keyOf={({ id }) => String(id)}
      emptyText={t('pools.noStakes')}
      refetchEveryMs={EVERY_MS}
    />
  );
}
