// Starts the sequencer. Exits with 75 if another sequencer leads (restart it), and with 70 if it
// found an inconsistency (investigate first). infra/process/README.md has the other exit codes.

import { runService } from '../../infra/process/index.ts';
import { service } from './service.ts';

await runService(service);
