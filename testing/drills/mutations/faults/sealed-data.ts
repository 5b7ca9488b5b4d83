// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source text.
// Faults in the rules of sealed data: the vault, rotations of its keys, personal data and erasure.

import type { Fault } from '../fault.ts';

const ERASURE = 'features/accounts/erasure.ts';
const PERSONAL = 'features/accounts/personal-data.ts';
const ROTATION = 'tools/keys/rotation/kek-states.ts';
const VAULT = 'platform/vault/vault.ts';

export const SEALED_DATA_FAULTS: readonly Fault[] = [
  {
    name: 'a rewrapped value stays with its old key',
    file: VAULT,
    find: '    const kekId = this.#activeId;\n    const wrapped',
    replace: '    const { kekId } = value;\n    const wrapped',
  },
  {
    name: 'a rewrap does not wait for processes that seal with the replaced key',
    file: ROTATION,
    find: "    if (kek.state !== 'retiring') continue;\n",
    replace: '    continue;\n',
  },
  {
    name: 'a key retires while it seals values',
    file: ROTATION,
    find: 'if ((counts.get(id) ?? 0) > 0)',
    replace: 'if (false as boolean)',
  },
  {
    name: 'personal data of an earlier version open',
    file: PERSONAL,
    find: 'return `personal data ${user} ${version}`;',
    replace: 'return `personal data ${user} ${version > 0}`;',
  },
  {
    name: 'two writers of personal data lose a field',
    file: PERSONAL,
    find: 'where personal_data.version = excluded.version - 1',
    replace: 'where true',
  },
  {
    name: 'an account that is not closed can be erased',
    file: ERASURE,
    find: "if (state !== 'closed') return 'user_not_closed';",
    replace: '',
  },
  {
    name: 'an erased person keeps their devices',
    file: ERASURE,
    find: "  'devices',\n",
    replace: '',
  },
];
