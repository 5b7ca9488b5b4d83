// Operator actions for referral: the program, and a code for a user. A user can create three, an
// operator any number; the rates have the same limits.

import type { UserId } from '../../core/money/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { type ActContext, defineAct } from '../approvals/index.ts';
import type { JsonObject } from '../audit/index.ts';
import { describeKit } from '../listings/index.ts';
import { insertReferralCode } from './codes.ts';
import { checkedSettings, readReferralSettings } from './settings.ts';

export const createReferralCodeFor = defineAct({
  name: 'referral.create_code',
  votePower: 'approve.config',

  async prepare({ connection, exchange }: ActContext, payload: CodePayload) {
    const { code, discount, earning_rate: earningRate, user_id } = payload;
    const owner = user_id as UserId;
    const settings = await readReferralSettings(connection, exchange.projectionSchema);
    if (settings === undefined) return new Refused('referral_is_off');
    // An account erased in the meantime would keep the code.
    const { rows } = await connection.query(
      `select from users where id = $1 and state <> 'erased' for no key update`,
      [owner],
    );
    if (rows.length === 0) return new Refused('user_not_found');
    return {
      object: `user ${owner}`,
      objectVersion: '',
      approvals: 0,
      beneficiaries: [owner],
      shown: [
        { label: 'Code', value: code },
        { label: 'Discount', value: `${discount}%` },
        { label: 'Earning rate', value: `${earningRate}%` },
      ],

      async run() {
        const asked = { owner, code, discount, earningRate };
        const made = await insertReferralCode(connection, asked, settings);
        if (made instanceof Refused) return made;
        const created_at = made.createdAt.toISOString();
        return { result: { code, created_at }, subject: owner, after: payload };
      },
    };
  },
});

// A type, not an interface, because actions take plain JSON objects.
type CodePayload = {
  readonly user_id: number;
  readonly code: string;
  readonly discount: number;
  readonly earning_rate: number;
};

/** The referral program. Turning it on promises payments, so another operator approves it. */
export const setReferralProgram = defineAct({
  name: 'referral.set',
  votePower: 'approve.money',

  async prepare({ connection, exchange, nowMs }: ActContext, program: ReferralProgram) {
    const { rows } = await connection.query(
      `select content -> 'referral_history_config' as setting from kit`,
    );
    const before: JsonObject = rows[0]?.setting ?? {};
    const after = {
      ...before,
      ...program,
      ...(program.active && { date_enabled: new Date(nowMs).toISOString() }),
    };
    const settings = await checkedSettings(connection, after, exchange.projectionSchema);
    if (program.active && settings === undefined) return new Refused('referral_program_invalid');
    return {
      object: 'referral',
      objectVersion: JSON.stringify(before),
      approvals: program.active ? 1 : 0,
      beneficiaries: [],
      shown: Object.entries(program).map(([label, value]) => ({ label, value: `${value}` })),

      async run() {
        await describeKit(connection, { referral_history_config: after });
        return { result: {}, before, after, effects: { catalogue: true as const } };
      },
    };
  },
});

// A type, not an interface, because actions take plain JSON objects. Names as in the kit.
type ReferralProgram = {
  readonly active: boolean;
  readonly currency?: string;
  readonly earning_rate?: number;
  readonly minimum_amount?: number;
  readonly earning_period?: number;
  readonly distributor_id?: number;
};

export const REFERRAL_ACTS = [createReferralCodeFor, setReferralProgram] as const;
