// Parses a .scenario file into its scenarios. An unknown line is an error, and so is a scenario
// without a story or without the book after it.

import { type BookRow, parseBookRow } from './drawn-book.ts';

export interface StoryRow {
  readonly line: number;
  readonly action: string;
  /** The expected events, one sentence each, in order. */
  readonly outcomes: string[];
}

export interface StatedBook {
  readonly line: number;
  /** '' for the default market. */
  readonly market: string;
  readonly rows: BookRow[];
  /** Pending stops, in placement order. */
  readonly stops: string[];
  /** An empty book must be stated as empty. */
  saidEmpty: boolean;
}

export interface StatedBalance {
  readonly line: number;
  readonly owner: string;
  readonly asset: string;
  readonly available: string;
  readonly held: string;
}

export interface Scenario {
  readonly line: number;
  readonly title: string;
  why: string;
  readonly given: StoryRow[];
  readonly before: StatedBook[];
  readonly story: StoryRow[];
  readonly after: StatedBook[];
  readonly balances: StatedBalance[];
}

interface Reading {
  readonly scenarios: Scenario[];
  section: string;
}

export function parseScenarios(text: string, path: string): Scenario[] {
  const reading: Reading = { scenarios: [], section: 'file' };
  for (const [index, raw] of text.split('\n').entries()) {
    try {
      readLine(reading, { content: raw.trimEnd(), line: index + 1 });
    } catch (error) {
      throw new Error(`${path}:${index + 1}: ${(error as Error).message}`, { cause: error });
    }
  }
  for (const scenario of reading.scenarios) refuseEmptyParts(scenario, path);
  return reading.scenarios;
}

function readLine(reading: Reading, { content, line }: { content: string; line: number }): void {
  if (content === '') return;
  const scenario = reading.scenarios.at(-1);
  if (content.startsWith('## ')) {
    reading.scenarios.push(newScenario(content.slice(3).trim(), line));
    reading.section = 'title';
  } else if (content.startsWith('# ')) {
    if (line !== 1) throw new Error('only the first line of a file is its heading');
  } else if (scenario === undefined) {
    throw new Error('a line before the first scenario');
  } else if (content.startsWith(' ')) {
    readRow(reading.section, scenario, { content: content.trim(), line });
  } else {
    reading.section = readHeading(scenario, { content, line });
  }
}

function newScenario(title: string, line: number): Scenario {
  return { line, title, why: '', given: [], before: [], story: [], after: [], balances: [] };
}

function readHeading(
  scenario: Scenario,
  { content, line }: { content: string; line: number },
): string {
  if (content.startsWith('why: ')) {
    scenario.why = content.slice(5).trim();
    return 'why';
  }
  const book = /^(before|after)(?: in ([a-z0-9]+-[a-z0-9]+))?$/.exec(content);
  if (book !== null) {
    const side = book[1] as 'before' | 'after';
    const market = book[2] ?? '';
    if (scenario[side].some((other) => other.market === market)) throw new Error('drawn twice');
    scenario[side].push({ line, market, rows: [], stops: [], saidEmpty: false });
    return side;
  }
  if (['given', 'story', 'balances'].includes(content)) return content;
  throw new Error(`'${content}' is not a part of a scenario`);
}

function readRow(
  section: string,
  scenario: Scenario,
  row: { content: string; line: number },
): void {
  const { content, line } = row;
  if (section === 'why') scenario.why += ` ${content}`;
  else if (section === 'given') scenario.given.push({ line, action: content, outcomes: [] });
  else if (section === 'story') readStoryRow(scenario, row);
  else if (section === 'before') readBookRow(scenario.before.at(-1)!, content);
  else if (section === 'after') readBookRow(scenario.after.at(-1)!, content);
  else if (section === 'balances') readBalance(scenario, row);
  else throw new Error(`'${content}' is outside every part of a scenario`);
}

function readStoryRow(scenario: Scenario, { content, line }: { content: string; line: number }) {
  const cells = content.split('|').map((cell) => cell.trim());
  if (cells.length > 2) throw new Error('a story has two columns: action | outcome');
  const [action, outcome = ''] = cells;
  if (action !== '') scenario.story.push({ line, action, outcomes: [] });
  const row = scenario.story.at(-1);
  if (row === undefined) throw new Error('an outcome before the first action');
  if (outcome !== '') row.outcomes.push(outcome.replaceAll(/\s+/g, ' '));
  else if (action === '') throw new Error('a row with neither action nor outcome');
}

function readBookRow(book: StatedBook, content: string): void {
  if (/^bids +\| *price *\| *asks$/.test(content)) return;
  if (content === 'empty') book.saidEmpty = true;
  else if (content.startsWith('stop ')) book.stops.push(content.replaceAll(/\s+/g, ' '));
  else book.rows.push(parseBookRow(content));
}

function readBalance(scenario: Scenario, { content, line }: { content: string; line: number }) {
  if (/^\| *available +\| *held$/.test(content)) return;
  const match = /^(\S+) +(\S+) *\| *(-?[\d.,]+) *\| *([\d.,]+)$/.exec(content);
  if (match === null) throw new Error('a balance reads: owner asset | available | held');
  const [, owner, asset, available, held] = match;
  scenario.balances.push({ line, owner, asset, available, held });
}

function refuseEmptyParts(scenario: Scenario, path: string): void {
  const refuse = (what: string, line = scenario.line) => {
    throw new Error(`${path}:${line}: '${scenario.title}' ${what}`);
  };
  if (scenario.story.length === 0) refuse('has no story');
  if (!scenario.after.some((book) => book.market === '')) refuse('has no book after');
  for (const book of [...scenario.before, ...scenario.after]) {
    if (book.saidEmpty !== (book.rows.length === 0)) {
      refuse("must draw rows or say 'empty', one of the two", book.line);
    }
  }
  if (scenario.before.some((book) => book.stops.length > 0)) {
    refuse('draws a stop before the story; place it in the story');
  }
}
