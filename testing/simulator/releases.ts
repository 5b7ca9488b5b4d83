// Other releases of the exchange inside the simulator. The sources are copied with a changed rule,
// and the copy is loaded next to the current sources.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as engine from '../../core/engine/index.ts';
import { FollowingReplica } from '../../infra/replica/index.ts';
import { SnapshotMaker } from '../../services/archivist/snapshot-maker.ts';
import { HeartbeatRepeater, Sequencer } from '../../services/sequencer/index.ts';
import { makeRelease, type RELEASES } from '../drills/upgrade/releases.ts';

export type ReleaseName = keyof typeof RELEASES;

/** Code of one release. */
export interface Release {
  readonly engine: Pick<
    typeof engine,
    'applyFrame' | 'auditExchange' | 'createExchange' | 'hashExchange' | 'restoreExchange'
  >;
  readonly FollowingReplica: typeof FollowingReplica;
  readonly HeartbeatRepeater: typeof HeartbeatRepeater;
  readonly Sequencer: typeof Sequencer;
  readonly SnapshotMaker: typeof SnapshotMaker;
}

export const PRESENT: Release = {
  engine,
  FollowingReplica,
  HeartbeatRepeater,
  Sequencer,
  SnapshotMaker,
};

const ENTRIES = ['core', 'infra', 'services/archivist', 'services/sequencer', 'package.json'];

const loaded = new Map<ReleaseName, Promise<Release>>();

/** Loads a release once per process. */
export function loadRelease(name: ReleaseName): Promise<Release> {
  let release = loaded.get(name);
  if (release === undefined) loaded.set(name, (release = load(name)));
  return release;
}

async function load(name: ReleaseName): Promise<Release> {
  const parent = mkdtempSync(join(tmpdir(), 'rialto-release-'));
  try {
    const folder = makeRelease(name, parent, ENTRIES);
    const part = (path: string) => import(pathToFileURL(join(folder, path)).href);
    const [core, replica, maker, sequencer] = await Promise.all([
      part('core/engine/index.ts'),
      part('infra/replica/index.ts'),
      part('services/archivist/snapshot-maker.ts'),
      part('services/sequencer/index.ts'),
    ]);
    return { engine: core, ...replica, ...maker, ...sequencer };
  } finally {
    rmSync(parent, { recursive: true });
  }
}
