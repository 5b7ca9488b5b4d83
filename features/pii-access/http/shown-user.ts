// The user of a row in a list of operators: masked, since a list shows many people at once.

import type { UserId } from '../../../core/money/index.ts';
import { maskEmail } from '../masks.ts';

/** A deployment has one exchange. */
export const EXCHANGE_ID = 1;

export function shownUser(id: UserId, email: string) {
  return { id, email: maskEmail(email), exchange_id: EXCHANGE_ID };
}
