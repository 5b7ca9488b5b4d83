// Faults in the monitor: which alarms it closes, and which certificate expires first.

import type { FaultTable } from '../fault.ts';

export const MONITOR_FAULTS: FaultTable = {
  'services/monitor/alarm-book.ts': {
    'an alarm that flickers closes and opens all the time': {
      in: 'AlarmBook.update',
      replace: ['- seenMs < CLOSE_AFTER_MS', '=== seenMs'],
    },
    'a more severe alarm is not on record': { in: 'AlarmBook.update', drop: '.isRecorded' },
  },
  'services/monitor/certificates.ts': {
    'a chain of certificates ends with the last that ends': {
      in: 'readCertificate',
      replace: ['min', 'max'],
    },
  },
};
