// Opens the backup location: a folder, or a bucket in an S3-compatible store.

import { readFileSync } from 'node:fs';
import { describeFault } from '../../infra/process/index.ts';
import { ToolFault, UsageFault } from '../command-line.ts';
import type { BackupStore } from './backup-store.ts';
import { FolderStore } from './folder-store.ts';
import { type S3Credentials, S3Store } from './s3-store.ts';

/** `s3://BUCKET/PREFIX` needs the file that describes the store and its key. */
export function openStore(place: string, s3File: string | undefined): BackupStore {
  const [, bucket, prefix = ''] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(place) ?? [];
  if (bucket === undefined) return new FolderStore(place);
  if (s3File === undefined) throw new UsageFault(`${place} requires --s3-file.`);
  return new S3Store({ ...readS3File(s3File), bucket, prefix: prefix.replace(/\/+$/, '') });
}

const S3_FIELDS = ['endpoint', 'region', 'accessKeyId', 'secretAccessKey'] as const;

function readS3File(file: string): S3Credentials & { readonly endpoint: string } {
  let found: Record<string, unknown>;
  try {
    found = JSON.parse(readFileSync(file, 'utf8'));
  } catch (fault) {
    throw new ToolFault(`Cannot read ${file}: ${describeFault(fault)}.`);
  }
  const missing = S3_FIELDS.filter((field) => typeof found[field] !== 'string');
  if (missing.length > 0) {
    throw new ToolFault(`${file} has no ${missing.join(', ')} (expected JSON with these strings).`);
  }
  return found as unknown as S3Credentials & { readonly endpoint: string };
}
