// The version of the rules in force. All releases that can run a version decide alike; a release
// that cannot run it stops before it changes anything.

import {
  type CommandFrame,
  isRunnableVersion,
  type Refusal,
  RULES_VERSION_MAX,
  RULES_VERSION_MIN,
  type SetRulesVersion,
} from '../messages/index.ts';
import type { Exchange } from './exchange.ts';

/** The log needs rules of another release. Nothing was applied; the process must not continue. */
export class RulesVersionFault extends Error {
  override readonly name = 'RulesVersionFault';
  readonly version: number;

  constructor(version: number) {
    super(
      `the log has rules version ${version}, and this release runs versions ` +
        `${RULES_VERSION_MIN} to ${RULES_VERSION_MAX}: start a release that runs it`,
    );
    this.version = version;
  }
}

export function requireRunnable(version: number): void {
  if (!isRunnableVersion(version)) throw new RulesVersionFault(version);
}

/** Checked before the first change of a frame, for refused commands too. */
export function requireRunnableFrame({ commands }: CommandFrame): void {
  for (const command of commands) {
    if (command.kind === 'SetRulesVersion' && command.version > RULES_VERSION_MAX) {
      throw new RulesVersionFault(command.version);
    }
  }
}

/** Makes the exchange follow the rules of this version. */
export function followRules(exchange: Exchange, version: number): void {
  exchange.rulesVersion = version;
  exchange.clientOrderIds.isFair = version >= 2;
}

export function setRulesVersion(exchange: Exchange, { version }: SetRulesVersion): Refusal {
  if (version < exchange.rulesVersion) return 'rules_version_must_not_decrease';
  followRules(exchange, version);
  exchange.events.push({ kind: 'RulesVersionSet', command: exchange.command, version });
  return 'none';
}
