// Withdraws fiat to a verified bank account. It is a withdrawal like any other: second factor,
// policy, email confirmation, hold, review, claim. Its network is `fiat`, and its address is the
// bank account ID.

import type { UserId } from '../../../core/money/index.ts';
import type { Connection, Statements } from '../../../infra/postgres/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import type { PersonContext } from '../../auth/index.ts';
import { FIAT_REQUESTS_MAX } from '../deposits/fiat-deposits.ts';
import { FIAT_NETWORK } from '../policy/withdrawal-policy.ts';
import {
  openWithdrawalFlow,
  type WantedWithdrawal,
  type WithdrawalPorts,
} from './request-withdrawal.ts';
import { WITHDRAWALS } from './states.ts';

export interface WantedFiat extends Pick<WantedWithdrawal, 'form' | 'otpCode'> {
  readonly terms: Omit<WantedWithdrawal['terms'], 'address' | 'network'>;
  /** Bank account ID. */
  readonly bank: string;
}

type FiatRefusal = 'bank_account_unknown' | 'bank_account_not_verified' | 'fiat_requests_too_many';

export function requestFiatWithdrawal(
  connection: Connection,
  ports: WithdrawalPorts,
  person: PersonContext,
  { bank, form, otpCode, terms }: WantedFiat,
) {
  const { user } = person;
  return openWithdrawalFlow<FiatRefusal>(connection, ports, person, {
    form,
    otpCode,
    terms: { ...terms, address: bank, network: FIAT_NETWORK },
    async findRefusal(statements) {
      const refusal = await refuseBank(statements, user, bank);
      if (refusal !== undefined) return refusal;
      const { currency } = terms.asset;
      const open = await countOpen(statements, user, currency);
      if (open < FIAT_REQUESTS_MAX) return undefined;
      return new Refused('fiat_requests_too_many', { max: FIAT_REQUESTS_MAX, currency });
    },
  });
}

async function refuseBank(
  statements: Statements,
  user: UserId,
  bank: string,
): Promise<Refused<FiatRefusal> | undefined> {
  const { rows } = await statements.query(
    'select status from bank_accounts where id = $1 and user_id = $2 and removed_at is null',
    [bank, user],
  );
  if (rows.length === 0) return new Refused('bank_account_unknown');
  return rows[0].status === 'verified' ? undefined : new Refused('bank_account_not_verified');
}

/** Ignores unconfirmed requests, because the new request ends them. */
async function countOpen(statements: Statements, user: UserId, currency: string): Promise<number> {
  const { rows } = await statements.query(
    `select count(*) as open from withdrawal_requests
     where user_id = $1 and currency = $2 and network = '${FIAT_NETWORK}' and state <> all($3)`,
    [user, currency, [...WITHDRAWALS.statesIn('ended'), 'unconfirmed']],
  );
  return Number(rows[0].open);
}
