// The exact configuration of a NATS server.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type NatsConfig, natsConfigText } from './nats-config.ts';

const alone: NatsConfig = {
  name: 'alone',
  host: '127.0.0.1',
  clientPort: 4001,
  monitorPort: 4002,
  storeFolder: '/data/with "quotes"',
  syncAlways: true,
  cluster: undefined,
};

test('a single server syncs every write and listens on loopback only', () => {
  assert.equal(
    natsConfigText(alone),
    `server_name: alone
listen: "127.0.0.1:4001"
http: "127.0.0.1:4002"
max_payload: 8MB
max_pending: 256MB
jetstream {
  store_dir: "/data/with \\"quotes\\""
  max_memory_store: 256MB
  max_file_store: 20GB
  sync_interval: always
}
`,
  );
});

test('a cluster server names its routes to the others', () => {
  const others = ['127.0.0.1:5002', '127.0.0.1:5003'];
  const text = natsConfigText({ ...alone, cluster: { port: 5001, others } });
  assert.ok(
    text.endsWith(`cluster {
  name: rialto
  listen: "127.0.0.1:5001"
  routes: ["nats://127.0.0.1:5002", "nats://127.0.0.1:5003"]
}
`),
  );
});

test('routes with TLS verify the other servers, and clients get no addresses', () => {
  const tls = { certFile: '/tls/nats.crt', keyFile: '/tls/nats.key', routesCaFile: '/tls/ca.crt' };
  const text = natsConfigText({ ...alone, tls, cluster: { port: 5001, others: ['m2:6222'] } });
  assert.ok(
    text.endsWith(`  routes: ["nats://m2:6222"]
  no_advertise: true
  tls {
    cert_file: "/tls/nats.crt"
    key_file: "/tls/nats.key"
    ca_file: "/tls/ca.crt"
    verify: true
  }
}
tls {
  cert_file: "/tls/nats.crt"
  key_file: "/tls/nats.key"
  handshake_first: true
}
`),
  );
});

test('the wrong setting omits only the sync line', () => {
  const right = natsConfigText(alone).split('\n');
  const wrong = natsConfigText({ ...alone, syncAlways: false }).split('\n');
  assert.deepEqual(
    right.filter((line) => !wrong.includes(line)),
    ['  sync_interval: always'],
  );
});
