// Starts a sandbox, prints its processes and waits to be killed, for the test that no process is
// left behind.

import { startedBy } from '../../command-line.ts';
import { startSandbox } from '../sandbox.ts';

startedBy('tools/sandbox/sandbox.slow.test.ts');

const { folder, nats, postgres, services } = await startSandbox();
const pids = [...nats.nodes, postgres, ...services].map(({ pid }) => pid);
console.log(JSON.stringify({ folder, pids }));
setInterval(() => {}, 1_000);
