// Faults in request admission: replayed signatures, and keys that must not be ignored.

import type { FaultTable } from '../fault.ts';

export const REQUEST_FAULTS: FaultTable = {
  'infra/access/replay-set.ts': {
    'a recorded order counts until its signature expires': {
      in: 'ReplaySet.take',
      remove: '&& nowMs - firstMs <= REPEATS_WITHIN_MS',
    },
    'a recorded withdrawal counts for two seconds': {
      in: 'ReplaySet.take',
      remove: 'taken.mayRepeat === true &&',
    },
    'a restart forgets the signatures that other gateways know': {
      in: 'ReplaySet.#tell',
      replace: [', known', ', []'],
    },
  },
  'protocol/refused-keys.ts': {
    'terms that the exchange does not have are ignored': {
      in: 'collectInOrder.collect.isRefused',
      value: 'place !== undefined',
    },
  },
};
