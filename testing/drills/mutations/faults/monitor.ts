// Faults in the monitor: which alarms it closes, and which certificate ends first.

import type { Fault } from '../fault.ts';

const BOOK = 'services/monitor/alarm-book.ts';
const CERTIFICATES = 'services/monitor/certificates.ts';

export const MONITOR_FAULTS: readonly Fault[] = [
  {
    name: 'an alarm that flickers closes and opens all the time',
    file: BOOK,
    find: 'if (nowMs - seenMs < CLOSE_AFTER_MS) continue;',
    replace: 'if (nowMs === seenMs) continue;',
  },
  {
    name: 'a more severe alarm is not on record',
    file: BOOK,
    find: 'if (isOther) known.isRecorded = false;',
    replace: '',
  },
  {
    name: 'a chain of certificates ends with the last that ends',
    file: CERTIFICATES,
    find: 'const endsMs = Math.min(',
    replace: 'const endsMs = Math.max(',
  },
];
