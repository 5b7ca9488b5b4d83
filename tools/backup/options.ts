// Options of every backup command: the location and the key.

import { UsageFault } from '../command-line.ts';
import { type BackupKey, readBackupKey } from './backup-key.ts';
import type { BackupStore } from './backup-store.ts';
import { openStore } from './open-store.ts';

export const PLACE_OPTIONS = {
  'key-file': { type: 'string' },
  's3-file': { type: 'string' },
} as const;

export const PLACE_USAGE = `  --key-file F  backup key: 32 bytes in base64
  --s3-file F   for s3://BUCKET/PREFIX: JSON with endpoint, region, accessKeyId
                and secretAccessKey`;

export interface OpenedPlace {
  readonly store: BackupStore;
  readonly key: BackupKey;
  readonly keyFile: string;
}

export function openPlace(
  place: string | undefined,
  option: '--to' | '--from',
  values: Readonly<{ 'key-file'?: string | undefined; 's3-file'?: string | undefined }>,
): OpenedPlace {
  const { 'key-file': keyFile, 's3-file': s3File } = values;
  if (place === undefined) throw new UsageFault(`${option} is required.`);
  if (keyFile === undefined) throw new UsageFault('--key-file is required.');
  return { store: openStore(place, s3File), key: readBackupKey(keyFile), keyFile };
}
