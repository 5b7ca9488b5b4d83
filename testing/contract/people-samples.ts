// Valid requests for users as operators see them: reveals and payment details.

import type { UserId } from '../../core/money/index.ts';
import { addPaymentDetail } from '../../features/payments/banks/payment-details.ts';
import { withConnection } from '../../infra/postgres/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { type FactorWorld, otpCode } from './factor-samples.ts';

type MakeSample = (world: FactorWorld) => Promise<{
  readonly body: Readonly<Record<string, unknown>>;
}>;

const DETAIL = { name: 'Wire', label: 'home', details: { account_number: '0123456789' } };

export const peopleSamples = {
  revealUser: async (world) => {
    await withoutReveals(world);
    return {
      body: {
        user_id: world.userId('bob'),
        fields: ['email', 'full_name'],
        reason: 'the owner of a lost phone calls',
        ticket: 'T-1',
        otp_code: await otpCode(world, 'admin'),
      },
    };
  },
  reviewReveal: async (world) => {
    await withoutReveals(world);
    const { rows } = await world.registry.query(
      `insert into reveals (operator_id, subject_id, fields, reason, ticket, created_at, expires_at)
       values ($1, $2, '{email}', 'a sufficient reason', 'T-2', now(), now()) returning id`,
      [world.userId('alice'), world.userId('bob')],
    );
    // New operators cannot review.
    await world.registry.query(
      `update users set role_since = now() - interval '2 days' where id = $1`,
      [world.userId('admin')],
    );
    return {
      body: { id: Number(rows[0].id), verdict: 'justified', comment: 'as the ticket says' },
    };
  },
  addPaymentDetailOfUser: async (world) => {
    await withoutDetails(world);
    return {
      body: { user_id: world.userId('alice'), ...DETAIL, is_fiat_control: true, status: 3 },
    };
  },
  changePaymentDetailOfUser: async (world) => ({
    body: { ...(await newDetail(world)), label: 'work', status: 2 },
  }),
  removePaymentDetailOfUser: async (world) => ({ body: await newDetail(world) }),
} as const satisfies Readonly<Record<string, MakeSample>>;

async function newDetail(world: FactorWorld) {
  await withoutDetails(world);
  const user = world.userId('alice') as UserId;
  const detail = { ...DETAIL, isP2p: true, isFiatControl: true };
  const added = await withConnection(world.registry, (connection) =>
    addPaymentDetail(connection, world.vault, user, detail),
  );
  if (added instanceof Refused) throw new Error(`payment detail refused: ${added.key}`);
  return { user_id: user, id: added.id };
}

async function withoutDetails({ registry }: FactorWorld): Promise<void> {
  await registry.query('delete from payment_details');
}

async function withoutReveals({ registry }: FactorWorld): Promise<void> {
  await registry.query('delete from data_lookups');
  await registry.query('delete from reveals');
}
