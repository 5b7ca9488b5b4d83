// Starts the market agents. Exit codes: see infra/process/README.md. It can be restarted at any
// time, but two of them must not run: they would trade with the same accounts.

import { runService } from '../../infra/process/index.ts';
import { service } from './service.ts';

await runService(service);
