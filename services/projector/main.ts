// Starts the projector. Exits with 75 if another projector has written to its schema, and with 78
// if the log does not belong to its tables; infra/process/README.md has the other exit codes. It
// can be restarted at any time.

import { runService } from '../../infra/process/index.ts';
import { service } from './service.ts';

await runService(service);
