// Faults in how kill switches reach a process, and which sessions they end.

import type { FaultTable } from '../fault.ts';

export const SWITCH_BOARD_FAULTS: FaultTable = {
  'features/kill-switches/switch-board.ts': {
    'a process serves before it has read the switches': {
      in: 'SwitchBoard.isReadOnly',
      replace: ['?? true', '?? false'],
    },
    'a change announced during a read is missed until the next poll': {
      in: 'SwitchBoard.#refresh',
      replace: [
        'this.#isStale = true; if (this.#isReading) return',
        'if (this.#isReading) return; this.#isStale = true',
      ],
    },
  },
  'features/kill-switches/switches-in-force.ts': {
    'a logout of all users also ends the session of the operator who triggers it': {
      in: 'hasSessionEnded',
      remove: '&& session !== ends.keptSession',
    },
    'a login stop ends the sessions of operators': {
      in: 'hasSessionEnded',
      remove: 'role === NO_ROLE &&',
    },
  },
};
