// Bugs in the engine, the sequencer and the log, each created by one edit of the sources. Every bug
// must be detected, either by the simulator or by one test. If the simulator misses its bug, its
// schedules do not cover enough.

import type { Fault } from '../drills/mutations/fault.ts';

export type SeededBug = Fault & {
  /** Test that detects the bug; without it, the simulator must. */
  readonly test?: string;
  /** The simulator runs only schedules with this part; see `--with`. */
  readonly part?: string;
};

const RULES_2 = 'testing/properties/rules-version-2.test.ts';

export const SEEDED_BUGS: readonly SeededBug[] = [
  {
    name: 'results are published before the acknowledgement',
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
    name: 'a writer treats a conflict as an acknowledgement',
    file: 'infra/journal/log-writer.ts',
    in: 'LogWriter.#settle',
    replace: ["=== 'stored'", "!== 'unknown'"],
  },
  {
    name: 'a reconciling writer accepts any message in its place as its own',
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
    name: 'a snapshot forgets the command ids',
    file: 'core/engine/snapshot.ts',
    in: 'snapshotChunks',
    replace: ['yield* writeWindow(writer, exchange)', 'writer.integer(0)'],
  },
  {
    name: 'a command that was sent and not answered is reported as not taken',
    file: 'infra/command-link/command-client.ts',
    in: 'CommandClient.#abandon.isOpen',
    value: 'pending.isUncertain',
  },
  {
    name: 'a refusal is certain although an earlier copy may have been accepted',
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
    name: 'a refused batch is accepted when it arrives again',
    file: 'services/sequencer/leader.ts',
    in: 'Leader.#onBatch',
    drop: 'isNew',
  },
  {
    name: 'a refused batch of events is treated as stored',
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
    name: 'a batch is refused as busy and queued nevertheless',
    file: 'services/sequencer/intake.ts',
    in: 'Intake.offer',
    replace: ['length; return', "length; return this.#commands > 30 ? 'busy' :"],
  },
  {
    name: 'a leader whom the log does not answer is not replaced while it sends heartbeats',
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
    name: 'a hung leader sends heartbeats for ever',
    file: 'services/sequencer/heartbeat-repeater.ts',
    in: 'HeartbeatRepeater.#repeat',
    drop: 'elapsedMs',
    part: 'leaderHung',
  },
  {
    name: 'a leader that nobody hears goes on',
    file: 'services/sequencer/vital-signs.ts',
    in: 'VitalSigns.beat',
    replace: [', this.#resumedMs', ', nowMs'],
    part: 'leaderUnheard',
  },
  {
    name: 'a sequencer takes the heartbeats of a namesake for its own',
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
    name: 'frames have the time of the machine',
    file: 'services/sequencer/frame-clock.ts',
    in: 'FrameClock.nowMs',
    returns: 'this.#options.clock.nowMs()',
  },
  {
    name: 'an epoch starts at the time of the machine',
    file: 'services/sequencer/frame-clock.ts',
    in: 'FrameClock.constructor',
    replace: ['Math.min(agreedMs, latestMs)', 'clock.nowMs()'],
  },
  {
    name: 'time stops while a clock is behind the last frame',
    file: 'services/sequencer/frame-clock.ts',
    in: 'FrameClock.#advance',
    replace: ['this.#timeMs + passedMs', 'Math.max(this.#timeMs, clock.nowMs())'],
  },
  {
    name: 'the latest of all clocks decides',
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
    name: 'takers pay the fee of makers',
    file: 'core/engine/match-listener.ts',
    in: 'settle',
    replace: ['takerFeePpm', 'makerFeePpm'],
  },
  {
    name: 'a voided command changes the status of its market without an event',
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
    name: 'an auction prefers the price that leaves more over',
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
    name: 'a snapshot forgets the price of an uncrossing',
    file: 'core/engine/snapshot.ts',
    in: 'writeAuction',
    replace: ['market.auctionTicks', '0'],
    part: 'auctions',
  },
  {
    name: 'a market opens with a crossed book when its uncrossing takes more than a frame',
    file: 'core/engine/uncross.ts',
    in: 'uncross',
    replace: ['isDone', "isDone) changeStatus(exchange, market, 'full'); if (!result.isDone"],
    part: 'auctions',
  },
  {
    name: "the time of an outage counts against dead man's switches",
    file: 'services/sequencer/leader.ts',
    in: 'Leader.#makeFrame',
    remove: ', ...(pausedMs > 0 ? { pausedMs } : undefined)',
    test: 'services/sequencer/sequencer-takeover.test.ts',
  },
  {
    name: 'the engine moves no deadline for a pause',
    file: 'core/engine/set-dead-man-switch.ts',
    in: 'postponeSwitches',
    replace: ['exchange.rulesVersion < 2 || pausedMs ===', 'pausedMs >='],
    test: RULES_2,
  },
  {
    name: 'a switch fires although its frame arms it again',
    file: 'core/engine/set-dead-man-switch.ts',
    in: 'dueSwitches',
    replace: ['< 2', '> 0'],
    test: RULES_2,
  },
  {
    name: 'hashes of the state are switched off',
    file: 'services/sequencer/state-hashes.ts',
    in: 'StateHashes.after',
    replace: ['% this.#everyFrames !==', '>'],
    test: 'services/sequencer/state-hashes.test.ts',
  },
  {
    name: 'a standby compares nothing with its leader',
    file: 'services/sequencer/leader-comparison.ts',
    in: 'LeaderComparison.#compare',
    replace: ['heartbeat === undefined', 'heartbeat === undefined || heartbeat.epoch > 0'],
    part: 'careless',
  },
  {
    name: 'a release follows rules of a later one',
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
    name: 'others make the engine forget the client order ids of a user',
    file: 'core/engine/client-order-ids.ts',
    in: 'ClientOrderIds.#mostDispensable',
    replace: ['!this.isFair', 'this.#window > 0'],
    test: RULES_2,
  },
  {
    name: 'a widened command window remembers what it has forgotten',
    file: 'core/engine/command-window.ts',
    in: 'CommandWindow.forgottenThrough',
    returns: '0',
    test: 'services/sequencer/intake.test.ts',
  },
  {
    name: 'a band without a reference does not bound the first sweep',
    file: 'core/engine/configure-market.ts',
    in: 'setPriceBand',
    replace: ['> 0 &&', '< 0 &&'],
    test: RULES_2,
  },
  {
    name: 'a group takes the reserve of orders',
    file: 'core/engine/place-order.ts',
    in: 'isReserved',
    replace: ['< 2', '> 0'],
    test: RULES_2,
  },
  {
    name: 'the fills of a step of stops are not bounded',
    file: 'core/engine/match-incoming.ts',
    in: 'activateStops',
    drop: 'rulesVersion',
    test: 'testing/scenarios/scenarios.test.ts',
  },
  {
    name: 'a resend of a command in work is logged again',
    file: 'services/sequencer/intake.ts',
    in: 'Intake.#withoutCopies',
    replace: ['!inWork.has(number)', 'number > 0'],
    test: 'services/sequencer/intake.test.ts',
  },
];
