// Bugs of the engine, the sequencer and the log, each made by one edit of the sources. Every one of
// them must be found: by the simulator, or its schedules do not cover enough, or by one test.

import type { Fault } from '../drills/mutations/fault.ts';

export interface SeededBug extends Fault {
  /** The test that finds it; otherwise the simulator must. */
  readonly test?: string;
  /** The simulator needs only schedules with this; see `--with`. */
  readonly part?: string;
}

const RULES_2 = 'testing/properties/rules-version-2.test.ts';

export const SEEDED_BUGS: readonly SeededBug[] = [
  {
    name: 'results are published before the acknowledgement',
    file: 'services/sequencer/leader.ts',
    find: 'this.#writer.append(message);',
    replace: `this.#writer.append(message);
    for (const told of this.#resultsOf(this.#made[this.#made.length - 1])) {
      const { message, sender, source } = told;
      this.#options.bus.publish(this.#options.subjects.resultsFor(sender, source), message);
    }`,
  },
  {
    name: 'a writer treats a conflict as an acknowledgement',
    file: 'infra/journal/log-writer.ts',
    find: "if (outcome === 'stored') {",
    replace: "if (outcome !== 'unknown') {",
  },
  {
    name: 'a reconciling writer accepts any message in its place as its own',
    file: 'infra/journal/log-writer.ts',
    find: 'else if (equalBytes(message, this.#pending[0].message)) this.#release();',
    replace: 'else if (message.length > 0) this.#release();',
  },
  {
    name: 'the log accepts a message at any position',
    file: 'infra/journal/memory-log.ts',
    find: "if (sequence !== this.last + 1) return 'conflict';",
    replace: '',
  },
  {
    name: 'a snapshot forgets the command ids',
    file: 'core/engine/snapshot.ts',
    find: '  yield* writeWindow(writer, exchange);',
    replace: '  writer.integer(0);',
  },
  {
    name: 'a command that was sent and not answered is reported as not taken',
    file: 'infra/command-link/command-client.ts',
    find: 'const isOpen = pending.isUncertain || pending.batch !== 0;',
    replace: 'const isOpen = pending.isUncertain;',
  },
  {
    name: 'a refusal is certain although an earlier copy may have been accepted',
    file: 'infra/command-link/command-client.ts',
    find: 'if (pending.batch !== 0) pending.isUncertain = true;',
    replace: '',
  },
  {
    name: 'a retry of any age is accepted',
    file: 'services/sequencer/intake.ts',
    find: `if (last > batch.floor + memory.commandWindow) return 'too_old';
    // A window that was widened has not been that wide since the floor.
    if (batch.floor < memory.forgottenThrough) return 'too_old';`,
    replace: '',
    part: 'floods',
  },
  {
    name: 'a refused batch is accepted when it arrives again',
    file: 'services/sequencer/leader.ts',
    find: 'if (!this.#seen.isNew(batch)) return;',
    replace: '',
  },
  {
    name: 'a refused batch of events is treated as stored',
    file: 'infra/journal/event-writer.ts',
    find: "if (outcome === 'stored') this.#moveTo(",
    replace: "if (outcome !== 'unknown') this.#moveTo(",
  },
  {
    name: 'a torn frame is applied',
    file: 'infra/journal/sealed-frame.ts',
    find: 'return equalBytes(frameHash, message.subarray(frame.length)) ?',
    replace: 'return frame.length > 0 ?',
  },
  {
    name: 'a repeated command is answered as if it were new',
    file: 'services/sequencer/frame-results.ts',
    find: 'row.command = exception.original;',
    replace: '',
  },
  {
    name: 'a batch is refused as busy and queued nevertheless',
    file: 'services/sequencer/intake.ts',
    find: `    this.#bytes += queued.records.bytes.length;
    return undefined;`,
    replace: `    this.#bytes += queued.records.bytes.length;
    return this.#commands > 30 ? 'busy' : undefined;`,
  },
  {
    name: 'a leader whom the log does not answer is not replaced while it sends heartbeats',
    file: 'services/sequencer/sequencer.ts',
    find: 'else if (nowMs - this.#leaderProvenMs > delayMs) ',
    replace: 'else if (nowMs < 0) ',
    part: 'leaderCutFromLogs',
  },
  {
    name: 'the heartbeats of a leader stop while it applies a frame',
    file: 'services/sequencer/heartbeat-repeater.ts',
    find: 'this.#timer = clock.after(1.5 * heartbeatMs, () => this.#repeat());',
    replace: '',
    part: 'slowFrame',
  },
  {
    name: 'a hung leader sends heartbeats for ever',
    file: 'services/sequencer/heartbeat-repeater.ts',
    find: 'if (clock.elapsedMs() - atMs > frameMsMax) return;',
    replace: '',
    part: 'leaderHung',
  },
  {
    name: 'a leader that nobody hears goes on',
    file: 'services/sequencer/vital-signs.ts',
    find: 'return !this.#echo.isLost(this.unacknowledgedMs, this.#resumedMs);',
    replace: 'return !this.#echo.isLost(this.unacknowledgedMs, nowMs);',
    part: 'leaderUnheard',
  },
  {
    name: 'a sequencer takes the heartbeats of a namesake for its own',
    file: 'services/sequencer/sequencer.ts',
    find: `heartbeat.writer === this.#options.writer) return;
    this.#heardClock(heartbeat);
    if (this.#leader !== undefined) {`,
    replace: `heartbeat.instance === this.#options.instance) return;
    this.#heardClock(heartbeat);
    if (this.#leader !== undefined) {`,
  },
  {
    name: 'a leader reports that it is ready while the log is dead',
    file: 'services/sequencer/leader.ts',
    find: ' && !this.#writer.isReconciling && !this.#vitals.isLogSilent;',
    replace: ';',
    part: 'logOutage',
  },
  {
    name: 'frames have the time of the machine',
    file: 'services/sequencer/frame-clock.ts',
    find: 'return Math.floor(this.#advance());',
    replace: 'return this.#options.clock.nowMs();',
  },
  {
    name: 'an epoch starts at the time of the machine',
    file: 'services/sequencer/frame-clock.ts',
    find: 'this.#timeMs = Math.max(lastMs, Math.min(agreedMs, latestMs));',
    replace: 'this.#timeMs = Math.max(lastMs, clock.nowMs());',
  },
  {
    name: 'time stops while a clock is behind the last frame',
    file: 'services/sequencer/frame-clock.ts',
    find: 'const steadyMs = this.#timeMs + passedMs;',
    replace: 'const steadyMs = Math.max(this.#timeMs, clock.nowMs());',
  },
  {
    name: 'the latest of all clocks decides',
    file: 'services/sequencer/clock-comparison.ts',
    find: '[(offsets.length - 1) >> 1, offsets.length >> 1].map(',
    replace: '[offsets.length - 1, offsets.length - 1].map(',
  },
  {
    name: 'a new leader does not continue the EVENTS log',
    file: 'services/sequencer/leader.ts',
    find: 'this.#eventWriter.push(options.eventsLacking);',
    replace: '',
  },
  {
    name: 'takers pay the fee of makers',
    file: 'core/engine/match-listener.ts',
    find: 'details.takerFeePpm(taker)',
    replace: 'details.makerFeePpm(taker)',
  },
  {
    name: 'a voided command changes the status of its market without an event',
    file: 'core/engine/poison.ts',
    find: "changeStatus(exchange, market, 'cancel-only');",
    replace: "market.status = 'cancel-only';",
  },
  {
    name: "a dead man's switch is armed for too short a time",
    file: 'core/engine/set-dead-man-switch.ts',
    find: 'exchange.timeMs + timeoutMs',
    replace: 'exchange.timeMs + timeoutMs - 1',
  },
  {
    name: 'a client order id can be used again while its order is open',
    file: 'core/engine/client-order-ids.ts',
    find: 'if (this.user(entry) === user && this.#hasPacked(entry)) return entry;',
    replace: 'if (this.user(entry) === user && this.#hasPacked(entry) && entry > 3) return entry;',
  },
  {
    name: 'an auction prefers the price that leaves more over',
    file: 'core/money/auction-price.ts',
    find: 'return surplus < otherSurplus;',
    replace: 'return surplus > otherSurplus;',
    part: 'auctions',
  },
  {
    name: 'the newer order is the maker in an auction',
    file: 'core/matching/books.ts',
    find: 'const isBuyOlder = orders.number(buy) < orders.number(sell);',
    replace: 'const isBuyOlder = orders.number(buy) > orders.number(sell);',
    part: 'auctions',
  },
  {
    name: 'a snapshot forgets the price of an uncrossing',
    file: 'core/engine/snapshot.ts',
    find: 'writer.number(market.auctionTicks);',
    replace: 'writer.number(0);',
    part: 'auctions',
  },
  {
    name: 'a market opens with a crossed book when its uncrossing takes more than a frame',
    file: 'core/engine/uncross.ts',
    find: '    if (!result.isDone) break;\n',
    replace:
      "    if (!result.isDone) changeStatus(exchange, market, 'full');\n" +
      '    if (!result.isDone) break;\n',
    part: 'auctions',
  },
  {
    name: "the time of an outage counts against dead man's switches",
    file: 'services/sequencer/leader.ts',
    find: '...(pausedMs > 0 ? { pausedMs } : undefined),',
    replace: '',
    test: 'services/sequencer/sequencer-takeover.test.ts',
  },
  {
    name: 'the engine moves no deadline for a pause',
    file: 'core/engine/set-dead-man-switch.ts',
    find: 'if (exchange.rulesVersion < 2 || pausedMs === 0) return;',
    replace: 'if (pausedMs >= 0) return;',
    test: RULES_2,
  },
  {
    name: 'a switch fires although its frame arms it again',
    file: 'core/engine/set-dead-man-switch.ts',
    find: 'rulesVersion < 2 ? [] : frame.commands.filter',
    replace: 'rulesVersion > 0 ? [] : frame.commands.filter',
    test: RULES_2,
  },
  {
    name: 'hashes of the state are switched off',
    file: 'services/sequencer/state-hashes.ts',
    find: 'if (stateHash === undefined || sequence % this.#everyFrames !== 0) return;',
    replace: 'if (stateHash === undefined || sequence > 0) return;',
    test: 'services/sequencer/state-hashes.test.ts',
  },
  {
    name: 'a standby compares nothing with its leader',
    file: 'services/sequencer/leader-comparison.ts',
    find: 'if (heartbeat === undefined) return undefined;',
    replace: 'if (heartbeat === undefined || heartbeat.epoch > 0) return undefined;',
    part: 'careless',
  },
  {
    name: 'a release follows rules of a later one',
    file: 'core/engine/rules-version.ts',
    find: "command.kind === 'SetRulesVersion' && command.version > RULES_VERSION_MAX",
    replace: "command.kind === 'SetRulesVersion' && command.version > 99",
    part: 'next',
  },
  {
    name: 'a leader logs rules that it cannot run',
    file: 'services/sequencer/intake.ts',
    find: "command.kind !== 'SetRulesVersion' || command.version <= RULES_VERSION_MAX",
    replace: "command.kind !== 'SetRulesVersion' || command.version <= 99",
    part: 'next',
  },
  {
    name: 'a snapshot with rules of a later release is restored',
    file: 'core/engine/restore.ts',
    find: '  requireRunnable(rulesVersion);\n',
    replace: '',
    test: 'core/engine/rules-version.test.ts',
  },
  {
    name: 'the log is trimmed before the verified snapshot',
    file: 'services/archivist/trim-limit.ts',
    find: "{ frame: snapshotFrame - rules.marginFrames, heldBy: 'snapshot' },",
    replace: '',
    test: 'services/archivist/trim-limit.test.ts',
  },
  {
    name: 'the log is trimmed without reading the archive copies back',
    file: 'services/archivist/trimmer.ts',
    find: 'if (limit.frame >= from) await this.#verify(from, limit.frame);',
    replace: '',
    test: 'services/archivist/trimmer.test.ts',
  },
  {
    name: 'others make the engine forget the client order ids of a user',
    file: 'core/engine/client-order-ids.ts',
    find: 'if (!this.isFair) return oldest;',
    replace: 'if (this.#window > 0) return oldest;',
    test: RULES_2,
  },
  {
    name: 'a widened command window remembers what it has forgotten',
    file: 'core/engine/command-window.ts',
    find: 'return this.#size === 0 ? 0 : this.command(this.fromOldest(0)) - 1;',
    replace: 'return 0;',
    test: 'services/sequencer/intake.test.ts',
  },
  {
    name: 'a band without a reference does not bound the first sweep',
    file: 'core/engine/configure-market.ts',
    find: 'if (exchange.rulesVersion >= 2 && bandPpm > 0 && reference === 0) {',
    replace: 'if (exchange.rulesVersion >= 2 && bandPpm < 0 && reference === 0) {',
    test: RULES_2,
  },
  {
    name: 'a group takes the reserve of orders',
    file: 'core/engine/place-order.ts',
    find: 'if (rulesVersion < 2 || users.ordersOpen(user) === 0) return false;',
    replace: 'if (rulesVersion > 0 || users.ordersOpen(user) === 0) return false;',
    test: RULES_2,
  },
  {
    name: 'the fills of a step of stops are not bounded',
    file: 'core/engine/match-incoming.ts',
    find: 'if (exchange.rulesVersion >= 2 && fills >= fillsPerCommandMax) return;',
    replace: '',
    test: 'testing/scenarios/scenarios.test.ts',
  },
  {
    name: 'a resend of a command in work is logged again',
    file: 'services/sequencer/intake.ts',
    find: 'const rest = commands.filter(({ number }) => !inWork.has(number));',
    replace: 'const rest = commands.filter(({ number }) => number > 0);',
    test: 'services/sequencer/intake.test.ts',
  },
];
