// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source text.
// Faults in sealed data: the vault, key rotations, personal data and erasure.

import type { FaultTable } from '../fault.ts';

export const SEALED_DATA_FAULTS: FaultTable = {
  'platform/vault/vault.ts': {
    'a rewrapped value keeps its old key': {
      in: 'Vault.rewrap',
      replace: ['kekId = this.#activeId', '{ kekId } = value'],
    },
  },
  'tools/keys/rotation/kek-states.ts': {
    'a rewrap does not wait for processes that seal with the replaced key': {
      in: 'rewrapToActiveKek',
      remove: "if (kek.state !== 'retiring')",
    },
    'a key retires while it seals values': { in: 'retireKek', never: 'counts' },
  },
  'features/accounts/personal-data.ts': {
    'personal data of an earlier version can be opened': {
      in: 'dataBound',
      replace: ['${version}', '${version > 0}'],
    },
    'two writers of personal data lose a field': {
      in: 'storeData',
      replace: ['personal_data.version = excluded.version - 1', 'true'],
    },
  },
  'features/accounts/erasure.ts': {
    'an account that is not closed can be erased': { in: 'eraseUser', drop: 'closed' },
    'an erased user keeps their devices': { in: 'DELETED_TABLES', remove: "'devices'," },
  },
};
