// Writes a log like a leader, but without gateways: frames with given commands, chained, sealed and
// applied, and their events. For measurements that need a long log quickly.

import {
  type Command,
  type CommandFrame,
  type EventFrame,
  encodeCommandFrame,
  FrameWriter,
} from '../../../core/messages/index.ts';
import type { TimeMs } from '../../../core/money/index.ts';
import {
  EventWriter,
  hashFrame,
  type LogStream,
  NO_EVENTS,
  sealFrame,
} from '../../../infra/journal/index.ts';
import { systemClock } from '../../../infra/process/index.ts';
import { Replica } from '../../../infra/replica/index.ts';

/** Concurrent appends: this log has no other writer, so there can be more than one. */
const UNDER_WAY_MAX = 256;
const EVENT_BYTES_WAITING_MAX = 64 * 1024 * 1024;
const RETRY_MS = 50;
const EPOCH = 1;

export class LogAuthor {
  readonly replica = Replica.create();
  readonly #commands: LogStream;
  readonly #events: EventWriter;
  readonly #writer = new FrameWriter();
  #underWay = 0;
  #failure: Error | undefined;
  #timeMs: number;
  #wake: () => void = () => {};

  constructor(logs: {
    readonly commands: LogStream;
    readonly events: LogStream;
    readonly fromMs: number;
  }) {
    this.#commands = logs.commands;
    this.#timeMs = logs.fromMs;
    this.#events = new EventWriter({
      log: logs.events,
      clock: systemClock,
      retryMs: RETRY_MS,
      gapMs: 0,
      end: NO_EVENTS,
      onStored: () => this.#wake(),
      onFault: (reason) => {
        this.#failure = new Error(reason);
        this.#wake();
      },
    });
  }

  async frame(commands: readonly Command[], passingMs: number): Promise<void> {
    this.write(commands, (this.#timeMs + passingMs) as TimeMs);
    await this.flushed();
  }

  /** Applies and appends a frame at this time. Call `flushed` before many more. */
  write(commands: readonly Command[], timeMs: TimeMs): EventFrame {
    const { replica } = this;
    this.#timeMs = timeMs;
    const frame: CommandFrame = {
      sequence: replica.sequence + 1,
      epoch: EPOCH,
      timeMs: this.#timeMs as TimeMs,
      previousHash: replica.frameHash,
      commands,
    };
    const bytes = encodeCommandFrame(this.#writer, frame);
    const frameHash = hashFrame(bytes);
    const message = sealFrame(bytes, frameHash);
    const { encoded, events } = replica.apply(frame, frameHash);
    this.#events.push(encoded.parts);
    this.#underWay++;
    this.#commands.append(frame.sequence, message, (outcome) => {
      this.#underWay--;
      if (outcome !== 'stored') this.#failure = new Error(`frame ${frame.sequence}: ${outcome}`);
      this.#wake();
    });
    return events;
  }

  /** Resolves when few enough appends are in flight. */
  async flushed(): Promise<void> {
    await this.#until(
      () => this.#underWay < UNDER_WAY_MAX && this.#events.waitingBytes < EVENT_BYTES_WAITING_MAX,
    );
  }

  /** Resolves when both logs have everything. */
  async finish(): Promise<void> {
    await this.#until(() => this.#underWay === 0 && this.#events.isIdle);
  }

  async #until(isSo: () => boolean): Promise<void> {
    while (!isSo() && this.#failure === undefined) {
      await new Promise<void>((done) => {
        this.#wake = done;
      });
    }
    if (this.#failure !== undefined) throw this.#failure;
  }
}
