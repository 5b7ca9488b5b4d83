// Referral codes and affiliations on the wire, for their owner and for operators.

import {
  type Affiliation,
  timeText,
  type ReferralCode as WireCode,
} from '../../../protocol/index.ts';
import { affiliationOf } from '../affiliations.ts';
import type { ReferralCode } from '../codes.ts';

export function codeJson({
  code,
  createdAt,
  discount,
  earningRate,
  owner,
  uses,
}: ReferralCode): WireCode {
  return {
    code,
    user_id: owner,
    discount,
    earning_rate: earningRate,
    referral_count: uses,
    created_at: timeText(createdAt.getTime()),
  };
}

export function affiliationJson(row: Parameters<typeof affiliationOf>[0]): Affiliation {
  const { code, createdAt, earningRate, email, referrer, user } = affiliationOf(row);
  const at = timeText(createdAt.getTime());
  return {
    referrer_id: referrer,
    user: { id: user, email },
    code,
    earning_rate: earningRate,
    created_at: at,
    updated_at: at,
  };
}
