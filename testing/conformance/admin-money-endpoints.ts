// Administrator endpoints for money, emails and staking: 18 endpoints.

import { FLAGS, format, paging, TRANSFER_FILTERS } from './list-parameters.ts';
import {
  MESSAGE,
  NEW_WITHDRAWAL,
  STAKE_ANALYTICS,
  STAKER,
  TRANSFER_OF_ADMIN,
} from './resources.ts';
import { type Endpoints, may, must, type Parameter, type Shape } from './shape.ts';

const auth = 'administrator';
const PAGE_MAX = 100;
const user_id = must('number', 'user');
const email = may('boolean', 'whether the user gets an email');
const message: Shape = { fields: MESSAGE };
const POOL_STATES = ['uninitialized', 'active', 'paused', 'terminated'];

const record = {
  user_id,
  currency: must('string', 'coin'),
  amount: must('number', 'amount'),
  transaction_id: may('string', 'transaction'),
  status: may('boolean', 'whether it is completed immediately'),
  fee: may('number', 'displayed fee'),
  network: may('string', 'network'),
  email,
};

const recordChange = {
  transaction_id: must('string', 'transaction'),
  updated_transactionId: may('string', 'new transaction'),
  updated_address: may('string', 'new address'),
  ...FLAGS,
  description: may('string', 'text'),
  email,
};

const transfers = {
  user_id: may('number', 'user'),
  ...TRANSFER_FILTERS,
  ...paging(PAGE_MAX),
  format,
};

const poolFields = {
  name: must('string', 'name, at most 256 characters'),
  user_id: must('number', 'creator'),
  currency: must('string', 'coin'),
  account_id: must('number', 'paying account'),
  apy: must('number', 'annual rate in percent'),
  min_amount: must('number', 'smallest stake'),
  max_amount: must('number', 'largest stake'),
  early_unstake: must('boolean', 'whether a stake can end early'),
  status: must('string', 'state', { values: POOL_STATES }),
};

const poolOptions = {
  reward_currency: may('string', 'reward coin'),
  duration: may('number', 'days'),
  slashing: may('boolean', 'whether an early end has a cost'),
  slashing_earning_percentage: may('number', 'percent of the reward'),
  slashing_principle_percentage: may('number', 'percent of the stake'),
  onboarding: may('boolean', 'whether new stakes are accepted'),
  disclaimer: may('string', 'text shown to users'),
};

function optional(parameters: Readonly<Record<string, Parameter>>) {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, { isRequired: _, ...rest }]) => [name, rest]),
  );
}

function prefixed(parameters: Readonly<Record<string, Parameter>>) {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => [`opts.${name}`, parameter]),
  );
}

export const ADMIN_MONEY_ENDPOINTS = {
  'POST /v2/admin/transfer': {
    auth,
    parameters: {
      sender_id: must('number', 'sender'),
      receiver_id: must('number', 'receiver'),
      currency: must('string', 'coin'),
      amount: must('number', 'amount'),
      description: may('string', 'text'),
      email,
    },
    answer: message,
  },
  'POST /v2/admin/withdrawal': {
    auth,
    withdraws: true,
    parameters: {
      user_id,
      currency: must('string', 'coin'),
      amount: must('number', 'amount'),
      address: must('string', 'destination'),
      network: may('string', 'network'),
    },
    answer: { fields: NEW_WITHDRAWAL },
  },
  'GET /v2/admin/check-transaction': {
    auth,
    parameters: {
      currency: must('string', 'coin'),
      transaction_id: must('string', 'transaction'),
      address: must('string', 'address'),
      network: must('string', 'network'),
      is_testnet: may('boolean', 'whether it belongs to a test network'),
    },
    answer: 'any',
  },
  'POST /v2/admin/mint': { auth, parameters: record, answer: message },
  'PUT /v2/admin/mint': { auth, parameters: recordChange, answer: message },
  'POST /v2/admin/burn': { auth, parameters: record, answer: message },
  'PUT /v2/admin/burn': { auth, parameters: recordChange, answer: message },
  'GET /v2/admin/deposits': {
    auth,
    parameters: transfers,
    answer: { page: { fields: TRANSFER_OF_ADMIN } },
  },
  'GET /v2/admin/withdrawals': {
    auth,
    parameters: transfers,
    answer: { page: { fields: TRANSFER_OF_ADMIN } },
  },
  'POST /v2/admin/send-email': {
    auth,
    parameters: {
      user_id,
      mail_type: must('string', 'email type'),
      data: must('object', 'email values'),
    },
    answer: message,
  },
  'POST /v2/admin/send-email/raw': {
    auth,
    parameters: {
      receivers: must('array', 'email addresses'),
      html: must('string', 'content'),
      title: may('string', 'subject'),
      text: may('string', 'content without HTML'),
    },
    answer: message,
  },
  'GET /v2/admin/fees/settle': {
    auth,
    parameters: { user_id: may('number', 'user who receives the fees') },
    answer: message,
  },
  'POST /v2/admin/stake': {
    auth,
    parameters: { ...poolFields, ...poolOptions },
    answer: message,
  },
  'PUT /v2/admin/stake': {
    auth,
    parameters: { id: must('number', 'pool'), ...optional(poolFields) },
    answer: message,
  },
  'DELETE /v2/admin/stake': {
    auth,
    parameters: { id: must('number', 'pool') },
    answer: message,
  },
  'GET /v2/admin/stakers': {
    auth,
    parameters: prefixed({
      id: may('number', 'stake'),
      user_id: may('number', 'user'),
      stake_id: may('number', 'pool'),
      currency: may('string', 'coin'),
      ...paging(PAGE_MAX),
      format,
    }),
    answer: { page: { fields: STAKER } },
  },
  'PUT /v2/admin/staker': {
    auth,
    parameters: {
      id: must('number', 'stake'),
      nav: may('number', 'value of the stake'),
      reward: may('number', 'reward'),
      status: may('string', 'state', { values: ['staking', 'unstaking', 'closed'] }),
    },
    answer: message,
  },
  'GET /v2/admin/stake/analytics': {
    auth,
    parameters: {},
    answer: { fields: STAKE_ANALYTICS },
  },
} as const satisfies Endpoints;
