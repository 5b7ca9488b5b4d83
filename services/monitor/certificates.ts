// When certificates end: those of files, and those that servers present. Files are read often, so
// that a renewal shows at once; servers seldom.

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

/** A file with certificates in PEM, or `host:port`. Never rejects. */
export async function readCertificate(place: string): Promise<CertificateFact> {
  try {
    const server = SERVER.exec(place)?.groups;
    const certificates =
      server === undefined
        ? certificatesOf(await readFile(place, 'utf8'))
        : [await presentedBy(server.host.replace(/^\[|\]$/g, ''), Number(server.port))];
    // Of a chain, the first to end breaks it.
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

/** Also one that is not valid any more: its end is the question. */
function presentedBy(host: string, port: number): Promise<X509Certificate> {
  return new Promise((resolve, reject) => {
    // An address has no name that a server could choose a certificate by.
    const servername = isIP(host) === 0 ? host : '';
    const socket = connect({ host, port, servername, rejectUnauthorized: false });
    socket.setTimeout(ANSWER_WITHIN_MS, () => socket.destroy(new Error('no answer in time')));
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
