// A fault that the drill stages for real, and the alarm that must name it.

import type { Sandbox } from '../../../tools/sandbox/sandbox.ts';
import type { PersonOverHttp } from '../../identity/person-over-http.ts';
import type { SmallDisk } from '../harness/small-disk.ts';

export interface HealthStage {
  readonly sandbox: Sandbox;
  readonly ann: PersonOverHttp;
  readonly ben: PersonOverHttp;
  readonly mailServer: MailServer;
  /** A file that the monitor checks. */
  readonly certificateFile: string;
  /** The disk of the archive, or the reason why it has none of its own. */
  readonly disk: SmallDisk | string;
  /** On a connection of its own to the registry. */
  sql(text: string): Promise<void>;
}

export interface MailServer {
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface StagedFault {
  readonly title: string;
  readonly alarm: string;
  /** The object, or a part of it. */
  readonly object: string;
  /** Others that name it as well: the one that is shown depends on who reaches which server. */
  readonly or?: readonly string[];
  /** Names of other alarms that follow from it. */
  readonly follows?: readonly string[];
  /** Part of a quick drill. */
  readonly isQuick?: boolean;
  /** Why it cannot be staged here. */
  leftOut?(stage: HealthStage): string | undefined;
  /** Resolves at the moment of the fault, or when the limit of its alarm is crossed. */
  strike(stage: HealthStage): Promise<void>;
  repair(stage: HealthStage): Promise<void>;
}

/** A switch that disturbs nothing else in the drill. */
const DEPOSITS = { name: 'deposits', symbol: 'eur' };

export async function stopDeposits(operator: PersonOverHttp): Promise<void> {
  const answer = await operator.send('POST', '/admin/switches/stop', { body: DEPOSITS });
  if (answer.status !== 200) throw new Error(`no switch: ${answer.text}`);
}
