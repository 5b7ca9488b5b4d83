// Faults in the monitor: which alarms it closes, and which certificate expires first.

import type { FaultTable } from '../fault.ts';

export const MONITOR_FAULTS: FaultTable = {
  'services/monitor/alarm-book.ts': {
    'a flickering alarm closes and opens repeatedly': {
      in: 'AlarmBook.update',
      replace: ['- seenMs < CLOSE_AFTER_MS', '=== seenMs'],
    },
    'a more severe alarm is not recorded': { in: 'AlarmBook.update', drop: '.isRecorded' },
  },
  'services/monitor/certificates.ts': {
    'a certificate chain expires with its last certificate': {
      in: 'readCertificate',
      replace: ['min', 'max'],
    },
  },
};
