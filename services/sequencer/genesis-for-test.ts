// First frame of an in-memory log, as `rialto create-log` writes it on servers.

import { INITIAL_LIMITS } from '../../core/messages/index.ts';
import { hashFrame, sealFrame } from '../../infra/journal/index.ts';
import { type GenesisOptions, genesisFrame } from './genesis.ts';

export function storeGenesis(
  log: { store(message: Uint8Array): number },
  options: Pick<GenesisOptions, 'timeMs' | 'limits' | 'rulesVersion'>,
): void {
  const frame = genesisFrame({ limits: INITIAL_LIMITS, rulesVersion: 1, ...options, writer: 1 });
  log.store(sealFrame(frame, hashFrame(frame)));
}
