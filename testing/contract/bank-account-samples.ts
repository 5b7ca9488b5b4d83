// Valid requests for the bank account, payment detail and fiat routes.

import { randomUUID } from 'node:crypto';
import type { UserId } from '../../core/money/index.ts';
import { totpCode } from '../../features/auth/index.ts';
import { addBankAccount } from '../../features/payments/banks/bank-accounts.ts';
import { addPaymentDetail } from '../../features/payments/banks/payment-details.ts';
import { withConnection } from '../../infra/postgres/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { activeSecret, type FactorWorld } from './factor-samples.ts';

type Owner = 'admin' | 'alice' | 'bob';

type BankWorld = FactorWorld;

interface BankSample {
  readonly body: Readonly<Record<string, unknown>>;
}

type MakeSample = (world: BankWorld, wanted: { readonly owner: Owner }) => Promise<BankSample>;

const FIELDS = { bank_name: 'First', account_number: '0123456789' };
const DETAIL = { name: 'Wire', label: 'home', details: { account_number: '0123456789' } };

export const bankAccountSamples = {
  addBankAccount: async (world) => {
    await withoutBanks(world);
    return { body: FIELDS };
  },
  replaceBankAccounts: async (world) => ({
    body: { id: world.userId('alice'), bank_account: [FIELDS] },
  }),
  verifyBankAccount: async (world) => ({ body: await bankOf(world, 'alice') }),
  revokeBankAccount: async (world) => ({
    body: { ...(await bankOf(world, 'alice')), message: 'Another name' },
  }),
  addPaymentDetail: async (world) => {
    await withoutDetails(world);
    return { body: { ...DETAIL, is_fiat_control: true } };
  },
  changePaymentDetail: async (world, { owner }) => ({
    body: { id: await newDetail(world, owner), label: 'work' },
  }),
  removePaymentDetail: async (world, { owner }) => ({
    body: { id: await newDetail(world, owner) },
  }),
  getPlayMoney: async ({ registry }) => {
    await registry.query("update deposit_requests set created_at = now() - interval '1 day'");
    return { body: { currency: 'usdt' } };
  },
  requestFiatDeposit: async ({ registry }) => {
    await registry.query(`update deposit_requests set state = 'rejected' where state = 'pending'`);
    return { body: { amount: 25, currency: 'eur', transaction_id: randomUUID() } };
  },
  requestFiatWithdrawal: async (world, { owner }) => {
    const secret = await activeSecret(world, owner);
    await world.registry.query('delete from login_throttles');
    const { bank_id } = await bankOf(world, owner);
    await world.registry.query(`update bank_accounts set status = 'verified'`);
    const otp_code = totpCode(secret, Date.now());
    return { body: { amount: 25, currency: 'eur', bank_id, otp_code } };
  },
} as const satisfies Readonly<Record<string, MakeSample>>;

async function bankOf(world: BankWorld, owner: Owner) {
  await withoutBanks(world);
  const user = world.userId(owner) as UserId;
  const added = await withConnection(world.registry, (connection) =>
    addBankAccount(connection, world.vault, { user, fields: FIELDS }),
  );
  if (added instanceof Refused) throw new Error(`bank account refused: ${added.key}`);
  return { user_id: user, bank_id: added[0].id };
}

async function newDetail(world: BankWorld, owner: Owner): Promise<number> {
  await withoutDetails(world);
  const user = world.userId(owner) as UserId;
  const detail = { ...DETAIL, isP2p: true, isFiatControl: false };
  const added = await withConnection(world.registry, (connection) =>
    addPaymentDetail(connection, world.vault, user, detail),
  );
  if (added instanceof Refused) throw new Error(`payment detail refused: ${added.key}`);
  return added.id;
}

async function withoutBanks({ registry }: BankWorld): Promise<void> {
  await registry.query('delete from bank_accounts');
}

async function withoutDetails({ registry }: BankWorld): Promise<void> {
  await registry.query('delete from payment_details');
}
