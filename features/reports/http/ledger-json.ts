// Parts of the ledger's responses: the position that a caller names, accounts and amounts.

import { EXTERNAL_OWNER, FEES_OWNER, type Owner } from '../../../core/messages/index.ts';
import {
  type AssetId,
  type Atoms,
  decimalFromAtoms,
  type UserId,
} from '../../../core/money/index.ts';
import { type Dependencies, momentFilter, requireFresh } from '../../../platform/http/index.ts';
import { decimal, type ErrorKey, timeText } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import type { AssetEntry, CatalogueNow } from '../../listings/index.ts';
import { findPosition, type Position } from '../ledger/ledger-position.ts';
import { requireUser } from './answer-list.ts';

const OWNERS = { fees: FEES_OWNER, external: EXTERNAL_OWNER } as const;
const FRAME = /^[0-9]+$/;

export async function requirePosition(
  dependencies: Dependencies,
  asOf: string | undefined,
): Promise<Position | Refused<ErrorKey>> {
  const behind = await requireFresh(dependencies);
  if (behind !== undefined) return behind;
  const { exchange, registry } = dependencies;
  return findPosition(registry, exchange.projectionSchema, asOfOf(asOf));
}

function asOfOf(text: string | undefined) {
  if (text === undefined) return undefined;
  return FRAME.test(text) ? { frame: Number(text) } : { at: momentFilter(text)! };
}

/** Returns the owner that a query names, if any. */
export function ownerOf(query: {
  readonly user_id?: number;
  readonly account?: keyof typeof OWNERS;
}): Owner | Refused<'request_invalid'> | undefined {
  const { account, user_id } = query;
  if (account === undefined) return user_id as UserId | undefined;
  if (user_id === undefined) return OWNERS[account];
  const detail = 'Parameter (account) must not be given with user_id';
  return new Refused('request_invalid', { detail });
}

export async function requireOwner(
  { registry }: Dependencies,
  owner: Owner | Refused<'request_invalid'> | undefined,
): Promise<Owner | Refused<'request_invalid' | 'user_not_found'>> {
  if (owner instanceof Refused) return owner;
  if (owner === undefined) {
    const detail = 'Parameter (user_id) or (account) is required';
    return new Refused('request_invalid', { detail });
  }
  return owner > 0 ? requireUser(registry, owner) : owner;
}

export function accountJson(owner: Owner) {
  if (owner === FEES_OWNER) return { account: 'fees', user_id: null } as const;
  if (owner === EXTERNAL_OWNER) return { account: 'external', user_id: null } as const;
  return { account: 'user', user_id: owner } as const;
}

export function positionJson({ at, frame, isFinal }: Position) {
  return { frame, at: timeText(at.getTime()), is_final: isFinal };
}

export function currencyOf({ assetsById }: CatalogueNow, asset: AssetId): AssetEntry {
  const found = assetsById.get(asset);
  if (found === undefined) throw new Error(`asset ${asset} is not in the catalog yet`);
  return found;
}

export function amountOf({ scale }: Pick<AssetEntry, 'scale'>, atoms: bigint) {
  return decimal(decimalFromAtoms(atoms as Atoms, scale));
}
