// An empty Debian machine in a folder: a minimal system created by mmdebstrap, and sessions in it
// with their own processes, mounts and, if requested, network. Everything that a session started
// ends with it.

import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { programPath } from '../../../tools/services/deployment-programs.ts';
import { runProgram } from '../../../tools/services/run-program.ts';

const SOURCES = '/etc/apt/sources.list.d/debian.sources';
const SESSION_MS = 900_000;

/** Creates a minimal Debian as an archive, which is also the base of the image. */
export async function makeBase(archive: string): Promise<void> {
  const choice = ['--variant=minbase', '--include=ca-certificates', '--quiet'];
  await mustRun(programPath('mmdebstrap'), [...choice, 'bookworm', archive, SOURCES]);
}

export class Machine {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  async unpack(archive: string): Promise<void> {
    mkdirSync(this.folder);
    await mustRun('tar', ['-xf', archive, '-C', this.folder]);
    // A Debian server has systemd; here a stand-in starts its units.
    this.write('usr/sbin/policy-rc.d', '#!/bin/sh\nexit 101\n', 0o755);
    cpSync('/etc/resolv.conf', join(this.folder, 'etc/resolv.conf'));
    for (const name of ['systemctl', 'journalctl']) {
      cpSync(join(import.meta.dirname, name), join(this.folder, 'usr/local/bin', name));
    }
  }

  write(path: string, text: string, mode = 0o644): void {
    mkdirSync(join(this.folder, path, '..'), { recursive: true });
    writeFileSync(join(this.folder, path), text);
    chmodSync(join(this.folder, path), mode);
  }

  /** Runs a script in the machine's view of the files, then another one outside. */
  async session(options: {
    readonly inside: string;
    readonly outside?: string;
    readonly hasNetwork: boolean;
    readonly environment?: Readonly<Record<string, string>>;
  }): Promise<string> {
    const { environment = {}, hasNetwork, inside, outside = '' } = options;
    this.write('tmp/session.sh', inside);
    const settings = Object.entries({ ...MINIMAL, ...environment }).map(([k, v]) => `${k}=${v}`);
    const begin = [
      'set -euo pipefail',
      ...(hasNetwork ? [] : ['ip link set lo up']),
      ...['dev', 'proc', 'sys'].map((name) => `mount --rbind /${name} ${this.folder}/${name}`),
      `env -i ${settings.map((one) => `'${one}'`).join(' ')} chroot ${this.folder} ` +
        'bash -euo pipefail /tmp/session.sh',
      outside,
    ].join('\n');
    const spaces = ['--mount', '--uts', '--ipc', '--pid', '--fork', '--kill-child', '--mount-proc'];
    const network = hasNetwork ? [] : ['--net'];
    return mustRun('unshare', [...spaces, ...network, 'bash', '-c', begin], SESSION_MS);
  }
}

const MINIMAL = {
  HOME: '/tmp',
  LANG: 'C.UTF-8',
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/bin',
};

export async function mustRun(
  program: string,
  args: readonly string[],
  timeoutMs = 600_000,
): Promise<string> {
  const { output, succeeded } = await runProgram(program, args, { timeoutMs });
  if (!succeeded) throw new Error(`${program} failed:\n${output.slice(-8_000)}`);
  return output;
}
