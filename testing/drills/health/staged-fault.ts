// A fault that the drill really causes, and the alarm that must report it.

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
  /** Disk of the archive, or the reason why it has no separate disk. */
  readonly disk: SmallDisk | string;
  /** Runs on a separate connection to the registry. */
  sql(text: string): Promise<void>;
}

export interface MailServer {
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface StagedFault {
  readonly title: string;
  readonly alarm: string;
  /** The object, or a part of its name. */
  readonly object: string;
  /** Other valid alarms: which one is shown depends on which process reaches which server. */
  readonly or?: readonly string[];
  /** Names of alarms that it also causes. */
  readonly follows?: readonly string[];
  /** Part of a quick drill. */
  readonly isQuick?: boolean;
  /** Returns why it cannot be staged here. */
  leftOut?(stage: HealthStage): string | undefined;
  /** Resolves at the moment of the fault, or when the limit of its alarm is exceeded. */
  strike(stage: HealthStage): Promise<void>;
  repair(stage: HealthStage): Promise<void>;
}

/** A switch that disturbs nothing else in the drill. */
const DEPOSITS = { name: 'deposits', symbol: 'eur' };

export async function stopDeposits(operator: PersonOverHttp): Promise<void> {
  const answer = await operator.send('POST', '/admin/switches/stop', { body: DEPOSITS });
  if (answer.status !== 200) throw new Error(`no switch: ${answer.text}`);
}
