// Reports a backup to the exchange, which closes the alarms about overdue backups and drills.

import { RialtoError } from '../../client/rialto-error.ts';
import { ConfigFault } from '../../infra/process/index.ts';
import { openApi, readProfile } from '../cli/profile.ts';
import { type Manifest, storedBytes } from './manifest.ts';

export interface Report {
  readonly manifest: Manifest;
  readonly place: string;
  /** True if the backup was restored and compared. */
  readonly isVerified: boolean;
}

/** Returns why the backup could not be reported; undefined if it was. */
export async function reportBackup(
  { isVerified, manifest, place }: Report,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const { endedAt, id } = manifest;
  try {
    const api = openApi(readProfile(environment), { inPerson: false });
    for (const kind of ['database', 'log']) {
      await api.call('reportBackup', {
        kind,
        ended_at: endedAt,
        verified: isVerified,
        bytes: storedBytes(manifest),
        place: `${place} ${id}`,
      });
    }
    return undefined;
  } catch (fault) {
    if (!(fault instanceof RialtoError || fault instanceof ConfigFault)) throw fault;
    return `The backup was not reported to the exchange: ${fault.message}`;
  }
}
