// Starts the publisher. Exits with 75 if another publisher has taken its lease;
// infra/process/README.md has the other exit codes. It can be restarted at any time.

import { runService } from '../../infra/process/index.ts';
import { service } from './service.ts';

await runService(service);
