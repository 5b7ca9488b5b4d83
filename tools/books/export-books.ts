// Writes the books of a period as CSV files, with a list of them that has their hashes.

import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, mkdir, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Atoms, decimalFromAtoms } from '../../core/money/index.ts';
import {
  type Books,
  CHART,
  type Listings,
  ORDER_COLUMNS,
  openBooks,
  type Period,
  readGeneralLedger,
  readListings,
  readOrderRecords,
  readTradeRecords,
  TRADE_COLUMNS,
  TrialBalance,
} from '../../features/reports/index.ts';
import type { Statements } from '../../infra/postgres/index.ts';
import { csvLine, csvText } from '../../platform/http/index.ts';
import { Refused } from '../../protocol/wire/index.ts';

/** Changes if a column changes its meaning or its place. New columns are added at the end. */
const LAYOUT = 'rialto-books/1';

export interface WrittenFile {
  readonly name: string;
  readonly rows: number;
  readonly sha256: string;
}

export interface WrittenBooks {
  readonly files: readonly WrittenFile[];
  /** Empty if everything balances. */
  readonly differences: readonly string[];
}

/** Returns undefined while the tables have not reached the end of the period. */
export async function exportBooks(
  statements: Statements,
  schema: string,
  period: Period,
  folder: string,
): Promise<WrittenBooks | undefined> {
  const books = await openBooks(statements, schema, period);
  if (books instanceof Refused) return undefined;
  await mkdir(folder, { recursive: true });
  const listings = await readListings(statements, schema);
  const trial = new TrialBalance(books);
  const files = [
    await writeCsv(folder, 'chart-of-accounts.csv', ['account', 'name', 'type'], chart()),
    await writeCsv(
      folder,
      'general-ledger.csv',
      LEDGER_COLUMNS,
      ledgerCells(statements, schema, books, listings, trial),
    ),
  ];
  const { differences, rows } = trial.close();
  files.push(
    await writeCsv(folder, 'trial-balance.csv', TRIAL_COLUMNS, trialCells(rows, listings)),
    await writeCsv(
      folder,
      'orders.csv',
      ORDER_COLUMNS,
      readOrderRecords(statements, schema, period, listings),
    ),
    await writeCsv(
      folder,
      'trades.csv',
      TRADE_COLUMNS,
      readTradeRecords(statements, schema, period, listings),
    ),
  );
  const list = {
    layout: LAYOUT,
    from: period.from.toISOString(),
    end: period.to.toISOString(),
    opening_frame: books.opening.frame,
    closing_frame: books.closing.frame,
    balances: differences.length === 0,
    differences,
    files,
  };
  await writeFile(join(folder, 'books.json'), `${JSON.stringify(list, null, 2)}\n`);
  return { files, differences };
}

function* chart(): Generator<string[][]> {
  yield CHART.map(({ account, name, type }) => [account, name, type]);
}

const LEDGER_COLUMNS = [
  'entry_id',
  'at',
  'account',
  'user_id',
  'currency',
  'debit',
  'credit',
  'cause',
  'cause_id',
  'reference',
  'command',
  'frame',
];

async function* ledgerCells(
  statements: Statements,
  schema: string,
  books: Books,
  { currencies }: Listings,
  trial: TrialBalance,
): AsyncGenerator<string[][], void> {
  for await (const lines of readGeneralLedger(statements, schema, books)) {
    yield lines.map((line) => {
      trial.add(line);
      const { account, debitAtoms, entry, posting } = line;
      const { scale, symbol } = currencies.get(posting.asset)!;
      const amount = decimalFromAtoms((debitAtoms < 0n ? -debitAtoms : debitAtoms) as Atoms, scale);
      return [
        entry,
        posting.at.toISOString(),
        account,
        posting.owner > 0 ? `${posting.owner}` : '',
        symbol,
        debitAtoms > 0n ? amount : '',
        debitAtoms < 0n ? amount : '',
        posting.causeKind,
        `${posting.causeId}`,
        posting.reference ?? '',
        posting.command === 0 ? '' : `${posting.command}`,
        `${posting.frame}`,
      ];
    });
  }
}

const TRIAL_COLUMNS = ['currency', 'account', 'opening', 'debit', 'credit', 'closing'];

function* trialCells(
  rows: ReturnType<TrialBalance['close']>['rows'],
  { currencies }: Listings,
): Generator<string[][]> {
  yield rows.map(({ account, asset, closingAtoms, creditAtoms, debitAtoms, openingAtoms }) => {
    const { scale, symbol } = currencies.get(asset)!;
    const amounts = [openingAtoms, debitAtoms, creditAtoms, closingAtoms];
    return [symbol, account, ...amounts.map((atoms) => decimalFromAtoms(atoms as Atoms, scale))];
  });
}

async function writeCsv(
  folder: string,
  name: string,
  columns: readonly string[],
  batches: AsyncIterable<string[][]> | Iterable<string[][]>,
): Promise<WrittenFile> {
  const file = await open(join(folder, name), 'w');
  const hash = createHash('sha256');
  let rows = 0;
  try {
    await append(file, hash, csvLine(columns));
    for await (const batch of batches) {
      rows += batch.length;
      await append(file, hash, batch.map((cells) => csvLine(cells.map(csvText))).join(''));
    }
  } finally {
    await file.close();
  }
  return { name, rows, sha256: hash.digest('hex') };
}

async function append(file: FileHandle, hash: Hash, text: string): Promise<void> {
  hash.update(text);
  await file.write(text);
}
