// Faults in sender permissions: a gateway that mints, a link that trusts a name, and a leader that
// a gateway can stop.

import type { FaultTable } from '../fault.ts';

export const SENDER_FAULTS: FaultTable = {
  'infra/identities/command-authority.ts': {
    'gateways can mint': {
      in: 'COMMAND_SENDERS.MintAsset',
      replace: ['MONEY', '[...MONEY, ...TRADING]'],
    },
    'the sandbox is accepted in production': {
      in: 'commandAuthority',
      remove: "if (mode === 'development')",
    },
  },
  'services/sequencer/intake.ts': {
    'a forbidden command is counted and accepted': {
      in: 'Intake.offer',
      replace: [
        "if (!this.#isPermitted(opened)) return 'not_permitted'",
        'this.#isPermitted(opened)',
      ],
    },
  },
  'infra/command-link/link-server.ts': {
    'the link trusts the name of a peer that has the token': {
      in: 'LinkServer.#accept',
      replace: ['signature)', 'signature) !== undefined'],
    },
  },
};
