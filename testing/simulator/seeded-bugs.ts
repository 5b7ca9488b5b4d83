// Bugs in the engine, the sequencer and the log, each created by one edit of the sources. Every bug
// must be detected, either by the simulator or by one test. If the simulator misses its bug, its
// schedules do not cover enough.

import type { Fault } from '../drills/mutations/fault.ts';

export type SeededBug = Fault & {
  /** Test that detects the bug; without it, the simulator must. */
  readonly test?: string;
  /** The simulator runs only schedules with this part; see `--with`. */
  readonly part?: string;
  /** The simulator starts at this schedule, because few find the bug; by default at the first. */
  readonly seed?: number;
};

const RULES_2 = 'testing/properties/rules-version-2.test.ts';

export const SEEDED_BUGS: readonly SeededBug[] = [
  {
    name: 'results are published before the acknowledgment',
    file: 'services/sequencer/leader.ts',
    in: 'Leader.#makeFrame',
    replace: [
      'append(message);',
      `append(message);
    for (const told of this.#resultsOf(this.#made[this.#made.length - 1])) {
      const { message, sender, source } = told;
      this.#options.bus.publish(this.#options.subjects.resultsFor(sender, source), message);
    }`,
    ],
  },
  {
    name: 'a writer treats a conflict as an acknowledgment',
    file: 'infra/journal/log-writer.ts',
    in: 'LogWriter.#settle',
    replace: ["=== 'stored'", "!== 'unknown'"],
  },
  {
    name: 'a reconciling writer accepts any message at its position as its own',
    file: 'infra/journal/log-writer.ts',
    in: 'LogWriter.#compare',
    replace: ['equalBytes(message, this.#pending[0].message)', 'message.length > 0'],
  },
  {
    name: 'the log accepts a message at any position',
    file: 'infra/journal/memory-log.ts',
    in: 'MemoryLog.#decide',
    drop: 'sequence',
  },
  {
    name: 'a snapshot omits the command IDs',
    file: 'core/engine/snapshot.ts',
    in: 'snapshotChunks',
    replace: ['yield* writeWindow(writer, exchange)', 'writer.integer(0)'],
  },
  {
    name: 'a command that was sent but not answered is reported as not taken',
    file: 'infra/command-link/command-client.ts',
    in: 'CommandClient.#abandon.isOpen',
    value: 'pending.isUncertain',
  },
  {
    name: 'a rejection is reported as final although an earlier copy might have been accepted',
    file: 'infra/command-link/command-client.ts',
    in: 'CommandClient.#makeUncertain',
    drop: 'batch',
  },
  {
    name: 'a retry of any age is accepted',
    file: 'services/sequencer/intake.ts',
    in: 'Intake.offer',
    remove: `if (last > batch.floor + memory.commandWindow) return 'too_old';
      if (batch.floor < memory.forgottenThrough) return 'too_old';`,
    part: 'floods',
  },
  {
    name: 'a rejected batch is accepted when it arrives again',
    seed: 291,
    file: 'services/sequencer/leader.ts',
    in: 'Leader.#onBatch',
    drop: 'isNew',
  },
  {
    name: 'a rejected batch of events is treated as stored',
    seed: 63,
    file: 'infra/journal/event-writer.ts',
    in: 'EventWriter.#send',
    replace: ["=== 'stored'", "!== 'unknown'"],
  },
  {
    name: 'a torn frame is applied',
    file: 'infra/journal/sealed-frame.ts',
    in: 'openSealedFrame',
    replace: ['equalBytes(frameHash, message.subarray(frame.length))', 'frame.length > 0'],
  },
  {
    name: 'a repeated command is answered as if it were new',
    file: 'services/sequencer/frame-results.ts',
    in: 'applyException',
    drop: 'command',
  },
  {
    name: 'a batch is rejected as busy but still queued',
    file: 'services/sequencer/intake.ts',
    in: 'Intake.offer',
    replace: ['length; return', "length; return this.#commands > 30 ? 'busy' :"],
  },
  {
    name: 'a leader that gets no response from the log is not replaced while it sends heartbeats',
    file: 'services/sequencer/sequencer.ts',
    in: 'Sequencer.#tick',
    replace: ['- this.#leaderProvenMs > delayMs', '< 0'],
    part: 'leaderCutFromLogs',
  },
  {
    name: 'the heartbeats of a leader stop while it applies a frame',
    file: 'services/sequencer/heartbeat-repeater.ts',
    in: 'HeartbeatRepeater.#repeatLater',
    drop: 'after',
    part: 'slowFrame',
  },
  {
    name: 'a hung leader never stops sending heartbeats',
    file: 'services/sequencer/heartbeat-repeater.ts',
    in: 'HeartbeatRepeater.#repeat',
    drop: 'elapsedMs',
    part: 'leaderHung',
  },
  {
    name: 'a leader whose messages reach no other process keeps leading',
    file: 'services/sequencer/vital-signs.ts',
    in: 'VitalSigns.beat',
    replace: [', this.#resumedMs', ', nowMs'],
    part: 'leaderUnheard',
  },
  {
    name: 'a sequencer mistakes the heartbeats of a namesake for its own',
    file: 'services/sequencer/sequencer.ts',
    in: 'Sequencer.#onLeaderHeartbeat',
    replace: ['.writer === this.#options.writer', '.instance === this.#options.instance'],
  },
  {
    name: 'a leader reports that it is ready while the log is dead',
    file: 'services/sequencer/leader.ts',
    in: 'Leader.isServing',
    returns: "this.#state === 'leading'",
    part: 'logOutage',
  },
  {
    name: "frames have the machine's time",
    seed: 33,
    file: 'services/sequencer/frame-clock.ts',
    in: 'FrameClock.nowMs',
    returns: 'this.#options.clock.nowMs()',
  },
  {
    name: "an epoch starts at the machine's time",
    seed: 33,
    file: 'services/sequencer/frame-clock.ts',
    in: 'FrameClock.constructor',
    replace: ['Math.min(agreedMs, latestMs)', 'clock.nowMs()'],
  },
  {
    name: 'time stops while a clock is behind the last frame',
    seed: 33,
    file: 'services/sequencer/frame-clock.ts',
    in: 'FrameClock.#advance',
    replace: ['this.#timeMs + passedMs', 'Math.max(this.#timeMs, clock.nowMs())'],
  },
  {
    name: 'the latest of all clocks sets the time',
    file: 'services/sequencer/clock-comparison.ts',
    in: 'ClockComparison.agreedMs',
    replace: [
      '(offsets.length - 1) >> 1, offsets.length >>',
      'offsets.length - 1, offsets.length -',
    ],
  },
  {
    name: 'a new leader does not continue the EVENTS log',
    file: 'services/sequencer/leader.ts',
    in: 'Leader.constructor',
    drop: 'push',
  },
  {
    name: 'takers pay the maker fee',
    file: 'core/engine/match-listener.ts',
    in: 'settle',
    replace: ['takerFeePpm', 'makerFeePpm'],
  },
  {
    name: "a voided command changes its market's status without an event",
    file: 'core/engine/poison.ts',
    in: 'voidCommand',
    replace: ["changeStatus(exchange, market, 'cancel-only')", "market.status = 'cancel-only'"],
  },
  {
    name: "a dead man's switch is armed for too short a time",
    file: 'core/engine/set-dead-man-switch.ts',
    in: 'setDeadManSwitch',
    replace: ['+ timeoutMs', '+ timeoutMs - 1'],
  },
  {
    name: 'a client order id can be used again while its order is open',
    file: 'core/engine/client-order-ids.ts',
    in: 'ClientOrderIds.find',
    replace: ['hasPacked(entry)', 'hasPacked(entry) && entry > 3'],
  },
  {
    name: 'an auction prefers the price with the larger surplus',
    file: 'core/money/auction-price.ts',
    in: 'isBetter',
    replace: ['< otherSurplus', '> otherSurplus'],
    part: 'auctions',
  },
  {
    name: 'the newer order is the maker in an auction',
    file: 'core/matching/books.ts',
    in: 'Books.uncross.isBuyOlder',
    replace: ['<', '>'],
    part: 'auctions',
  },
  {
    name: 'a snapshot omits the price of an uncrossing',
    seed: 619,
    file: 'core/engine/snapshot.ts',
    in: 'writeAuction',
    replace: ['market.auctionTicks', '0'],
    part: 'auctions',
  },
  {
    name: 'a market opens with a crossed book if its uncrossing takes more than one frame',
    file: 'core/engine/uncross.ts',
    in: 'uncross',
    replace: ['isDone', "isDone) changeStatus(exchange, market, 'full'); if (!result.isDone"],
    part: 'auctions',
  },
  {
    name: "the duration of an outage counts against dead man's switches",
    file: 'services/sequencer/leader.ts',
    in: 'Leader.#makeFrame',
    remove: ', ...(pausedMs > 0 ? { pausedMs } : undefined)',
    test: 'services/sequencer/sequencer-takeover.test.ts',
  },
  {
    name: 'the engine does not extend deadlines after a pause',
    file: 'core/engine/set-dead-man-switch.ts',
    in: 'postponeSwitches',
    replace: ['exchange.rulesVersion < 2 || pausedMs ===', 'pausedMs >='],
    test: RULES_2,
  },
  {
    name: 'a switch fires although its own frame arms it again',
    file: 'core/engine/set-dead-man-switch.ts',
    in: 'dueSwitches',
    replace: ['< 2', '> 0'],
    test: RULES_2,
  },
  {
    name: 'state hashes are disabled',
    file: 'services/sequencer/state-hashes.ts',
    in: 'StateHashes.after',
    replace: ['% this.#everyFrames !==', '>'],
    test: 'services/sequencer/state-hashes.test.ts',
  },
  {
    name: 'a standby does not compare anything with its leader',
    file: 'services/sequencer/leader-comparison.ts',
    in: 'LeaderComparison.#compare',
    replace: ['heartbeat === undefined', 'heartbeat === undefined || heartbeat.epoch > 0'],
    part: 'careless',
  },
  {
    name: 'a release follows rules of a later release',
    file: 'core/engine/rules-version.ts',
    in: 'requireRunnableFrame',
    replace: ['RULES_VERSION_MAX', '99'],
    part: 'next',
  },
  {
    name: 'a leader logs rules that it cannot run',
    file: 'services/sequencer/intake.ts',
    in: 'isRunnable',
    replace: ['RULES_VERSION_MAX', '99'],
    part: 'next',
  },
  {
    name: 'a snapshot with rules of a later release is restored',
    file: 'core/engine/restore.ts',
    in: 'restoring',
    drop: 'requireRunnable',
    test: 'core/engine/rules-version.test.ts',
  },
  {
    name: 'the log is trimmed before the verified snapshot',
    file: 'services/archivist/trim-limit.ts',
    in: 'trimLimit',
    remove: "{ frame: snapshotFrame - rules.marginFrames, heldBy: 'snapshot' },",
    test: 'services/archivist/trim-limit.test.ts',
  },
  {
    name: 'the log is trimmed without reading the archive copies back',
    file: 'services/archivist/trimmer.ts',
    in: 'Trimmer.#limit',
    drop: 'verify',
    test: 'services/archivist/trimmer.test.ts',
  },
  {
    name: "other users' orders make the engine forget a user's client order IDs",
    file: 'core/engine/client-order-ids.ts',
    in: 'ClientOrderIds.#mostDispensable',
    replace: ['!this.isFair', 'this.#window > 0'],
    test: RULES_2,
  },
  {
    name: 'a widened command window remembers forgotten commands',
    file: 'core/engine/command-window.ts',
    in: 'CommandWindow.forgottenThrough',
    returns: '0',
    test: 'services/sequencer/intake.test.ts',
  },
  {
    name: 'a band without a reference price does not limit the first sweep',
    file: 'core/engine/configure-market.ts',
    in: 'setPriceBand',
    replace: ['> 0 &&', '< 0 &&'],
    test: RULES_2,
  },
  {
    name: 'a group consumes the reserve of orders',
    file: 'core/engine/place-order.ts',
    in: 'isReserved',
    replace: ['< 2', '> 0'],
    test: RULES_2,
  },
  {
    name: 'the fills in one step of stops are not limited',
    file: 'core/engine/match-incoming.ts',
    in: 'activateStops',
    drop: 'rulesVersion',
    test: 'testing/scenarios/scenarios.test.ts',
  },
  {
    name: 'a resent command that is in progress is logged again',
    file: 'services/sequencer/intake.ts',
    in: 'Intake.#withoutCopies',
    replace: ['!inWork.has(number)', 'number > 0'],
    test: 'services/sequencer/intake.test.ts',
  },
];
