// Turns a scenario into command frames with the expected outcome of each. It runs before any
// exchange starts, so every exchange gets exactly the same log.

import { type Command, type CommandFrame, FRAME_HASH_BYTES } from '../../core/messages/index.ts';
import type { TimeMs } from '../../core/money/index.ts';
import { nameOfLabel, peopleIn } from './cast.ts';
import { CONFIGURATION_SENTENCES } from './configuration-sentences.ts';
import { MONEY_SENTENCES } from './money-sentences.ts';
import { ORDER_SENTENCES } from './order-sentences.ts';
import type { Scenario, StoryRow } from './parse-scenario.ts';
import type { Meaning } from './sentence.ts';
import { DEFAULT_MARKET, emptyStage, type Stage } from './stage.ts';
import { durationMsOf } from './stated-numbers.ts';

const SENTENCES = [...ORDER_SENTENCES, ...MONEY_SENTENCES, ...CONFIGURATION_SENTENCES];
const DEFAULT_ASSETS = [
  'asset btc: scale 8, cap 21,000,000',
  'asset usdt: scale 8, cap 10,000,000,000',
];
const DEFAULT_FUNDS = { base: '1,000', quote: '1,000,000' };

export interface Expectation {
  readonly line: number;
  readonly action: string;
  readonly outcomes: readonly string[];
}

/** One frame. The first expectation is about the start of the frame, then one per command. */
export interface Step {
  readonly frame: CommandFrame;
  /** Numbers of the commands on which the engine must fail. */
  readonly poisoned: ReadonlySet<number>;
  readonly restartFirst: boolean;
  readonly expectations: readonly Expectation[];
}

export interface CompiledScenario {
  readonly stage: Stage;
  readonly setUp: readonly Step[];
  readonly steps: readonly Step[];
}

interface Compiling {
  readonly stage: Stage;
  readonly done: Step[];
  /** The frame being built. */
  commands: Command[];
  expectations: Expectation[];
  poisoned: Set<number>;
  restartFirst: boolean;
  sequence: number;
}

export function compileScenario(scenario: Scenario): CompiledScenario {
  const stage = emptyStage();
  const compiling = newCompiling(stage);
  for (const row of setUpRows(scenario.given, peopleOf(scenario))) joinRow(compiling, row);
  drawBefore(compiling, scenario);
  closeFrame(compiling);
  const setUpLength = compiling.done.length;
  for (const row of scenario.story) addRow(compiling, row);
  closeFrame(compiling);
  return {
    stage,
    setUp: compiling.done.slice(0, setUpLength),
    steps: compiling.done.slice(setUpLength),
  };
}

/** Compiles sentences from a program, one frame per call; see incidents/. */
export function compileSentences(
  given: readonly string[],
  people: readonly string[],
): { stage: Stage; setUp: readonly Step[]; nextStep: (sentences: readonly string[]) => Step } {
  const stage = emptyStage();
  const compiling = newCompiling(stage);
  const row = (action: string) => ({ line: 0, action, outcomes: [] });
  for (const setUpRow of setUpRows(given.map(row), people)) joinRow(compiling, setUpRow);
  closeFrame(compiling);
  const nextStep = (sentences: readonly string[]): Step => {
    for (const sentence of sentences) joinRow(compiling, row(sentence));
    closeFrame(compiling);
    return compiling.done.at(-1)!;
  };
  return { stage, setUp: [...compiling.done], nextStep };
}

function newCompiling(stage: Stage): Compiling {
  return {
    stage,
    done: [],
    commands: [],
    expectations: [],
    poisoned: new Set(),
    restartFirst: false,
    sequence: 1,
  };
}

/** Assets, the market, the `given` rows, then funds for all users in the scenario. */
function setUpRows(given: readonly StoryRow[], people: readonly string[]): StoryRow[] {
  const isOf = (row: StoryRow, start: string) => row.action.startsWith(start);
  const isFunds = (row: StoryRow) => / has /.test(row.action);
  const plain = (action: string): StoryRow => ({ line: 0, action, outcomes: [] });
  const funded = new Set(given.filter(isFunds).map((row) => row.action.split(' ')[0]));
  const own = given.filter((row) => !isFunds(row));
  const assets = DEFAULT_ASSETS.filter(
    (action) => !own.some((row) => isOf(row, action.slice(0, action.indexOf(':') + 1))),
  );
  const market = own.some((row) => isOf(row, `market ${DEFAULT_MARKET}`))
    ? []
    : [plain(`market ${DEFAULT_MARKET}`)];
  const ownAssets = own.filter((row) => isOf(row, 'asset '));
  const symbols = ['btc', 'usdt', ...ownAssets.map((row) => /^asset (\w+)/.exec(row.action)![1])];
  const others = people.filter((name) => !funded.has(name));
  return [
    ...assets.map(plain),
    ...ownAssets,
    ...market,
    ...own.filter((row) => !isOf(row, 'asset ')),
    ...given.filter(isFunds).flatMap(fundsRows),
    ...others.flatMap((name) => defaultFunds(name, new Set(symbols)).map(plain)),
  ];
}

function peopleOf(scenario: Scenario): string[] {
  const actions = [...scenario.given, ...scenario.story].map((row) => row.action);
  const drawn = scenario.before.flatMap((book) =>
    book.rows.flatMap((row) => [...row.bids, ...row.asks].map(({ label }) => label)),
  );
  return peopleIn([...actions, ...drawn].join('\n'));
}

/** `alice has 5 btc and 100 usdt` replaces the default funds. */
function fundsRows(row: StoryRow): StoryRow[] {
  const match = /^([a-z]+) has (nothing|.+)$/.exec(row.action);
  if (match === null)
    throw new Error(`line ${row.line}: '${row.action}' does not read: NAME has AMOUNT ASSET`);
  if (match[2] === 'nothing') return [];
  return match[2].split(' and ').map((part) => ({
    ...row,
    action: `${match[1]} deposits ${part}`,
  }));
}

function defaultFunds(name: string, symbols: ReadonlySet<string>): string[] {
  return [...symbols].map((symbol) => {
    const amount = symbol === 'usdt' ? DEFAULT_FUNDS.quote : DEFAULT_FUNDS.base;
    return `${name} deposits ${amount} ${symbol}`;
  });
}

/** Sends the drawn orders from top to bottom and, within a row, from left to right. */
function drawBefore(compiling: Compiling, scenario: Scenario): void {
  for (const book of scenario.before) {
    const market = book.market === '' ? '' : ` ${book.market}`;
    for (const row of book.rows) {
      for (const [verb, orders] of [['buys', row.bids] as const, ['sells', row.asks] as const]) {
        for (const { label, size } of orders) {
          const action = `${nameOfLabel(label)} ${verb} ${size}${market} at ${row.price}`;
          compiling.stage.drawnLabel = label;
          joinRow(compiling, { line: book.line, action, outcomes: [] });
        }
      }
    }
  }
  compiling.stage.drawnLabel = undefined;
}

/** Adds to the frame being built, like `and` in a story. */
function joinRow(compiling: Compiling, row: StoryRow): void {
  addRow(compiling, { ...row, action: `and ${row.action}` });
}

function addRow(compiling: Compiling, row: StoryRow): void {
  try {
    const joins = row.action.startsWith('and ');
    if (!joins) closeFrame(compiling);
    const action = joins ? row.action.slice('and '.length) : row.action;
    const times = /^(\d+) times: (.*)$/.exec(action);
    if (times !== null) {
      for (let n = 1; n <= Number(times[1]); n += 1) {
        const outcomes = row.outcomes.map((outcome) => counted(outcome, n));
        addAction(compiling, { ...row, outcomes }, counted(times[2], n));
      }
    } else {
      addAction(compiling, { ...row, outcomes: row.outcomes.flatMap(repeated) }, action);
    }
  } catch (error) {
    throw new Error(`line ${row.line}: ${(error as Error).message}`, { cause: error });
  }
}

/** `#` is the count of a repetition; `{100+#}` and `{100-#}` count from a number. */
function counted(text: string, n: number): string {
  return text
    .replaceAll(/\{(\d+)([+-])#\}/g, (_, from: string, sign: string) =>
      String(sign === '+' ? Number(from) + n : Number(from) - n),
    )
    .replaceAll('#', String(n));
}

/** `3 times: b# filled; …` stands for three rounds of its sentences. */
function repeated(outcome: string): string[] {
  const match = /^(\d+) times: (.*)$/.exec(outcome);
  if (match === null) return [outcome];
  const sentences = match[2].split(/; */);
  return Array.from({ length: Number(match[1]) }, (_, index) =>
    sentences.map((sentence) => counted(sentence, index + 1)),
  ).flat();
}

function addAction(compiling: Compiling, row: StoryRow, action: string): void {
  const { stage } = compiling;
  const time = /^time passes (\S+)$/.exec(action);
  const passes = time !== null || action === 'next frame' || action === 'the exchange restarts';
  if (passes) {
    if (compiling.expectations.length > 0) throw new Error('a frame starts only once');
    if (time !== null) stage.timeMs += durationMsOf(time[1]);
    compiling.restartFirst = action === 'the exchange restarts';
    compiling.expectations.push(row);
  } else if (action === 'again') {
    if (stage.lastCommand === undefined) throw new Error("'again' needs a command before it");
    addCommand(compiling, row, { command: stage.lastCommand });
  } else addSentence(compiling, row, action);
}

function addSentence(compiling: Compiling, row: StoryRow, text: string): void {
  const { stage } = compiling;
  const isPoisoned = text.endsWith(' (poisoned)');
  const meaning = meaningOf(stage, text.replace(/ \(poisoned\)$/, ''));
  const refused = row.outcomes.some((outcome) => outcome.startsWith('refused: '));
  if (!refused && !isPoisoned) meaning.onAccepted?.();
  if (
    'channel' in meaning.command &&
    !row.outcomes.some((text) => /^refused: channel_/.test(text))
  ) {
    stage.channels.set(meaning.command.channel, meaning.command.channelSequence);
  }
  if (isPoisoned) {
    stage.lastPoisoned = stage.commands + 1;
    compiling.poisoned.add(stage.lastPoisoned);
  }
  addCommand(compiling, row, meaning);
}

function addCommand(compiling: Compiling, row: StoryRow, { command }: Meaning): void {
  if (compiling.expectations.length === 0) {
    compiling.expectations.push({
      ...row,
      action: `start of the frame of: ${row.action}`,
      outcomes: [],
    });
  }
  compiling.commands.push(command);
  compiling.expectations.push(row);
  compiling.stage.commands += 1;
  compiling.stage.lastCommand = command;
}

function meaningOf(stage: Stage, text: string): Meaning {
  for (const { pattern, meaning } of SENTENCES) {
    const match = pattern.exec(text);
    if (match !== null) return meaning(stage, match.groups ?? {});
  }
  throw new Error(`no sentence matches '${text}'`);
}

function closeFrame(compiling: Compiling): void {
  if (compiling.expectations.length === 0) return;
  const { commands, expectations, poisoned, restartFirst, sequence } = compiling;
  const frame: CommandFrame = {
    sequence,
    epoch: 1,
    timeMs: compiling.stage.timeMs as TimeMs,
    previousHash: new Uint8Array(FRAME_HASH_BYTES),
    commands,
  };
  compiling.done.push({ frame, poisoned, restartFirst, expectations });
  compiling.commands = [];
  compiling.expectations = [];
  compiling.poisoned = new Set();
  compiling.restartFirst = false;
  compiling.sequence += 1;
}
