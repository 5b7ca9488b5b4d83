// Starts the reconciler. Exit codes: see infra/process/README.md. It can be restarted at any time.

import { runService } from '../../infra/process/index.ts';
import { service } from './service.ts';

await runService(service);
