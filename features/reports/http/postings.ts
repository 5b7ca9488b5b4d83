// Postings as pages and as a file. In a list of one account each row has the balance after it: the
// balance at the top of the list is read once, and each row subtracts its change.

import type { Owner } from '../../../core/messages/index.ts';
import type { AssetId } from '../../../core/money/index.ts';
import {
  assetFilter,
  type Call,
  type Dependencies,
  JsonText,
  type ListAnswer,
  orderedRows,
  type Row,
} from '../../../platform/http/index.ts';
import {
  type ErrorKey,
  type LedgerPosting,
  type Routes,
  timeText,
} from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { balancesBefore, endOf } from '../ledger/balances-at.ts';
import type { Position } from '../ledger/ledger-position.ts';
import {
  type PostingEntry,
  type PostingFilter,
  postingOfRow,
  postings,
} from '../ledger/postings.ts';
import { answerOperatorList } from './answer-list.ts';
import {
  accountJson,
  amountOf,
  currencyOf,
  ownerOf,
  positionJson,
  requireOwner,
  requirePosition,
} from './ledger-json.ts';

type PostingsCall = Call<Routes['getLedgerPostings']>;

export async function getLedgerPostings(
  call: PostingsCall,
  dependencies: Dependencies,
): Promise<ListAnswer | Refused<ErrorKey>> {
  const { exchange, registry } = dependencies;
  const { format, limit } = call.query;
  const position = await requirePosition(dependencies, call.query.as_of);
  if (position instanceof Refused) return position;
  const filter = await filterOf(call, dependencies, position);
  if (filter instanceof Refused) return filter;
  const list = { ...postings(filter, exchange.projectionSchema), sortColumns: {} };
  const write = await writerOf(dependencies, filter);
  if (format !== undefined) {
    const query = { format, limit, page: 1 };
    const source = { ...list, write, name: 'postings' };
    return answerOperatorList({ ...call, query }, dependencies, source);
  }
  // One more than a page shows whether there is another.
  const statement = orderedRows({}, list);
  if (statement instanceof Refused) return statement;
  const { rows } = await registry.query(statement, [...list.values, limit + 1, 0]);
  const shown = rows.slice(0, limit);
  const before = rows.length > limit ? placeText(postingOfRow(shown[limit - 1])) : null;
  const data = shown.map((row) => write(row)).join(',');
  const rest = JSON.stringify({ position: positionJson(position), before });
  return new JsonText(`{"data":[${data}],${rest.slice(1)}`);
}

async function filterOf(
  { query }: PostingsCall,
  dependencies: Dependencies,
  position: Position,
): Promise<PostingFilter | Refused<'currency_invalid' | 'request_invalid' | 'user_not_found'>> {
  const { command, frame } = query;
  const asset = assetFilter(dependencies, query.currency) ?? undefined;
  if (asset instanceof Refused) return asset;
  const end = endOf(position);
  const given = query.before === undefined ? end : placeOf(query.before);
  const before = given.frame > end.frame ? end : given;
  const owner = ownerOf(query);
  if (owner instanceof Refused) return owner;
  if (command !== undefined && frame !== undefined) {
    const detail = 'Parameter (frame) must not be given with command';
    return new Refused('request_invalid', { detail });
  }
  if (command !== undefined) return { asset, before, owner, command };
  if (frame !== undefined) return { asset, before, owner, frame };
  if (owner === undefined) {
    const detail = 'Parameter (user_id), (account), (command) or (frame) is required';
    return new Refused('request_invalid', { detail });
  }
  const found = await requireOwner(dependencies, owner);
  return found instanceof Refused ? found : { asset, before, owner: found };
}

/** Rows must be written in list order. */
async function writerOf(
  { catalogue, exchange, registry }: Dependencies,
  filter: PostingFilter,
): Promise<(row: Row) => string> {
  const { before: place, command, frame, owner } = filter;
  const isWhole = owner !== undefined && command === undefined && frame === undefined;
  const balances = isWhole
    ? await balancesBefore(registry, exchange.projectionSchema, { owner, place })
    : [];
  const after = new Map<AssetId, [available: bigint, held: bigint]>(
    balances.map(({ asset, availableAtoms, heldAtoms }) => [asset, [availableAtoms, heldAtoms]]),
  );
  const { now } = catalogue;
  return (row) => {
    const entry = postingOfRow(row);
    const balance = after.get(entry.asset);
    const json = postingJson(currencyOf(now, entry.asset), entry, balance);
    if (balance !== undefined) {
      balance[0] -= entry.availableChangeAtoms;
      balance[1] -= entry.heldChangeAtoms;
    }
    return JSON.stringify(json);
  };
}

function postingJson(
  currency: ReturnType<typeof currencyOf>,
  entry: PostingEntry,
  balance: readonly [available: bigint, held: bigint] | undefined,
): LedgerPosting {
  return {
    frame: entry.frame,
    event_index: entry.eventIndex,
    posting_index: entry.postingIndex,
    at: timeText(entry.at.getTime()),
    command: entry.command === 0 ? null : entry.command,
    ...accountJson(entry.owner),
    currency: currency.symbol,
    available_change: amountOf(currency, entry.availableChangeAtoms),
    held_change: amountOf(currency, entry.heldChangeAtoms),
    available: balance === undefined ? null : amountOf(currency, balance[0]),
    held: balance === undefined ? null : amountOf(currency, balance[1]),
    cause: entry.causeKind,
    cause_id: entry.causeId,
    reference: entry.reference,
  };
}

/** A place as clients send it back: time, frame, event, posting, owner. */
function placeText({ at, eventIndex, frame, owner, postingIndex }: PostingEntry): string {
  return [at.getTime(), frame, eventIndex, postingIndex, owner].join('.');
}

function placeOf(text: string): PostingFilter['before'] {
  const [atMs, frame, eventIndex, postingIndex, owner] = text.split('.').map(Number);
  return { at: new Date(atMs), frame, eventIndex, postingIndex, owner: owner as Owner };
}
