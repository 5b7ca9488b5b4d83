// Bugs on the path between a command and its answer, each made by one edit of the sources. The
// simulator must find every one of them, or its schedules do not cover enough.

import type { Fault } from '../drills/mutations/fault.ts';

export const SEEDED_BUGS: readonly Fault[] = [
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
  },
  {
    name: 'the heartbeats of a leader stop while it applies a frame',
    file: 'services/sequencer/heartbeat-repeater.ts',
    find: 'this.#timer = clock.after(1.5 * heartbeatMs, () => this.#repeat());',
    replace: '',
  },
  {
    name: 'a hung leader sends heartbeats for ever',
    file: 'services/sequencer/heartbeat-repeater.ts',
    find: 'if (clock.elapsedMs() - atMs > frameMsMax) return;',
    replace: '',
  },
  {
    name: 'a leader that nobody hears goes on',
    file: 'services/sequencer/leader.ts',
    find: 'if (this.#echo.isLost(this.unacknowledgedMs, this.#resumedMs)) {',
    replace: 'if (this.#echo.isLost(this.unacknowledgedMs, nowMs)) {',
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
    find: ' && !this.#writer.isReconciling && !this.#isLogSilent;',
    replace: ';',
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
    find: 'this.#timeMs = Math.max(lastMs, clocks.agreedMs(lastMs));',
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
    find: "events.push({ kind: 'MarketStatusSet', command: cause, market: market.id, status });",
    replace: '',
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
];
