// Memo that identifies the owner of a deposit to a shared address: the user ID and a Damm check
// digit, so a mistyped memo matches no user instead of another user. For 400 million users it fits
// 32 bits, the tag size in some networks. Pure.

import type { UserId } from '../../../core/money/index.ts';

// biome-ignore format: a table
const DAMM = [
  '0317598642', '7092154863', '4206871359', '1750983426', '6123045978',
  '3674209581', '5869720134', '8945362017', '9438617205', '2581436790',
];
const MEMO = /^[1-9][0-9]{1,10}$/;

export function memoOf(user: UserId): string {
  return `${user}${checkDigit(`${user}`)}`;
}

/** Returns undefined if this exchange did not issue the memo. */
export function userOfMemo(memo: string): UserId | undefined {
  if (!MEMO.test(memo) || checkDigit(memo) !== '0') return undefined;
  return Number(memo.slice(0, -1)) as UserId;
}

/** Returns '0' for digits that end with their check digit. */
function checkDigit(digits: string): string {
  let interim = '0';
  for (const digit of digits) interim = DAMM[Number(interim)][Number(digit)];
  return interim;
}
