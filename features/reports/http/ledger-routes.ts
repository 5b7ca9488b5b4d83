// Handlers for the ledger: totals, balances and postings as of a position. Waits until the tables
// are current before it chooses a position, so "now" has everything that any gateway reported.

import { type HandlersOf, keptRead, requireFresh } from '../../../platform/http/index.ts';
import type { ErrorKey, LedgerTotals } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { balancesBefore, endOf } from '../ledger/balances-at.ts';
import { type AssetTotals, totalsAt, totalsNow } from '../ledger/totals-at.ts';
import { estimateFees } from './fee-effect.ts';
import {
  accountJson,
  amountOf,
  currencyOf,
  ownerOf,
  positionJson,
  requireOwner,
  requirePosition,
} from './ledger-json.ts';
import { getLedgerPostings } from './postings.ts';

const keptTotals = keptRead(async (dependencies) => {
  const behind = await requireFresh(dependencies);
  if (behind !== undefined) return behind;
  return totalsNow(dependencies.registry, dependencies.exchange.projectionSchema);
});

export const ledgerRoutes: HandlersOf<'ledger'> = {
  async getLedgerTotals({ query }, dependencies): Promise<LedgerTotals | Refused<ErrorKey>> {
    const { catalogue, exchange, registry } = dependencies;
    const json = (totals: readonly AssetTotals[]) =>
      totals.map((one) => totalsJson(currencyOf(catalogue.now, one.asset), one));
    const now = query.as_of === undefined ? await keptTotals(dependencies) : undefined;
    if (now instanceof Refused) return now;
    if (now !== undefined) {
      return { position: positionJson({ ...now, isFinal: true }), totals: json(now.totals) };
    }
    const position = await requirePosition(dependencies, query.as_of);
    if (position instanceof Refused) return position;
    const totals = await totalsAt(registry, exchange.projectionSchema, position);
    return { position: positionJson(position), totals: json(totals) };
  },

  async getLedgerBalances({ query }, dependencies) {
    const { catalogue, exchange, registry } = dependencies;
    const owner = await requireOwner(dependencies, ownerOf(query));
    if (owner instanceof Refused) return owner;
    const position = await requirePosition(dependencies, query.as_of);
    if (position instanceof Refused) return position;
    const place = endOf(position);
    const found = await balancesBefore(registry, exchange.projectionSchema, { owner, place });
    const balances = found.map(({ asset, availableAtoms, heldAtoms }) => {
      const currency = currencyOf(catalogue.now, asset);
      return {
        currency: currency.symbol,
        available: amountOf(currency, availableAtoms),
        held: amountOf(currency, heldAtoms),
        total: amountOf(currency, availableAtoms + heldAtoms),
      };
    });
    return { position: positionJson(position), ...accountJson(owner), balances };
  },

  getLedgerPostings,
  getLedgerPostingsFile: getLedgerPostings,
  estimateFees,
};

function totalsJson(
  currency: ReturnType<typeof currencyOf>,
  totals: AssetTotals,
): LedgerTotals['totals'][number] {
  const { externalAtoms, feesAtoms, usersAvailableAtoms, usersHeldAtoms } = totals;
  const sum = usersAvailableAtoms + usersHeldAtoms + feesAtoms + externalAtoms;
  return {
    currency: currency.symbol,
    users_available: amountOf(currency, usersAvailableAtoms),
    users_held: amountOf(currency, usersHeldAtoms),
    fees: amountOf(currency, feesAtoms),
    external: amountOf(currency, externalAtoms),
    total: amountOf(currency, sum),
  };
}
