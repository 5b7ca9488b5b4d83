// Valid requests for the approval routes. The approval requests are inserted by SQL, with alice or
// the administrator as the requester.

import { createHash } from 'node:crypto';
import { type FactorWorld, otpCode } from './factor-samples.ts';

type MakeSample = (world: FactorWorld) => Promise<{
  readonly query?: Readonly<Record<string, number>>;
  readonly body?: Readonly<Record<string, unknown>>;
}>;

const HASH = createHash('sha256').update('sample').digest();

export const approvalSamples = {
  approval: async (world) => ({ query: { id: await newRequest(world, 'alice') } }),
  withdrawApproval: async (world) => ({ query: { id: await newRequest(world, 'admin') } }),
  voteOnApproval: async (world) => {
    await world.registry.query(
      `update users set role_since = now() - interval '2 days' where role is not null`,
    );
    return {
      body: {
        id: await newRequest(world, 'alice'),
        vote: 'reject',
        payload_hash: HASH.toString('hex'),
        otp_code: await otpCode(world, 'admin'),
      },
    };
  },
} as const satisfies Readonly<Record<string, MakeSample>>;

async function newRequest(world: FactorWorld, requester: 'alice' | 'admin'): Promise<number> {
  const { rows } = await world.registry.query(
    `insert into approval_requests (act, vote_power, payload, payload_hash, shown, object,
       object_version, requester_id, requester_role, requester_call, requester_credential,
       requester_address, beneficiaries, needed, created_at, expires_at)
     values ('user.note', 'approve.access', '{}', $2, '[]', 'user 1', '', $1, 'supervisor',
       '/admin/user:put', 'session 1', '', '{}', 1, now(), now() + interval '1 day')
     returning id`,
    [world.userId(requester), HASH],
  );
  return Number(rows[0].id);
}
