// Tests masks of personal values.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hideText, maskEmail, maskEnding, maskName, maskText } from './masks.ts';

const rows: readonly [mask: (value: string) => string, value: string, seen: string][] = [
  [maskEmail, 'mara@domain.com', 'm•••@d•••.com'],
  [maskEmail, 'm@d.com', 'm•••@d•••.com'],
  [maskEmail, 'mara@mail.domain.co.uk', 'm•••@m•••.uk'],
  [maskEmail, 'mara@invalid', 'm•••@i•••'],
  [maskEmail, 'no address', 'n•••'],
  [maskEmail, '', ''],
  [maskName, 'Ann Maria  Example', 'A. M. E.'],
  [maskName, '李 小龙', '李. 小.'],
  [maskName, '', ''],
  [maskEnding, '+41 44 123 45 67', '•••67'],
  [maskEnding, '1234', '•••'],
  [maskEnding, '', ''],
  [maskText, 'mara', 'm•••'],
  [maskText, '', ''],
  [hideText, 'Rheinweg 7', '•••'],
  [hideText, '', ''],
];

for (const [mask, value, seen] of rows) {
  test(`${mask.name} shows '${seen}' for '${value}'`, () => assert.equal(mask(value), seen));
}
