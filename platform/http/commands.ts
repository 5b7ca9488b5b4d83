// Commands to the engine, and their outcomes. An unknown outcome is reported as unknown. It knows
// nothing of HTTP.

import { type Command, type Event, orderIdText, type Refusal } from '../../core/messages/index.ts';
import type { OrderNumber } from '../../core/money/index.ts';
import { type CommandClient, eventsOf, type Outcome } from '../../infra/command-link/index.ts';
import {
  type ErrorKey,
  type NotTaken,
  notTakenError,
  RETRY_AFTER_S,
  refusalError,
} from '../../protocol/index.ts';
import { type RefusalDetails, Refused } from '../../protocol/wire/index.ts';

/** accepted: with all its events, unless there were too many to send. */
export type Submitted =
  | {
      readonly kind: 'accepted';
      /** The command's number; also the number of the order that it placed, if any. */
      readonly command: number;
      readonly frame: number;
      readonly timeMs: number;
      readonly events: readonly Event[];
      readonly hasAllEvents: boolean;
    }
  | {
      readonly kind: 'refused';
      readonly refusal: Refusal;
      /** The order that already has the client order id; 0 otherwise. */
      readonly order: number;
      readonly frame: number;
    }
  /** Not applied, and never will be. */
  | { readonly kind: 'not_taken'; readonly reason: NotTaken }
  /** It may have been applied. */
  | { readonly kind: 'unknown' };

/** A command without its id, which is assigned when it is sent. */
export type CommandToSend<Kind extends Command['kind'] = Command['kind']> = Kind extends unknown
  ? Omit<Extract<Command, { kind: Kind }>, 'source' | 'number'>
  : never;

export class Commands {
  readonly #client: CommandClient;
  readonly #timeoutMs: number;

  constructor(client: CommandClient, timeoutMs: number) {
    this.#client = client;
    this.#timeoutMs = timeoutMs;
  }

  /** Whether a leader has ever been seen. */
  get hasLeader(): boolean {
    return this.#client.epoch > 0;
  }

  get pending(): number {
    return this.#client.pending;
  }

  submit(command: CommandToSend): Promise<Submitted> {
    const whole = { ...command, ...this.#client.nextId() } as Command;
    return new Promise((resolve) => {
      this.#client.send(whole, this.#timeoutMs, (outcome) => resolve(submittedOf(outcome)));
    });
  }
}

function submittedOf(outcome: Outcome): Submitted {
  if (outcome.kind !== 'answered') return outcome;
  const { frame, result } = outcome;
  const { command, hasAllEvents, order, refusal } = result;
  if (refusal !== 'none') return { kind: 'refused', refusal, order, frame: frame.sequence };
  return {
    kind: 'accepted',
    command,
    frame: frame.sequence,
    timeMs: frame.timeMs,
    events: eventsOf(result),
    hasAllEvents,
  };
}

export type Accepted = Extract<Submitted, { kind: 'accepted' }>;

export async function submitCommand(
  { commands }: { readonly commands: Commands },
  command: CommandToSend,
  details?: RefusalDetails,
): Promise<Accepted | Refused<ErrorKey>> {
  return acceptedOf(await commands.submit(command), details);
}

/** The accepted command, or why it was not accepted. */
export function acceptedOf(
  submitted: Submitted,
  details: RefusalDetails = {},
): Accepted | Refused<ErrorKey> {
  switch (submitted.kind) {
    case 'accepted':
      return submitted;
    case 'refused': {
      const { order, refusal } = submitted;
      if (refusal === 'none') throw new Error('a refused command must name its refusal');
      const named = order === 0 ? {} : { order_id: orderIdText(order as OrderNumber) };
      const key = refusalError(refusal);
      return new Refused(key, { refusal, ...named, ...details });
    }
    case 'not_taken':
      return new Refused(notTakenError(submitted.reason), {}, RETRY_AFTER_S);
    case 'unknown':
      return new Refused('outcome_unknown');
  }
}
