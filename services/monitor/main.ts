// Starts the monitor. Exit codes: see infra/process/README.md. It can be restarted at any time, and
// a second one is a standby.

import { runService } from '../../infra/process/index.ts';
import { service } from './service.ts';

await runService(service);
