// Runs one compiled scenario on one exchange and checks all its statements. After every
// frame it also checks that each asset sums to zero and that no account is below zero.

import {
  type Event,
  type EventFrame,
  EXTERNAL_OWNER,
  FEES_OWNER,
} from '../../core/messages/index.ts';
import {
  type CommandNumber,
  decimalFromAtoms,
  decimalFromLots,
  decimalFromTicks,
  type Lots,
  type Ticks,
} from '../../core/money/index.ts';
import { nameOf, userOf } from './cast.ts';
import type { CompiledScenario, Expectation, Step } from './compile-scenario.ts';
import { type BookRow, drawBook, sideBySide } from './drawn-book.ts';
import { assetById, labelOf, placedSentence, sentenceOf } from './event-sentence.ts';
import type { Scenario, StatedBook } from './parse-scenario.ts';
import { assetOf, DEFAULT_MARKET, marketOf, type Stage, type StagedMarket } from './stage.ts';
import type { Venue, VenueAccount, VenueLevel } from './venues.ts';

/** Events that the setup must not cause. */
const NOT_IN_SET_UP: ReadonlySet<Event['kind']> = new Set([
  'CommandRefused',
  'CommandRepeated',
  'TradeExecuted',
  'OrderTriggered',
  'OrderClosed',
  'CommandPoisoned',
]);

/** Returns the events of all frames, to compare two exchanges word for word. */
export function runScenario(
  scenario: Scenario,
  { stage, setUp, steps }: CompiledScenario,
  venue: Venue,
): EventFrame[] {
  const frames: EventFrame[] = [];
  const apply = (step: Step): EventFrame => {
    if (step.restartFirst) venue.restart();
    const frame = venue.apply(step.frame, step.poisoned);
    frames.push(frame);
    checkMoney(stage, venue, step.expectations.at(-1)!);
    return frame;
  };
  for (const step of setUp) {
    const unwanted = apply(step).events.filter((event) => NOT_IN_SET_UP.has(event.kind));
    const sentences = unwanted.map((event) => sentenceOf(stage, event));
    if (sentences.length > 0)
      fail(step.expectations.at(-1)!, `the setup causes events: ${sentences}`);
  }
  for (const book of scenario.before) checkBook(stage, venue, book);
  for (const step of steps) checkOutcomes(stage, step, apply(step));
  for (const book of [...scenario.after, ...undrawnBooks(scenario, stage)]) {
    checkBook(stage, venue, book);
  }
  checkBalances(scenario, stage, venue);
  return frames;
}

function checkOutcomes(stage: Stage, step: Step, frame: EventFrame): void {
  const eventsOf = Map.groupBy(frame.events, (event) => event.command);
  for (const [index, expectation] of step.expectations.entries()) {
    const command = index === 0 ? 0 : frame.firstCommand + index - 1;
    const events = eventsOf.get(command as CommandNumber) ?? [];
    const expected = expectation.outcomes;
    const actual = events.flatMap((event) => {
      const sentence =
        event.kind === 'OrderPlaced' && expected.some((outcome) => / placed at /.test(outcome))
          ? placedSentence(stage, event)
          : sentenceOf(stage, event);
      return sentence === undefined ? [] : [sentence];
    });
    if (expected.join('\n') !== actual.join('\n')) {
      fail(
        expectation,
        `the events differ (left: stated, right: actual)\n${sideBySide(expected, actual)}`,
      );
    }
  }
}

function checkMoney(stage: Stage, venue: Venue, at: Expectation): void {
  const sums = new Map<number, bigint>();
  for (const { owner, asset, availableAtoms, heldAtoms } of venue.accounts()) {
    sums.set(asset, (sums.get(asset) ?? 0n) + availableAtoms + heldAtoms);
    if (heldAtoms < 0n || (owner !== EXTERNAL_OWNER && availableAtoms < 0n)) {
      fail(at, `${ownerText(owner)} is below zero in asset ${asset}`);
    }
  }
  for (const [asset, sum] of sums) {
    if (sum !== 0n) fail(at, `${assetById(stage, asset).symbol} sums to ${sum} atoms, not 0`);
  }
}

/** A market that is not drawn must be empty. */
function undrawnBooks(scenario: Scenario, stage: Stage): StatedBook[] {
  const { line } = scenario;
  return [...stage.markets.keys()]
    .filter((market) => market !== DEFAULT_MARKET)
    .filter((market) => !scenario.after.some((book) => book.market === market))
    .map((market) => ({ line, market, rows: [], stops: [], saidEmpty: true }));
}

function checkBook(stage: Stage, venue: Venue, stated: StatedBook): void {
  const market = marketOf(stage, stated.market === '' ? undefined : stated.market);
  const book = venue.book(market.id);
  const actualRows = [
    ...book.asks.map((level) => rowOf(stage, market, { level, side: 'asks' })).reverse(),
    ...book.bids.map((level) => rowOf(stage, market, { level, side: 'bids' })),
  ];
  const actualStops = book.stops.map(({ order, side, stopTicks, ready }) => {
    const price = decimalFromTicks(stopTicks as Ticks, market.tick);
    return `stop ${labelOf(stage, order)} ${side}s at ${price}${ready ? ', ready' : ''}`;
  });
  const expected = drawBook(stated.rows, stated.stops);
  const actual = drawBook(actualRows, actualStops);
  if (expected.join('\n') !== actual.join('\n')) {
    throw new Error(`line ${stated.line}: the book differs\n${sideBySide(expected, actual)}`);
  }
}

function rowOf(
  stage: Stage,
  market: StagedMarket,
  { level, side }: { level: VenueLevel; side: 'bids' | 'asks' },
): BookRow {
  const orders = level.orders.map(({ order, user, remainingLots }) => {
    const label = labelOf(stage, order);
    const owner = label[0] === nameOf(user)[0] ? '' : ` of ${nameOf(user)}`;
    return { label: `${label}${owner}`, size: decimalFromLots(remainingLots as Lots, market.lot) };
  });
  const price = decimalFromTicks(level.priceTicks as Ticks, market.tick);
  return { price, bids: [], asks: [], [side]: orders };
}

function checkBalances(scenario: Scenario, stage: Stage, venue: Venue): void {
  const accounts = venue.accounts();
  for (const { line, owner, asset: symbol, available, held } of scenario.balances) {
    const asset = assetOf(stage, symbol);
    const account = accounts.find(
      (candidate) => candidate.owner === ownerOf(owner) && candidate.asset === asset.id,
    );
    const text = (atoms: VenueAccount['heldAtoms']) =>
      decimalFromAtoms(atoms as never, asset.scale);
    const actual = [text(account?.availableAtoms ?? 0n), text(account?.heldAtoms ?? 0n)];
    const expected = [available, held].map((amount) => amount.replaceAll(',', ''));
    if (actual.join() !== expected.join()) {
      const lines = [expected, actual].map(([free, bound]) => [
        `available ${free}`,
        `held ${bound}`,
      ]);
      throw new Error(
        `line ${line}: ${owner} ${symbol} differs\n${sideBySide(lines[0], lines[1])}`,
      );
    }
  }
}

function ownerOf(name: string): number {
  if (name === 'external') return EXTERNAL_OWNER;
  return name === 'fees' ? FEES_OWNER : userOf(name);
}

function ownerText(owner: number): string {
  if (owner === EXTERNAL_OWNER) return 'external';
  return owner === FEES_OWNER ? 'fees' : nameOf(owner);
}

function fail({ line, action }: Expectation, what: string): never {
  throw new Error(`line ${line}: ${action}: ${what}`);
}
