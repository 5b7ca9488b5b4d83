// The settings of custody: its file, the nodes of its networks, and how the watcher follows them.

import { integer, text } from '../process/index.ts';
import { setting } from './setting.ts';

export const custodySettings = {
  custodyFile: setting(
    text('RIALTO_CUSTODY_FILE', { expected: 'the path of the signed custody file' }),
    {
      usedBy: ['chain-watcher', 'gateway-http', 'outbox-dispatcher', 'reconciler'],
      optionalFor: ['gateway-http', 'outbox-dispatcher', 'reconciler'],
      meaning:
        'The custody file: networks, coins, limits and approvers, signed by them. The same on ' +
        'every machine. Custody is off without it.',
      example: '/etc/rialto/custody.json',
    },
  ),
  nodesFile: setting(text('RIALTO_NODES_FILE', { expected: 'the path of a JSON file' }), {
    usedBy: ['chain-watcher', 'reconciler'],
    optionalFor: ['reconciler'],
    meaning:
      'The URLs of two nodes for each network, as JSON. Keep it secret: URLs of providers ' +
      'contain keys.',
    example: '/etc/rialto/nodes.json',
  }),
  chainEveryMs: setting(
    integer('RIALTO_CHAIN_EVERY_MS', { min: 50, max: 600_000, fallback: 2_000 }),
    {
      usedBy: ['chain-watcher'],
      unit: 'milliseconds',
      meaning: 'The pause before the nodes are asked again, once all final blocks are recorded.',
    },
  ),
  signerFolder: setting(text('RIALTO_SIGNER_FOLDER', { expected: 'the path of a folder' }), {
    usedBy: ['signer'],
    meaning: 'The folder with the encrypted keys and the journal of the signer.',
    example: '/var/lib/rialto-signer',
  }),
  signerSocket: setting(text('RIALTO_SIGNER_SOCKET', { expected: 'the path of a Unix socket' }), {
    usedBy: ['signer'],
    meaning: 'The Unix socket on which the signer answers the payer.',
    example: '/run/rialto-signer/socket',
  }),
  signerUnlockFile: setting(text('RIALTO_SIGNER_UNLOCK_FILE', { expected: 'the path of a file' }), {
    usedBy: ['signer'],
    meaning:
      'Two passphrases, one per line, that open the keys: a file, a credential of systemd, or a ' +
      'named pipe into which two people type.',
    example: '/run/credentials/rialto-signer/unlock',
  }),
};
