// `rialto cert renew FOLDER --authority FOLDER`: signs a machine's server certificates again, with
// new keys and their current names.

import { X509Certificate } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ToolFault } from '../command-line.ts';
import { signCertificate } from './certificates.ts';

const CLIENT_USE = '1.3.6.1.5.5.7.3.2';

/** Returns the replaced certificates with their expiry. */
export function renewCertificates(machine: string, authorityFolder: string): readonly string[] {
  const authority = {
    certFile: join(authorityFolder, 'ca.crt'),
    keyFile: join(authorityFolder, 'ca.key'),
  };
  for (const file of Object.values(authority)) {
    if (!existsSync(file))
      throw new ToolFault(`${file} does not exist (expected the certificate authority).`);
  }
  const tls = join(machine, 'tls');
  const files = globSync('*.crt', { cwd: tls }).filter((file) => file !== 'ca.crt');
  if (files.length === 0) throw new ToolFault(`${tls} has no server certificates.`);
  return files.sort().map((file) => {
    const certFile = join(tls, file);
    const { keyUsage, subjectAltName } = new X509Certificate(readFileSync(certFile));
    const hosts = hostsOf(subjectAltName ?? '');
    const isClientToo = keyUsage?.includes(CLIENT_USE) ?? false;
    const keyFile = certFile.replace(/\.crt$/, '.key');
    signCertificate(authority, { certFile, keyFile, hosts, isClientToo });
    const { validTo } = new X509Certificate(readFileSync(certFile));
    return `${certFile} is valid until ${validTo}`;
  });
}

/** Parses `DNS:m1, IP Address:10.0.0.1`. */
function hostsOf(names: string): readonly string[] {
  return names.split(', ').map((name) => name.slice(name.indexOf(':') + 1));
}
