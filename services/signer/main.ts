// Starts the signer. Exit codes: see infra/process/README.md. It can be killed and restarted at any
// time.

import { runService } from '../../infra/process/index.ts';
import { service } from './service.ts';

await runService(service);
