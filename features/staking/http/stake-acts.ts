// Operator handlers for changes of pools and stakes. Each is an action, done immediately or after
// approval.

import type { Dependencies, HandlersOf } from '../../../platform/http/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { answerAct } from '../../approvals/http/index.ts';
import type { PoolInput } from '../admin/pool-terms.ts';
import { changePoolAct, createPoolAct, terminatePoolAct } from '../admin/pools.ts';
import { adjustStakeAct } from '../admin/stakes.ts';
import { findPool } from '../pools.ts';
import { findStake } from '../stakes.ts';
import { poolOfOperatorsJson, stakeJson } from './staking-json.ts';

type Handlers = HandlersOf<'staking'>;
type ChangeBody = Parameters<Handlers['changeStakePool']>[0]['body'];

const SUCCESS = { message: 'Success' };

export const createStakePool: Handlers['createStakePool'] = (call, dependencies) => {
  const payload = { pool: poolInput(call.body) };
  return answerAct(call, dependencies, createPoolAct, payload, ({ id }) =>
    changedPool(dependencies, id),
  );
};

export const changeStakePool: Handlers['changeStakePool'] = (call, dependencies) => {
  const { id, status } = call.body;
  if (status === 'terminated') {
    return answerAct(call, dependencies, terminatePoolAct, { id }, () =>
      changedPool(dependencies, id),
    );
  }
  const payload = { id, pool: poolInput(call.body) };
  return answerAct(call, dependencies, changePoolAct, payload, () => changedPool(dependencies, id));
};

export const terminateStakePool: Handlers['terminateStakePool'] = (call, dependencies) => {
  const { id } = call.body;
  return answerAct(call, dependencies, terminatePoolAct, { id }, () => ({
    message: 'Successfully deleted stake pool.',
  }));
};

export const adjustStake: Handlers['adjustStake'] = (call, dependencies) => {
  const { id, nav, reward, status } = call.body;
  const payload = {
    id,
    ...(nav !== undefined && { nav: `${nav}` }),
    ...(reward !== undefined && { reward: `${reward}` }),
    ...(status !== undefined && { status }),
  };
  return answerAct(call, dependencies, adjustStakeAct, payload, async () => {
    const stake = await findStake(dependencies.registry, id);
    if (stake === undefined) return new Refused('outcome_unknown');
    return { ...stakeJson(stake), ...SUCCESS };
  });
};

async function changedPool({ registry }: Dependencies, id: number) {
  const pool = await findPool(registry, id);
  if (pool === undefined) return new Refused('outcome_unknown');
  return { ...poolOfOperatorsJson(pool), ...SUCCESS };
}

/** Only values that were sent; null is a value only where the field allows it. */
function poolInput(body: Omit<ChangeBody, 'id'>): PoolInput {
  const text = (value: number | string | undefined) =>
    value === undefined ? undefined : `${value}`;
  const input: { [Name in keyof PoolInput]: PoolInput[Name] | undefined } = {
    name: body.name,
    category: body.category,
    disclaimer: body.disclaimer,
    account_id: body.account_id,
    currency: body.currency,
    reward_currency: body.reward_currency ?? undefined,
    apy: text(body.apy),
    duration: body.duration,
    min_amount: text(body.min_amount),
    max_amount: text(body.max_amount),
    early_unstake: body.early_unstake,
    slashing: body.slashing ?? undefined,
    slashing_principle_percentage: text(body.slashing_principle_percentage),
    slashing_earning_percentage: text(body.slashing_earning_percentage),
    is_automatic: body.is_automatic ?? undefined,
    onboarding: body.onboarding ?? undefined,
    status: body.status,
  };
  // A payload is JSON without undefined values.
  return JSON.parse(JSON.stringify(input));
}
