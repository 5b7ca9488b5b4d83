// Faults in request admission: replayed signatures, and keys that must not be ignored.

import type { FaultTable } from '../fault.ts';

export const REQUEST_FAULTS: FaultTable = {
  'infra/access/replay-set.ts': {
    'a replayed order is accepted until its signature expires': {
      in: 'ReplaySet.take',
      remove: '&& nowMs - firstMs <= REPEATS_WITHIN_MS',
    },
    'a replayed withdrawal is accepted for two seconds': {
      in: 'ReplaySet.take',
      remove: 'taken.mayRepeat === true &&',
    },
    'a restart forgets signatures recorded by other gateways': {
      in: 'ReplaySet.#tell',
      replace: [', known', ', []'],
    },
  },
  'protocol/refused-keys.ts': {
    'unsupported terms are ignored': {
      in: 'collectInOrder.collect.isRefused',
      value: 'place !== undefined',
    },
  },
};
