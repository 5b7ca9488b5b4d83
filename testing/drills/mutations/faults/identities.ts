// Faults in the authority of senders: a gateway that mints, a link that believes a name, a leader
// that a gateway can end.

import type { Fault } from '../fault.ts';

const AUTHORITY = 'infra/identities/command-authority.ts';

export const SENDER_FAULTS: readonly Fault[] = [
  {
    name: 'gateways may mint',
    file: AUTHORITY,
    find: '  MintAsset: MONEY,',
    replace: '  MintAsset: [...MONEY, ...TRADING],',
  },
  {
    name: 'the sandbox is accepted in production',
    file: AUTHORITY,
    find: "  if (mode === 'development') rules.set(SANDBOX_IDENTITY, acceptAll);",
    replace: '  rules.set(SANDBOX_IDENTITY, acceptAll);',
  },
  {
    name: 'a forbidden command is counted and accepted',
    file: 'services/sequencer/intake.ts',
    find: "    if (!this.#isPermitted(opened)) return 'not_permitted';",
    replace: '    this.#isPermitted(opened);',
  },
  {
    name: 'the link believes the name of a peer that knows the token',
    file: 'infra/command-link/link-server.ts',
    find: '        this.#isSigned(subject, nonces, confirmation.signature);',
    replace: '        this.#isSigned(subject, nonces, confirmation.signature) !== undefined;',
  },
];
