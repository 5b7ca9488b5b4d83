// Proxy in front of a machine's gateway: TLS outside, loopback inside. It forwards bytes.
// Arguments: listen address, port, gateway port, certificate, key.

import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { createServer } from 'node:tls';
import { startedBy } from '../../../../tools/command-line.ts';

startedBy('npm run drill -- deployment');

const [address, port, gatewayPort, certFile, keyFile] = process.argv.slice(2);
const server = createServer(
  { cert: readFileSync(certFile), key: readFileSync(keyFile), noDelay: true },
  (client) => {
    const gateway = connect({ host: '127.0.0.1', port: Number(gatewayPort), noDelay: true });
    client.pipe(gateway).pipe(client);
    for (const [one, other] of [
      [client, gateway],
      [gateway, client],
    ]) {
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  },
);
server.on('tlsClientError', () => {});
server.listen(Number(port), address);
