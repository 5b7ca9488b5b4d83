// Finds where two exchanges differ: in an event, an account or a book. Comparing must be fast
// because it runs millions of times; describing a difference can be slow.

import { isDeepStrictEqual } from 'node:util';
import type { EventFrame } from '../../core/messages/index.ts';
import { sortedAccounts, type TestedExchange } from './tested-exchange.ts';

export interface Difference {
  readonly what: string;
  /**
   * Command that shows the difference; 0 for the start of a frame or if there is no single command.
   */
  readonly command: number;
  readonly left: unknown;
  readonly right: unknown;
}

/** Events are flat records of numbers, bigints, strings and booleans. */
function isSameRecord(left: object, right: object): boolean {
  const leftRecord = left as Record<string, unknown>;
  const rightRecord = right as Record<string, unknown>;
  let fields = 0;
  for (const field in leftRecord) {
    if (!Object.is(leftRecord[field], rightRecord[field])) return false;
    fields += 1;
  }
  return fields === Object.keys(rightRecord).length;
}

export function differenceOfFrames(left: EventFrame, right: EventFrame): Difference | undefined {
  const count = Math.max(left.events.length, right.events.length);
  for (let index = 0; index < count; index += 1) {
    const leftEvent = left.events[index];
    const rightEvent = right.events[index];
    const isSame =
      leftEvent !== undefined && rightEvent !== undefined && isSameRecord(leftEvent, rightEvent);
    if (isSame) continue;
    const command = (leftEvent ?? rightEvent).command;
    return { what: `event ${index}`, command, left: leftEvent, right: rightEvent };
  }
  const leftHead = headOf(left);
  const rightHead = headOf(right);
  if (isSameRecord(leftHead, rightHead)) return undefined;
  return { what: 'frame', command: 0, left: leftHead, right: rightHead };
}

function headOf({ sequence, timeMs, firstCommand }: EventFrame) {
  return { sequence, timeMs, firstCommand };
}

export function differenceOfStates(
  left: TestedExchange,
  right: TestedExchange,
  markets: number,
): Difference | undefined {
  const leftAccounts = sortedAccounts(left);
  const rightAccounts = sortedAccounts(right);
  for (let index = 0; index < Math.max(leftAccounts.length, rightAccounts.length); index += 1) {
    const [one, other] = [leftAccounts[index], rightAccounts[index]];
    if (one !== undefined && other !== undefined && isSameRecord(one, other)) continue;
    return { what: 'account', command: 0, left: one, right: other };
  }
  for (let market = 1; market <= markets; market += 1) {
    const [one, other] = [left.book(market), right.book(market)];
    if (!isDeepStrictEqual(one, other)) {
      return { what: `book of market ${market}`, command: 0, left: one, right: other };
    }
    const lastPrices = [left.lastPriceTicks(market), right.lastPriceTicks(market)];
    if (lastPrices[0] !== lastPrices[1]) {
      const [leftPrice, rightPrice] = lastPrices;
      return { what: `last price of ${market}`, command: 0, left: leftPrice, right: rightPrice };
    }
  }
  return undefined;
}
