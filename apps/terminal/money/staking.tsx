// Staking: pools with their terms, and the user's stakes with their rewards.

import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { StakePool, Staker } from '../../../client/index.ts';
import { trimmed } from '../../decimals/index.ts';
import { ActForm, Chip, Refusal, useAct } from '../../forms/index.ts';
import {
  Amount,
  Button,
  type Column,
  DecimalField,
  Dialog,
  Panel,
  showToast,
  stateOfList,
  Table,
  useCell,
  useLook,
} from '../../ui/index.ts';
import { constantsQuery, exchange } from '../exchange.ts';
import { useSession } from '../session.tsx';
import { canEnd, isFree, stakeProblem, takesStakes, unlockWord } from './stake-rules.ts';

const poolsQuery = queryOptions({
  queryKey: ['private', 'stake pools'],
  queryFn: async ({ signal }) => (await exchange.getStakePools({ limit: 50 }, { signal })).data,
});

const stakesQuery = queryOptions({
  queryKey: ['private', 'stakes'],
  queryFn: async ({ signal }) => (await exchange.getStakes({ limit: 50 }, { signal })).data,
  // Rewards accrue daily, and a worker ends stakes.
  refetchInterval: 30_000,
});

export function StakingTab() {
  const { t } = useLook();
  const pools = useQuery(poolsQuery);
  const stakes = useQuery(stakesQuery);
  const [asked, setAsked] = useState<{ pool: StakePool } | { stake: Staker }>();
  const close = () => setAsked(undefined);
  return (
    <div className="flex flex-col gap-2">
      <Panel
        title={t('stake.pools')}
        state={stateOfList(pools, t('stake.noPools'))}
        onRetry={() => void pools.refetch()}
        skeletonRows={3}
      >
        <PoolTable pools={pools.data ?? []} onStake={(pool) => setAsked({ pool })} />
      </Panel>
      <Panel
        title={t('stake.mine')}
        state={stateOfList(stakes, t('stake.none'))}
        onRetry={() => void stakes.refetch()}
        skeletonRows={3}
      >
        <StakeTable
          stakes={stakes.data ?? []}
          pools={pools.data ?? []}
          onEnd={(stake) => setAsked({ stake })}
        />
      </Panel>
      {asked !== undefined && 'pool' in asked && <Stake pool={asked.pool} onClose={close} />}
      {asked !== undefined && 'stake' in asked && <Unstake stake={asked.stake} onClose={close} />}
    </div>
  );
}

function PoolTable({
  onStake,
  pools,
}: {
  pools: readonly StakePool[];
  onStake(pool: StakePool): void;
}) {
  const { t } = useLook();
  const columns: readonly Column<StakePool>[] = [
    { key: 'name', label: t('stake.pool'), cell: ({ name }) => <bdi>{name}</bdi> },
    { key: 'coin', label: t('wallet.coin'), cell: ({ currency }) => currency.toUpperCase() },
    {
      key: 'apy',
      label: t('stake.rate'),
      isNumber: true,
      cell: ({ apy }) => <bdi dir="ltr">{trimmed(apy)}%</bdi>,
    },
    {
      key: 'duration',
      label: t('stake.duration'),
      isExtra: true,
      cell: ({ duration }) =>
        duration === null ? t('stake.noEnd') : t('stake.days', { days: trimmed(duration) }),
    },
    {
      key: 'range',
      label: t('stake.range'),
      isNumber: true,
      isExtra: true,
      cell: ({ max_amount, min_amount }) => (
        <bdi dir="ltr">
          <Amount value={trimmed(min_amount)} /> – <Amount value={trimmed(max_amount)} />
        </bdi>
      ),
    },
    {
      key: 'early',
      label: t('stake.end'),
      isExtra: true,
      cell: (pool) => t(unlockWord(pool)),
    },
    {
      key: 'act',
      label: <span className="sr-only">{t('stake.stake')}</span>,
      isNumber: true,
      cell: (pool) => (
        <Button
          size="small"
          disabled={!takesStakes(pool)}
          aria-label={t('stake.stakeIn', { pool: pool.name })}
          onClick={() => onStake(pool)}
        >
          {t(takesStakes(pool) ? 'stake.stake' : 'stake.closed')}
        </Button>
      ),
    },
  ];
  return (
    <Table
      caption={t('stake.pools')}
      columns={columns}
      rows={pools}
      keyOf={({ id }) => String(id)}
    />
  );
}

const STATES = {
  staking: ['stake.is.staking', 'text-up'],
  unstaking: ['stake.is.unstaking', 'text-warn'],
  closed: ['stake.is.closed', 'text-quiet'],
} as const;

function StakeTable({
  onEnd,
  pools,
  stakes,
}: {
  stakes: readonly Staker[];
  pools: readonly StakePool[];
  onEnd(stake: Staker): void;
}) {
  const { preferences, t, time } = useLook();
  const poolOf = ({ stake_id }: Staker) => pools.find(({ id }) => id === stake_id);
  const isHidden = preferences.hidesBalances;
  const columns: readonly Column<Staker>[] = [
    {
      key: 'pool',
      label: t('stake.pool'),
      cell: (stake) => (
        <>
          <bdi>{poolOf(stake)?.name ?? '–'}</bdi>
          <span className={`block text-label md:hidden ${STATES[stake.status][1]}`}>
            {t(STATES[stake.status][0])}
          </span>
        </>
      ),
    },
    {
      key: 'amount',
      label: t('wallet.amount'),
      isNumber: true,
      cell: ({ amount, currency }) => (
        <Amount value={trimmed(amount)} unit={currency} isHidden={isHidden} />
      ),
    },
    {
      key: 'reward',
      label: t('stake.reward'),
      isNumber: true,
      cell: ({ reward, reward_currency }) => (
        <Amount value={trimmed(reward)} unit={reward_currency} isHidden={isHidden} />
      ),
    },
    {
      key: 'since',
      label: t('wallet.time'),
      isExtra: true,
      cell: ({ created_at }) => <bdi>{time(created_at, 'short')}</bdi>,
    },
    {
      key: 'ends',
      label: t('stake.end'),
      isExtra: true,
      cell: ({ closing }) =>
        closing === null ? t('stake.noEnd') : <bdi>{time(closing, 'short')}</bdi>,
    },
    {
      key: 'state',
      label: t('wallet.state'),
      isExtra: true,
      cell: ({ status }) => <Chip color={STATES[status][1]}>{t(STATES[status][0])}</Chip>,
    },
    {
      key: 'act',
      label: <span className="sr-only">{t('stake.unstake')}</span>,
      isNumber: true,
      cell: (stake) =>
        canEnd(stake, poolOf(stake), Date.now()) && (
          <Button size="small" onClick={() => onEnd(stake)}>
            {t('stake.unstake')}
          </Button>
        ),
    },
  ];
  return (
    <Table
      caption={t('stake.mine')}
      columns={columns}
      rows={stakes}
      keyOf={({ id }) => String(id)}
    />
  );
}

function useStakesChanged(): () => Promise<unknown> {
  const queries = useQueryClient();
  return () =>
    Promise.all(
      [
        ['private', 'stakes'],
        ['private', 'balance'],
      ].map((queryKey) => queries.invalidateQueries({ queryKey })),
    );
}

function Stake({ onClose, pool }: { pool: StakePool; onClose(): void }) {
  const { t } = useLook();
  const changed = useStakesChanged();
  const { data: constants } = useQuery(constantsQuery);
  const { balances } = useCell(useSession().account);
  const available = balances.get(pool.currency)?.available ?? '0';
  const unit = pool.currency.toUpperCase();
  const [amount, setAmount] = useState('');
  const problem = stakeProblem(amount, pool, available);
  const stake = useAct(async () => {
    await exchange.createStake({ stake_id: pool.id, amount });
    showToast('done', t('stake.staked', { amount: `${amount} ${unit}` }));
    onClose();
    await changed();
  });
  return (
    <Dialog title={t('stake.stakeIn', { pool: pool.name })} isOpen onClose={onClose}>
      <ActForm onSubmit={stake.run}>
        <DecimalField
          label={t('wallet.amount')}
          increment={constants?.coins[pool.currency]?.increment_unit ?? '0.00000001'}
          value={amount}
          onValue={setAmount}
          after={unit}
          required
          hint={
            <>
              {t('wallet.available')}: <Amount value={trimmed(available)} unit={unit} />
            </>
          }
          error={problem && t(problem.word, problem.values)}
        />
        <dl className="grid grid-cols-[auto_1fr] gap-y-1 text-body [&>dd]:text-end [&>dt]:text-quiet">
          <dt>{t('stake.rate')}</dt>
          <dd>
            <bdi dir="ltr">{trimmed(pool.apy)}%</bdi>
          </dd>
          <dt>{t('stake.duration')}</dt>
          <dd>
            {pool.duration === null
              ? t('stake.noEnd')
              : t('stake.days', { days: trimmed(pool.duration) })}
          </dd>
          <dt>{t('stake.reward')}</dt>
          <dd>{pool.reward_currency.toUpperCase()}</dd>
        </dl>
        {pool.disclaimer !== null && <p className="text-label text-quiet">{pool.disclaimer}</p>}
        <Refusal error={stake.error} />
        <Button
          type="submit"
          look="main"
          size="large"
          isBusy={stake.isBusy}
          disabled={amount === '' || problem !== undefined}
        >
          {t('stake.stake')}
        </Button>
      </ActForm>
    </Dialog>
  );
}

function Unstake({ onClose, stake }: { stake: Staker; onClose(): void }) {
  const { t } = useLook();
  const changed = useStakesChanged();
  const { data: cost, error } = useQuery({
    queryKey: ['private', 'slash', stake.id],
    queryFn: ({ signal }) => exchange.estimateSlash({ id: stake.id }, { signal }),
    gcTime: 0,
  });
  const end = useAct(async () => {
    await exchange.endStake({ id: stake.id });
    showToast('done', t('stake.ended'));
    onClose();
    await changed();
  });
  const amount = `${trimmed(stake.amount)} ${stake.currency.toUpperCase()}`;
  return (
    <Dialog title={t('stake.unstakeOf', { amount })} isOpen onClose={onClose}>
      <ActForm onSubmit={end.run}>
        {cost === undefined ? (
          error === null && <span className="skeleton block h-8" />
        ) : (
          <p className="text-body">
            {isFree(cost)
              ? t('stake.free')
              : t('stake.cost', {
                  principal: `${trimmed(cost.slashingPrinciple)} ${stake.currency.toUpperCase()}`,
                  reward: `${trimmed(cost.slashingEarning)} ${stake.reward_currency.toUpperCase()}`,
                })}
          </p>
        )}
        <Refusal error={error ?? end.error} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t('shell.cancel')}</Button>
          <Button type="submit" look="danger" isBusy={end.isBusy} disabled={cost === undefined}>
            {t('stake.unstake')}
          </Button>
        </div>
      </ActForm>
    </Dialog>
  );
}
