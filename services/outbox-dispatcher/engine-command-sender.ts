// Sends operator commands one after another: each is delayed until the previous outcome is known.
// An unknown outcome is sent again; platform/outbox knows the refusals that then mean success. Only
// the active dispatcher must call it.

import type { Command } from '../../core/messages/index.ts';
import { type CommandClient, eventsOf, type Outcome } from '../../infra/command-link/index.ts';
import type { Statements } from '../../infra/postgres/index.ts';
import {
  countsAsAccepted,
  type EngineCommand,
  type EngineCommandRow,
  listedBy,
  markAttempted,
  type OutboxOutcome,
  readWaitingEngineCommands,
  type SettledEngineCommand,
  settleEngineCommand,
  voidEngineCommand,
  withListed,
} from '../../platform/outbox/index.ts';
import { commandPermission } from './authorization/permitted.ts';
import { isCommandOfAct } from './authorization/read-facts.ts';

/** Commands per round, because the outbox shares the rounds. */
const PER_ROUND_MAX = 16;

export interface EngineCommandSenderOptions {
  readonly client: Pick<CommandClient, 'send' | 'nextId'>;
  /** Schema of the projected tables, in the same database. */
  readonly projectionSchema: string;
  readonly answerMs: number;
  /** Called after the commit. */
  onSettled(kind: EngineCommand['kind'], outcome: OutboxOutcome): void;
  /**
   * Called when a role wrote a command that it is not allowed to write; the command was not sent.
   */
  onVoided(row: EngineCommandRow, reason: string): void;
}

export class EngineCommandSender {
  readonly #options: EngineCommandSenderOptions;

  constructor(options: EngineCommandSenderOptions) {
    this.#options = options;
  }

  async hasWaiting(statements: Statements): Promise<boolean> {
    return (await readWaitingEngineCommands(statements, 1)).length > 0;
  }

  /** Returns how many were settled. Stops at the first without a known outcome. */
  async send(statements: Statements): Promise<number> {
    for (let count = 0; count < PER_ROUND_MAX; count++) {
      // One by one, because the next command might need this outcome.
      const [row] = await readWaitingEngineCommands(statements, 1);
      if (row === undefined) return count;
      const { command } = row;
      const permission = await permissionOf(statements, row);
      if (permission !== 'send' || command === undefined) {
        await voidEngineCommand(statements, row.id, permission);
        this.#options.onVoided(row, permission);
        continue;
      }
      const settled = await this.#settle(statements, { ...row, command });
      if (settled === undefined) return count;
      await settleEngineCommand(statements, row.id, settled);
      const { frame, refusal, state } = settled;
      this.#options.onSettled(command.kind, { id: row.id, state, refusal, frame });
    }
    return PER_ROUND_MAX;
  }

  async #settle(
    statements: Statements,
    { command, follows, id, wasAttempted }: EngineCommandRow & { readonly command: EngineCommand },
  ): Promise<SettledEngineCommand | undefined> {
    if (follows?.state === 'refused') {
      return { ...follows, state: 'refused', command: 0, listed: 0 };
    }
    const whole = follows === undefined ? command : withListed(command, follows.listed);
    await markAttempted(statements, id);
    const outcome = await this.#ask(whole);
    if (outcome.kind !== 'answered') return undefined;
    const { frame, result } = outcome;
    const { refusal } = result;
    const isRepeated = countsAsAccepted(command.kind, refusal, { wasAttempted });
    if (refusal !== 'none' && !isRepeated) {
      const at = { frame: frame.sequence, command: result.command, listed: 0 };
      return { state: 'refused', refusal, ...at };
    }
    const listed = await this.#listed(statements, whole, result);
    if (listed === undefined) return undefined;
    return {
      state: 'accepted',
      refusal: 'none',
      frame: frame.sequence,
      // For a repetition, only the order number is known.
      command: isRepeated ? result.order : result.command,
      listed,
    };
  }

  /**
   * Returns the listed ID from the tables if the response was lost; undefined until they contain
   * it.
   */
  async #listed(
    statements: Statements,
    command: EngineCommand,
    result: Extract<Outcome, { kind: 'answered' }>['result'],
  ): Promise<number | undefined> {
    if (command.kind !== 'ListAsset' && command.kind !== 'ListMarket') return 0;
    const answered = listedBy(eventsOf(result));
    if (answered > 0) return answered;
    const { projectionSchema: schema } = this.#options;
    const { rows } =
      command.kind === 'ListAsset'
        ? await statements.query(`select id from ${schema}.assets where symbol = $1`, [
            command.symbol,
          ])
        : await statements.query(
            `select id from ${schema}.markets where base_id = $1 and quote_id = $2`,
            [command.base, command.quote],
          );
    return rows.length === 0 ? undefined : Number(rows[0].id);
  }

  #ask(command: EngineCommand): Promise<Outcome> {
    const { answerMs, client } = this.#options;
    const whole = { ...command, ...client.nextId() } as Command;
    return new Promise((done) => client.send(whole, answerMs, done));
  }
}

/** A copy of a command that was already sent might be in the log; it was checked then. */
async function permissionOf(
  statements: Statements,
  row: EngineCommandRow,
): Promise<ReturnType<typeof commandPermission>> {
  if (row.wasAttempted) return 'send';
  const isAct = row.writer === 'admin' && (await isCommandOfAct(statements, row.id));
  return commandPermission(row, isAct);
}
