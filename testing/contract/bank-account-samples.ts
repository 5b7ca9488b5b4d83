// Valid requests for the routes of bank accounts and payment details.

import type { UserId } from '../../core/money/index.ts';
import { addBankAccount, addPaymentDetail } from '../../domain/bank-accounts/index.ts';
import type { Vault } from '../../domain/vault/index.ts';
import { type Pool, withConnection } from '../../infra/postgres/index.ts';

type Owner = 'admin' | 'alice' | 'bob';

interface BankWorld {
  readonly registry: Pool;
  readonly vault: Vault;
  userId(owner: Owner): number;
}

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
  verifyBankAccount: async (world) => ({ body: await bankOfAlice(world) }),
  revokeBankAccount: async (world) => ({
    body: { ...(await bankOfAlice(world)), message: 'Another name' },
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
} as const satisfies Readonly<Record<string, MakeSample>>;

async function bankOfAlice(world: BankWorld) {
  await withoutBanks(world);
  const user = world.userId('alice') as UserId;
  const added = await withConnection(world.registry, (connection) =>
    addBankAccount(connection, world.vault, { user, fields: FIELDS }),
  );
  if (typeof added === 'string') throw new Error(`bank account refused: ${added}`);
  return { user_id: user, bank_id: added[0].id };
}

async function newDetail(world: BankWorld, owner: Owner): Promise<number> {
  await withoutDetails(world);
  const user = world.userId(owner) as UserId;
  const detail = { ...DETAIL, isP2p: true, isFiatControl: false };
  const added = await withConnection(world.registry, (connection) =>
    addPaymentDetail(connection, world.vault, user, detail),
  );
  if (typeof added === 'string') throw new Error(`payment detail refused: ${added}`);
  return added.id;
}

async function withoutBanks({ registry }: BankWorld): Promise<void> {
  await registry.query('delete from bank_accounts');
}

async function withoutDetails({ registry }: BankWorld): Promise<void> {
  await registry.query('delete from payment_details');
}
