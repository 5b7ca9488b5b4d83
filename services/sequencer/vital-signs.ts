// A leader's vital signs: how long the log has not responded to it, whether its heartbeats come
// back over the bus, and whether another writer has replaced it.

import { LogEnd, type LogStream, type LogWriter } from '../../infra/journal/index.ts';
import type { Clock } from '../../infra/process/index.ts';
import { type ClockComparison, heardLog } from './clock-comparison.ts';
import { EchoWatch } from './echo-watch.ts';
import { LogProbe } from './log-probe.ts';

export interface VitalSignsOptions {
  readonly clock: Clock;
  readonly clocks: ClockComparison;
  readonly commands: LogStream;
  readonly heartbeatMs: number;
  /** A log that has not responded for this long is reported as not responding. */
  readonly takeoverAfterMs: number;
  readonly writer: Pick<LogWriter, 'pending' | 'stored' | 'unacknowledgedMs'>;
  /** Called when the log contains another writer's message. */
  onRival(reason: string): void;
  /** Called when the log no longer has frames that it acknowledged. */
  onLost(reason: string): void;
}

/** An idle leader checks the log for a rival about once per second. */
const HEARTBEATS_PER_LOG_CHECK = 10;
/** A longer gap between two heartbeats means that this process paused, not that the log is down. */
const OWN_PAUSE_HEARTBEATS = 5;
/** A leader whose heartbeats do not come back for this many takeover times yields. */
const ECHO_LOST_TAKEOVERS = 1.5;

export class VitalSigns {
  readonly #options: VitalSignsOptions;
  readonly #probe: LogProbe;
  readonly #echo: EchoWatch;
  readonly #logEnd: LogEnd;
  #heartbeats = 0;
  #beatMs = Number.NEGATIVE_INFINITY;
  /** End of this process's last pause. */
  #resumedMs = Number.NEGATIVE_INFINITY;
  #checkedMs = Number.NEGATIVE_INFINITY;
  #isStopped = false;

  constructor(options: VitalSignsOptions) {
    this.#options = options;
    const { clock, commands, takeoverAfterMs } = options;
    this.#probe = new LogProbe(commands, clock);
    this.#logEnd = new LogEnd(clock);
    this.#echo = new EchoWatch(clock, ECHO_LOST_TAKEOVERS * takeoverAfterMs);
  }

  /**
   * Age of the log's oldest unanswered request: an append, or an idle leader's check. A pause of
   * this process does not count, because responses might be queued in the socket.
   */
  get unacknowledgedMs(): number {
    const { clock, writer } = this.#options;
    const ageMs = Math.max(writer.unacknowledgedMs, this.#probe.unansweredMs);
    return Math.min(ageMs, clock.elapsedMs() - this.#resumedMs);
  }

  get isLogSilent(): boolean {
    return this.unacknowledgedMs > this.#options.takeoverAfterMs;
  }

  /** Called when one of its heartbeats has come back over the bus. */
  onOwnHeartbeat(): void {
    this.#echo.heard();
  }

  /** Called when the log has stored a frame. */
  logStored(): void {
    this.#probe.answered();
    this.#echo.logAnswered();
  }

  /** Called before each heartbeat. Returns false if the earlier ones do not come back. */
  beat(): boolean {
    const { clock, heartbeatMs } = this.#options;
    const nowMs = clock.elapsedMs();
    if (nowMs - this.#beatMs > OWN_PAUSE_HEARTBEATS * heartbeatMs) this.#resumedMs = nowMs;
    this.#beatMs = nowMs;
    return !this.#echo.isLost(this.unacknowledgedMs, this.#resumedMs);
  }

  /** Called after each heartbeat. */
  checkLog(): void {
    const isDue = ++this.#heartbeats % HEARTBEATS_PER_LOG_CHECK === 0;
    const isUnheard = this.#echo.silentMs > 2 * this.#options.heartbeatMs;
    if (isDue || isUnheard || this.#probe.unansweredMs > 0) this.checkForRival();
  }

  /**
   * Without this, a leader with nothing to append would never detect that it was replaced or that
   * the log is gone.
   */
  checkForRival(): void {
    const { clock, clocks, heartbeatMs, onLost, onRival, writer } = this.#options;
    const nowMs = clock.elapsedMs();
    if (writer.pending > 0 || nowMs - this.#checkedMs < heartbeatMs) return;
    this.#checkedMs = nowMs;
    this.#probe.ask((extent) => {
      this.#echo.logAnswered();
      heardLog(clocks, extent);
      if (this.#isStopped || writer.pending > 0) return;
      const lost = this.#logEnd.answered(extent.last, writer.stored);
      if (lost !== undefined) onLost(lost);
      else if (extent.last > writer.stored) {
        onRival(`another writer stored message ${extent.last}`);
      }
    });
  }

  stop(): void {
    this.#isStopped = true;
  }
}
