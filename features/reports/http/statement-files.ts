// Writes a statement as CSV or PDF, batch by batch. Amounts are exact in both.

import { csvLine, csvText } from '../../../platform/http/index.ts';
import { timeText } from '../../../protocol/index.ts';
import type { AssetEntry } from '../../listings/index.ts';
import type { AssetStatement, Statement, StatementLine } from '../statements/statement.ts';
import { amountOf } from './ledger-json.ts';
import { fitted, PAGE, PdfWriter } from './pdf-writer.ts';

export interface StatementFile {
  readonly statement: Statement;
  /** Shown in the title. */
  readonly exchange: string;
  readonly email: string | undefined;
  readonly from: Date;
  readonly to: Date;
  currencyOf(asset: AssetStatement): AssetEntry;
  linesOf(asset: AssetStatement): AsyncIterable<readonly StatementLine[]>;
}

type Currency = Pick<AssetEntry, 'scale' | 'symbol'>;

const CSV_COLUMNS = [
  'type',
  'at',
  'currency',
  'available_change',
  'held_change',
  'available',
  'held',
  'total',
  'cause',
  'cause_id',
  'reference',
  'frame',
  'event_index',
  'posting_index',
];

function textOf(currency: Currency, atoms: bigint): string {
  return amountOf(currency, atoms).rawJSON;
}

/** Each currency has an opening row, its postings, and a closing row. */
export async function* statementCsv(file: StatementFile): AsyncGenerator<string, void> {
  const { closing, opening } = file.statement;
  yield csvLine(CSV_COLUMNS);
  for (const asset of file.statement.assets) {
    const currency = file.currencyOf(asset);
    const balance = (
      type: string,
      at: string,
      frame: number,
      { availableAtoms, heldAtoms }: Balance,
    ) =>
      csvLine([
        type,
        at,
        currency.symbol,
        '',
        '',
        ...balanceTexts(currency, availableAtoms, heldAtoms),
        '',
        '',
        '',
        `${frame}`,
        '',
        '',
      ]);
    yield balance('opening_balance', timeText(file.from.getTime()), opening.frame, asset.opening);
    for await (const lines of file.linesOf(asset)) {
      yield lines.map((line) => csvLine(cellsOf(currency, line))).join('');
    }
    yield balance('closing_balance', timeText(file.to.getTime()), closing.frame, asset.closing);
  }
}

type Balance = AssetStatement['opening'];

function balanceTexts(currency: Currency, available: bigint, held: bigint): string[] {
  return [available, held, available + held].map((atoms) => textOf(currency, atoms));
}

function cellsOf(currency: Currency, line: StatementLine): string[] {
  return [
    line.type,
    timeText(line.at.getTime()),
    currency.symbol,
    textOf(currency, line.availableChangeAtoms),
    textOf(currency, line.heldChangeAtoms),
    ...balanceTexts(currency, line.availableAtoms, line.heldAtoms),
    line.causeKind,
    `${line.causeId}`,
    csvText(line.reference ?? ''),
    `${line.frame}`,
    `${line.eventIndex}`,
    `${line.postingIndex}`,
  ];
}

const LEFT = 40;
const RIGHT = PAGE.width - LEFT;
const TOP = PAGE.height - 48;
const BOTTOM = 52;
const SIZE = 7.5;
const ROW = 11;
const GRAY = 0.42;
/** Left edges of text columns, right edges of amounts. */
const X = { at: LEFT, type: 122, reference: 176, available: 381, held: 468, total: RIGHT } as const;
const REFERENCE_WIDTH = 110;

const HEADINGS = [
  ['Time (UTC)', X.at, false],
  ['Type', X.type, false],
  ['Reference', X.reference, false],
  ['Available', X.available, true],
  ['On hold', X.held, true],
  ['Balance', X.total, true],
] as const;

/** A table for each currency, and how much each type of posting changed. */
export async function* statementPdf(file: StatementFile): AsyncGenerator<string, void> {
  const pages = new StatementPages(file);
  yield pages.begin();
  for (const asset of file.statement.assets) {
    const currency = file.currencyOf(asset);
    const changes = new Map<string, bigint>();
    yield pages.startTable(currency);
    yield pages.balance('Opening balance', currency, asset.opening);
    for await (const lines of file.linesOf(asset)) {
      let text = '';
      for (const line of lines) {
        text += pages.posting(currency, line);
        const change = line.availableChangeAtoms + line.heldChangeAtoms;
        if (change !== 0n) changes.set(line.type, (changes.get(line.type) ?? 0n) + change);
      }
      yield text;
    }
    yield pages.balance('Closing balance', currency, asset.closing);
    for (const [type, atoms] of [...changes].sort(([one], [other]) => (one < other ? -1 : 1))) {
      yield pages.change(type, currency, atoms);
    }
  }
  yield pages.end();
}

class StatementPages {
  readonly #pdf: PdfWriter;
  readonly #file: StatementFile;
  #y = TOP;
  /** Currency of the table in progress, repeated on its next page. */
  #table = '';

  constructor(file: StatementFile) {
    this.#file = file;
    this.#pdf = new PdfWriter(`${file.exchange}: account statement`);
  }

  begin(): string {
    const { email, exchange, from, statement, to } = this.#file;
    const { assets, closing, owner } = statement;
    const pdf = this.#pdf;
    const begun = pdf.begin();
    pdf.text(exchange, { x: LEFT, y: TOP, size: 11, font: 'bold' });
    pdf.text('Account statement', { x: LEFT, y: TOP - 26, size: 19, font: 'bold' });
    const facts = [
      ['User', email === undefined ? `${owner}` : `${owner}, ${email}`],
      ['Period', `${minuteText(from)} to ${minuteText(to)}, UTC, end not included`],
      ['Ledger position', `frame ${closing.frame}`],
    ];
    this.#y = TOP - 50;
    for (const [name, value] of facts) {
      pdf.text(name, { x: LEFT, y: this.#y, size: 9, gray: GRAY });
      pdf.text(value, { x: LEFT + 86, y: this.#y, size: 9 });
      this.#y -= 14;
    }
    if (assets.length === 0) {
      pdf.text('No balances and no postings.', { x: LEFT, y: this.#y - 14, size: 9 });
    }
    return begun;
  }

  /** Starts a new page if only its head would fit on this one. */
  startTable({ symbol }: Currency): string {
    const ended = this.#y - 6 * ROW < BOTTOM ? this.#nextPage() : '';
    this.#table = symbol.toUpperCase();
    this.#y -= 16;
    this.#head(this.#table);
    return ended;
  }

  balance(name: string, currency: Currency, { availableAtoms, heldAtoms }: Balance): string {
    const ended = this.#row();
    const at = { y: this.#y, size: SIZE };
    this.#pdf.text(name, { ...at, x: X.at, font: 'bold' });
    const [available, held, total] = balanceTexts(currency, availableAtoms, heldAtoms);
    this.#pdf.text(available, { ...at, x: X.available, isRight: true });
    this.#pdf.text(held, { ...at, x: X.held, isRight: true });
    this.#pdf.text(total, { ...at, x: X.total, isRight: true });
    this.#pdf.line({ from: LEFT, to: RIGHT, y: this.#y - 3 });
    return ended;
  }

  posting(currency: Currency, line: StatementLine): string {
    const ended = this.#row();
    const at = { y: this.#y, size: SIZE };
    const reference = line.reference ?? `${line.causeKind.replaceAll('_', ' ')} ${line.causeId}`;
    const pdf = this.#pdf;
    pdf.text(timeText(line.at.getTime()).slice(0, 19).replace('T', ' '), { ...at, x: X.at });
    pdf.text(labelOf(line.type), { ...at, x: X.type });
    pdf.text(fitted(reference, SIZE, REFERENCE_WIDTH), { ...at, x: X.reference, gray: GRAY });
    const right = (x: number, atoms: bigint) => {
      if (atoms !== 0n) pdf.text(signed(currency, atoms), { ...at, x, isRight: true });
    };
    right(X.available, line.availableChangeAtoms);
    right(X.held, line.heldChangeAtoms);
    const total = textOf(currency, line.availableAtoms + line.heldAtoms);
    pdf.text(total, { ...at, x: X.total, isRight: true });
    return ended;
  }

  change(type: string, currency: Currency, atoms: bigint): string {
    const ended = this.#row();
    const at = { y: this.#y, size: SIZE, gray: GRAY };
    this.#pdf.text(`Total: ${labelOf(type)}`, { ...at, x: X.at });
    this.#pdf.text(signed(currency, atoms), { ...at, x: X.total, isRight: true });
    return ended;
  }

  end(): string {
    return this.#endPage() + this.#pdf.end();
  }

  /** Moves to the next row, if necessary on a new page with the head of the table. */
  #row(): string {
    this.#y -= ROW;
    if (this.#y >= BOTTOM) return '';
    const ended = this.#nextPage();
    this.#head(`${this.#table}, continued`);
    this.#y -= ROW;
    return ended;
  }

  #head(title: string): void {
    this.#y -= 8;
    this.#pdf.text(title, { x: LEFT, y: this.#y, size: 11, font: 'bold' });
    this.#y -= 14;
    for (const [text, x, isRight] of HEADINGS) {
      this.#pdf.text(text, { x, y: this.#y, size: SIZE, gray: GRAY, isRight });
    }
    this.#pdf.line({ from: LEFT, to: RIGHT, y: this.#y - 3 });
    this.#y -= 1;
  }

  #nextPage(): string {
    const ended = this.#endPage();
    this.#y = TOP;
    return ended;
  }

  #endPage(): string {
    const page = `Page ${this.#pdf.pages + 1}`;
    this.#pdf.text(page, { x: RIGHT, y: BOTTOM - 24, size: SIZE, gray: GRAY, isRight: true });
    return this.#pdf.endPage();
  }
}

function minuteText(time: Date): string {
  return timeText(time.getTime()).slice(0, 16).replace('T', ' ');
}

function labelOf(type: string): string {
  const text = type.replaceAll('_', ' ');
  return `${text[0].toUpperCase()}${text.slice(1)}`;
}

function signed(currency: Currency, atoms: bigint): string {
  return `${atoms > 0n ? '+' : ''}${textOf(currency, atoms)}`;
}
