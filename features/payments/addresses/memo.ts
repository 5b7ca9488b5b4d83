// The memo that tells whose a deposit to a shared address is: the user's number and a check digit
// (Damm's), so that a mistyped memo is nobody's instead of another user's. Fits 32 bits, which is
// the size of a tag of some networks, for 400 million users. Pure.

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

/** Undefined if the memo is not one of ours. */
export function userOfMemo(memo: string): UserId | undefined {
  if (!MEMO.test(memo) || checkDigit(memo) !== '0') return undefined;
  return Number(memo.slice(0, -1)) as UserId;
}

/** '0' for digits that end with their check digit. */
function checkDigit(digits: string): string {
  let interim = '0';
  for (const digit of digits) interim = DAMM[Number(interim)][Number(digit)];
  return interim;
}
