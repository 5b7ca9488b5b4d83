// Starts the notifier. Exit codes: see infra/process/README.md. It can be restarted at any time,
// and several can run.

import { runService } from '../../infra/process/index.ts';
import { service } from './service.ts';

await runService(service);
