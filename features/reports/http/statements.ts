// Handlers for account statements: of the caller, and of any user for operators.

import type { Owner } from '../../../core/messages/index.ts';
import {
  assetFilter,
  type Dependencies,
  type HandlersOf,
  JsonText,
  momentFilter,
  requireFresh,
  StreamedAnswer,
} from '../../../platform/http/index.ts';
import type { AccountStatement, ErrorKey } from '../../../protocol/index.ts';
import { Refused, WEIGHT_FILE, WEIGHT_HEAVY } from '../../../protocol/wire/index.ts';
import { findUser } from '../../accounts/index.ts';
import {
  countStatementLines,
  findStatement,
  readStatementLines,
  type Statement,
} from '../statements/statement.ts';
import { requireUser } from './answer-list.ts';
import { amountOf, currencyOf, positionJson } from './ledger-json.ts';
import { type StatementFile, statementCsv, statementPdf } from './statement-files.ts';

/** About 700 pages. */
const PDF_LINES_MAX = 50_000;

interface StatementCall {
  readonly query: {
    readonly start_date: string;
    readonly end_date?: string;
    readonly currency?: string;
    readonly format?: 'csv' | 'pdf';
  };
  charge(weight: number): Refused<'rate_limit_exceeded'> | undefined;
}

export const statementRoutes: HandlersOf<'statements'> = {
  async getStatement(call, dependencies) {
    const { user: owner } = call.caller;
    const user = await findUser(dependencies.registry, owner);
    return answerStatement(call, dependencies, { owner, email: user?.email });
  },

  async getStatementOfUser(call, dependencies) {
    const owner = await requireUser(dependencies.registry, call.query.user_id);
    if (owner instanceof Refused) return owner;
    return answerStatement(call, dependencies, { owner, email: undefined });
  },
};

async function answerStatement(
  { charge, query }: StatementCall,
  dependencies: Dependencies,
  { email, owner }: { readonly owner: Owner; readonly email: string | undefined },
): Promise<JsonText | StreamedAnswer | Refused<ErrorKey>> {
  const { catalogue, clock, exchange, registry } = dependencies;
  const { projectionSchema: schema } = exchange;
  const asset = assetFilter(dependencies, query.currency) ?? undefined;
  if (asset instanceof Refused) return asset;
  const limited = query.format === undefined ? undefined : charge(WEIGHT_FILE - WEIGHT_HEAVY);
  if (limited !== undefined) return limited;
  const behind = await requireFresh(dependencies);
  if (behind !== undefined) return behind;
  const from = momentFilter(query.start_date)!;
  const to = momentFilter(query.end_date) ?? undefined;
  const statement = await findStatement(registry, schema, { owner, from, to, asset });
  if (statement instanceof Refused) return statement;
  const currencies = catalogue.now;
  if (query.format === undefined) {
    return new JsonText(JSON.stringify(statementJson(statement, from, to, currencies)));
  }
  let rows = 0;
  const file: StatementFile = {
    statement,
    exchange: exchange.name,
    email,
    from,
    to: to ?? new Date(clock.nowMs()),
    currencyOf: (one) => currencyOf(currencies, one.asset),
    async *linesOf(one) {
      for await (const lines of readStatementLines(registry, schema, statement, one)) {
        rows += lines.length;
        yield lines;
      }
    },
  };
  const rowsRead = () => rows;
  const fileName = `${exchange.name}-statement-${owner}-${query.start_date.slice(0, 10)}`;
  if (query.format === 'csv') {
    const type = 'text/csv; charset=utf-8';
    const chunks = statementCsv(file);
    return new StreamedAnswer({ status: 202, type, fileName: `${fileName}.csv`, chunks, rowsRead });
  }
  const count = await countStatementLines(registry, schema, statement, PDF_LINES_MAX + 1);
  if (count > PDF_LINES_MAX) return new Refused('statement_too_long', { max: PDF_LINES_MAX });
  return new StreamedAnswer({
    status: 202,
    type: 'application/pdf',
    fileName: `${fileName}.pdf`,
    chunks: statementPdf(file),
    rowsRead,
  });
}

function statementJson(
  { assets, closing, owner }: Statement,
  from: Date,
  to: Date | undefined,
  catalogue: Parameters<typeof currencyOf>[0],
): AccountStatement {
  return {
    user_id: owner,
    start_date: from.toISOString(),
    end_date: to?.toISOString() ?? null,
    position: positionJson(closing),
    balances: assets.map(({ asset, closing: after, opening: before }) => {
      const currency = currencyOf(catalogue, asset);
      return {
        currency: currency.symbol,
        opening: amountOf(currency, before.availableAtoms + before.heldAtoms),
        opening_held: amountOf(currency, before.heldAtoms),
        closing: amountOf(currency, after.availableAtoms + after.heldAtoms),
        closing_held: amountOf(currency, after.heldAtoms),
      };
    }),
  };
}
