// Staking: pools that users choose from, and their stakes. Operators create and end pools and
// adjust stakes.

import {
  CurrencyIn,
  DecimalIn,
  defineRoute,
  FormatIn,
  field,
  listFile,
  listQuery,
  Message,
  NO_QUERY,
  oneOf,
  pagedList,
  Type,
  textIn,
  WEIGHT_HEAVY,
  WEIGHT_LIST,
  WEIGHT_ROW,
} from '../../../protocol/wire/index.ts';
import {
  SlashEstimate,
  SlashEstimateOfOperators,
  STAKE_POOL_STATUSES,
  STAKE_STATUSES,
  StakeAnalytics,
  StakePool,
  StakePoolChanged,
  StakePoolOfOperators,
  Staker,
  StakerChanged,
} from './staking.ts';

const tag = 'staking';
const mayRead = { who: 'user', scope: 'can_read', sessions: true } as const;
const mayStake = { who: 'user', scope: 'can_withdraw', sessions: true, noGuests: true } as const;
const operatorMayRead = { who: 'operator', scope: 'can_read', sessions: true } as const;
/** Changes that give money away need approval from another operator. */
const operatorMayChange = { who: 'operator', scope: 'can_withdraw', sessions: true } as const;

const IdIn = Type.Integer({ minimum: 1 });

const AmountIn = Type.String({ pattern: '^[0-9]{1,20}([.][0-9]{1,18})?$' });

const stakerFilters = {
  id: Type.Optional(IdIn),
  stake_id: Type.Optional({ ...IdIn, description: 'The pool.' }),
  currency: Type.Optional(CurrencyIn),
  status: Type.Optional(oneOf(STAKE_STATUSES)),
  format: FormatIn,
};

const PoolNameIn = textIn({ minLength: 1, maxLength: 256 });
const AccountIn = {
  ...IdIn,
  description: 'The operator account that funds the rewards.',
};
const ApyIn = { ...DecimalIn, description: 'Percent, at most 10,000, up to six decimals.' };
const PercentIn = { ...DecimalIn, description: 'Percent, up to four decimals.' };
const BooleanOrNullIn = Type.Unsafe<boolean | null>({ type: ['boolean', 'null'] });
const textOrNullIn = (maxLength: number) =>
  Type.Unsafe<string | null>({ ...textIn({ maxLength }), type: ['string', 'null'] });

const optionalTerms = {
  user_id: Type.Optional({ ...IdIn, description: 'Ignored: it is the creating operator.' }),
  category: Type.Optional(textOrNullIn(256)),
  is_automatic: Type.Optional({
    ...BooleanOrNullIn,
    description: 'Whether rewards accrue daily; true by default.',
  }),
  reward_currency: Type.Optional({
    ...textOrNullIn(32),
    description: 'Fixed after the start. The staked coin by default.',
  }),
  duration: Type.Optional(
    Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 1,
      maximum: 3_650,
      description: 'Days; null for no end.',
    }),
  ),
  slashing: Type.Optional({
    ...BooleanOrNullIn,
    description: '`false` sets both percentages to 0; otherwise derived from them.',
  }),
  slashing_earning_percentage: Type.Optional(PercentIn),
  slashing_principle_percentage: Type.Optional(PercentIn),
  status: Type.Optional(oneOf(STAKE_POOL_STATUSES)),
  onboarding: Type.Optional(BooleanOrNullIn),
  disclaimer: Type.Optional(textOrNullIn(10_000)),
};

const getStakePoolsOfOperators = defineRoute({
  method: 'GET',
  path: '/v2/admin/stakes',
  summary: 'All stake pools, newest first',
  description: 'Includes funding account, reserve and missing rewards.',
  tag: 'operator',
  permission: operatorMayRead,
  roles: ['supervisor', 'manager', 'auditor'],
  effect: 'read',
  weight: WEIGHT_LIST,
  query: listQuery({
    status: Type.Optional(oneOf(STAKE_POOL_STATUSES)),
    format: FormatIn,
  }),
  status: 200,
  response: pagedList(StakePoolOfOperators),
  csv: true,
});

const getStakers = defineRoute({
  method: 'GET',
  path: '/v2/admin/stakers',
  summary: 'Stakes of all users, newest first',
  description:
    'One row per stake, with its user. Every parameter also accepts the prefix `opts.`: ' +
    '`opts.limit` is `limit`.',
  tag: 'operator',
  permission: operatorMayRead,
  roles: ['supervisor', 'manager', 'auditor'],
  effect: 'read',
  weight: WEIGHT_LIST,
  query: listQuery({
    user_id: Type.Optional(IdIn),
    ...stakerFilters,
    reward: field(Type.Optional(AmountIn), 'Only stakes with exactly this reward.', '1.5'),
    slashed: field(Type.Optional(AmountIn), 'Only stakes that lost exactly this reward.', '0'),
  }),
  queryPrefix: 'opts.',
  status: 200,
  response: pagedList(Staker),
  csv: true,
  lookUp: true,
});

export const stakingRoutes = {
  getStakePools: defineRoute({
    method: 'GET',
    path: '/v2/stakes',
    summary: 'The pools that you can stake in or have staked in, newest first',
    description: 'Rates, limits and dates of each pool.',
    tag,
    permission: mayRead,
    effect: 'read',
    weight: WEIGHT_LIST,
    query: listQuery({ format: FormatIn }),
    status: 200,
    response: pagedList(StakePool),
    csv: true,
  }),
  getStakes: defineRoute({
    method: 'GET',
    path: '/v2/stake',
    summary: 'Your stakes, newest first',
    description: 'Amount, reward so far and closing day of each stake.',
    tag,
    permission: mayRead,
    effect: 'read',
    weight: WEIGHT_LIST,
    query: listQuery(stakerFilters),
    status: 200,
    response: pagedList(Staker),
    csv: true,
  }),
  createStake: defineRoute({
    method: 'POST',
    path: '/v2/stake',
    summary: 'Stake an amount; at most twelve active stakes',
    description:
      'Moves the amount from your balance to the reserve of the pool. Requires an active and ' +
      'open pool and an amount within its limits.',
    tag,
    permission: mayStake,
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: NO_QUERY,
    body: Type.Object(
      { stake_id: { ...IdIn, description: 'The pool.' }, amount: DecimalIn },
      { title: 'StakeIn' },
    ),
    status: 200,
    response: Staker,
  }),
  endStake: defineRoute({
    method: 'DELETE',
    path: '/v2/stake',
    summary: 'End a stake; before its closing day only if the pool allows it',
    description:
      'The amount and the reward are paid with the next settlement. Before the closing day, the ' +
      'pool can keep a part.',
    tag,
    permission: mayStake,
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: NO_QUERY,
    body: Type.Object({ id: IdIn }, { title: 'StakeEndIn' }),
    status: 200,
    response: Staker,
  }),
  estimateSlash: defineRoute({
    method: 'GET',
    path: '/v2/stake/slash-estimate',
    summary: 'The cost of ending your stake now',
    description: 'Changes nothing; the amounts apply to this moment.',
    tag,
    permission: mayRead,
    effect: 'read',
    weight: WEIGHT_ROW,
    query: Type.Object({ id: IdIn }),
    status: 200,
    response: SlashEstimate,
  }),
  createStakePool: defineRoute({
    method: 'POST',
    path: '/v2/admin/stake',
    summary: 'Create a stake pool; with the status `active` it starts immediately',
    description:
      'An `uninitialized` pool is hidden from users. `onboarding` opens it to them once it is ' +
      'active.',
    tag: 'operator',
    permission: operatorMayChange,
    roles: [],
    effect: 'write',
    mayWait: true,
    weight: WEIGHT_HEAVY,
    query: NO_QUERY,
    body: Type.Object(
      {
        name: PoolNameIn,
        currency: CurrencyIn,
        account_id: AccountIn,
        apy: ApyIn,
        min_amount: DecimalIn,
        max_amount: DecimalIn,
        early_unstake: Type.Boolean(),
        ...optionalTerms,
      },
      { title: 'StakePoolIn' },
    ),
    status: 200,
    response: StakePoolChanged,
  }),
  changeStakePool: defineRoute({
    method: 'PUT',
    path: '/v2/admin/stake',
    summary: 'Start, pause, open, close or change a stake pool',
    description:
      'Currencies are fixed once the pool has started. A paused pool pays no rewards. ' +
      '`terminated` ends a paused pool permanently, like DELETE, and ignores other fields.',
    tag: 'operator',
    permission: operatorMayChange,
    roles: [],
    effect: 'write',
    mayWait: true,
    weight: WEIGHT_HEAVY,
    query: NO_QUERY,
    body: Type.Object(
      {
        id: IdIn,
        name: Type.Optional(PoolNameIn),
        currency: Type.Optional({ ...CurrencyIn, description: 'Fixed after the start.' }),
        account_id: Type.Optional(AccountIn),
        apy: Type.Optional(ApyIn),
        min_amount: Type.Optional(DecimalIn),
        max_amount: Type.Optional(DecimalIn),
        early_unstake: Type.Optional(Type.Boolean()),
        ...optionalTerms,
      },
      { title: 'StakePoolChangeIn' },
    ),
    status: 200,
    response: StakePoolChanged,
  }),
  terminateStakePool: defineRoute({
    method: 'DELETE',
    path: '/v2/admin/stake',
    summary: 'Permanently end a paused stake pool and pay all its stakes',
    description:
      'Immediately pays every stake with its reward, at no cost. The pool cannot be reopened.',
    tag: 'operator',
    permission: operatorMayChange,
    roles: [],
    effect: 'write',
    mayWait: true,
    weight: WEIGHT_HEAVY,
    query: NO_QUERY,
    body: Type.Object({ id: IdIn }, { title: 'StakePoolEndIn' }),
    status: 200,
    response: Message,
  }),
  adjustStake: defineRoute({
    method: 'PUT',
    path: '/v2/admin/staker',
    summary: 'Adjust the reward of a stake, or end the stake at no cost',
    description:
      'Rewards are set to a value, never added. Ending a stake pays it with the next settlement.',
    tag: 'operator',
    permission: operatorMayChange,
    roles: [],
    effect: 'write',
    mayWait: true,
    weight: WEIGHT_HEAVY,
    query: NO_QUERY,
    body: Type.Object(
      {
        id: IdIn,
        nav: Type.Optional(DecimalIn),
        reward: Type.Optional({
          ...DecimalIn,
          description:
            "The total reward. The difference moves from or to the pool's funding account.",
        }),
        status: Type.Optional(
          oneOf(
            STAKE_STATUSES,
            '`unstaking` and `closed` end a stake; the settlement pays it, then it is closed. ' +
              'An ended stake does not return to `staking`.',
          ),
        ),
      },
      { title: 'StakerChangeIn' },
    ),
    status: 200,
    response: StakerChanged,
  }),
  getStakePoolsOfOperators,
  getStakePoolsFile: listFile(getStakePoolsOfOperators),
  getStakers,
  getStakersFile: listFile(getStakers),
  getStakeAnalytics: defineRoute({
    method: 'GET',
    path: '/v2/admin/stake/analytics',
    summary: 'Staked amounts by coin',
    description: 'Totals of all stakes ever opened and of stakes being ended.',
    tag: 'operator',
    permission: operatorMayRead,
    roles: ['supervisor', 'manager', 'auditor'],
    effect: 'read',
    weight: WEIGHT_LIST,
    query: NO_QUERY,
    status: 200,
    response: StakeAnalytics,
  }),
  estimateSlashOfUser: defineRoute({
    method: 'GET',
    path: '/v2/admin/stake/slash-estimate',
    summary: 'The cost for a user of ending a stake now',
    description: 'The parts of the amount and reward that the pool would keep.',
    tag: 'operator',
    permission: operatorMayRead,
    roles: ['supervisor', 'manager', 'auditor'],
    effect: 'read',
    weight: WEIGHT_ROW,
    query: Type.Object({ id: IdIn }),
    status: 200,
    response: SlashEstimateOfOperators,
  }),
} as const;
