// Faults in how kill switches reach a process, and which sessions they end.

import type { Fault } from '../fault.ts';

const BOARD = 'features/kill-switches/switch-board.ts';
const IN_FORCE = 'features/kill-switches/switches-in-force.ts';

export const SWITCH_BOARD_FAULTS: readonly Fault[] = [
  {
    name: 'a process serves before it has read the switches',
    file: BOARD,
    find: 'return this.#switches?.isReadOnly ?? true;',
    replace: 'return this.#switches?.isReadOnly ?? false;',
  },
  {
    name: 'a change that is announced during a read is missed until the next poll',
    file: BOARD,
    find: '    this.#isStale = true;\n    if (this.#isReading) return;\n',
    replace: '    if (this.#isReading) return;\n    this.#isStale = true;\n',
  },
  {
    name: 'a logout of everyone also ends the session of the person who does it',
    file: IN_FORCE,
    find: 'if (beganAtMs < ends.everyoneAtMs && session !== ends.keptSession) return true;',
    replace: 'if (beganAtMs < ends.everyoneAtMs) return true;',
  },
  {
    name: 'a stop of the logins ends the sessions of operators',
    file: IN_FORCE,
    find: 'return role === NO_ROLE && beganAtMs < ends.usersAtMs;',
    replace: 'return beganAtMs < ends.usersAtMs;',
  },
];
