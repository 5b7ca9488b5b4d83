// Certificate expiry, for files and for servers. Files are read often, so a renewal shows
// immediately; servers are read seldom.

import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { connect } from 'node:tls';
import type { TimeMs } from '../../core/money/index.ts';
import type { CertificateFact } from '../../features/health/index.ts';

const SERVER = /^(?<host>[^/\s]+):(?<port>\d{1,5})$/;
const ANSWER_WITHIN_MS = 3_000;

export function isServer(place: string): boolean {
  return SERVER.test(place);
}

/** Reads a PEM file with certificates, or `host:port`. Never rejects. */
export async function readCertificate(place: string): Promise<CertificateFact> {
  try {
    const server = SERVER.exec(place)?.groups;
    const certificates =
      server === undefined
        ? certificatesOf(await readFile(place, 'utf8'))
        : [await presentedBy(server.host.replace(/^\[|\]$/g, ''), Number(server.port))];
    // A chain breaks when its first certificate expires.
    const endsMs = Math.min(...certificates.map(({ validTo }) => Date.parse(validTo)));
    return { place, endsMs: endsMs as TimeMs };
  } catch (fault) {
    const reason = fault instanceof Error ? fault.message : String(fault);
    return { place, endsMs: undefined, fault: reason };
  }
}

function certificatesOf(pem: string): X509Certificate[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  if (blocks === null) throw new Error('the file has no certificate in PEM');
  return blocks.map((block) => new X509Certificate(block));
}

/** Returns even an expired certificate, because only its expiry matters. */
function presentedBy(host: string, port: number): Promise<X509Certificate> {
  return new Promise((resolve, reject) => {
    // An IP address has no name by which a server could select a certificate.
    const servername = isIP(host) === 0 ? host : '';
    const socket = connect({ host, port, servername, rejectUnauthorized: false });
    socket.setTimeout(ANSWER_WITHIN_MS, () => socket.destroy(new Error('no response in time')));
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the server closed the connection')));
    socket.once('secureConnect', () => {
      const certificate = socket.getPeerX509Certificate();
      socket.destroy();
      if (certificate === undefined) reject(new Error('the server presents no certificate'));
      else resolve(certificate);
    });
  });
}
