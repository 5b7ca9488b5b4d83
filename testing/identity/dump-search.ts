// Dumps a schema like a backup does, and searches the dump for values in every encoding in which
// they might be stored.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { installPostgres } from '../../tools/services/install-postgres.ts';

const DUMP_BYTES_MAX = 1 << 28;
/** Shorter texts occur by chance. */
const BASE64_CHARACTERS_MIN = 8;

export async function dumpSchema(url: string, schema: string): Promise<string> {
  const program = join(await installPostgres(), 'pg_dump');
  const { error, status, stderr, stdout } = spawnSync(
    program,
    ['--schema', schema, '--dbname', url],
    { encoding: 'utf8', maxBuffer: DUMP_BYTES_MAX },
  );
  if (status !== 0) throw new Error(`pg_dump failed: ${stderr}`, { cause: error });
  return stdout;
}

/** Returns the names of readable values, with their encoding. */
export function readableValues(
  text: string,
  values: Readonly<Record<string, string | Uint8Array>>,
): string[] {
  const folded = text.toLowerCase();
  return Object.entries(values).flatMap(([name, value]) =>
    formsOf(value)
      .filter(({ encoding, form }) =>
        encoding === 'clear' || encoding === 'hex'
          ? isWord(folded, form.toLowerCase())
          : text.includes(form),
      )
      .map(({ encoding }) => `${name} (${encoding})`),
  );
}

function formsOf(value: string | Uint8Array): { encoding: string; form: string }[] {
  const bytes = Buffer.from(value);
  return [
    ...(typeof value === 'string' ? [{ encoding: 'clear', form: value }] : []),
    { encoding: 'hex', form: bytes.toString('hex') },
    ...[0, 1, 2]
      .flatMap((offset) => base64At(bytes, offset))
      .filter(({ form }) => form.length >= BASE64_CHARACTERS_MIN),
  ];
}

// The base64 of a value inside a longer text depends on the value's offset. Characters that also
// depend on adjacent bytes are left out.
function base64At(bytes: Buffer, offset: number): { encoding: string; form: string }[] {
  const padded = Buffer.concat([Buffer.alloc(offset), bytes]);
  const whole = padded.subarray(0, padded.length - (padded.length % 3));
  const from = offset === 0 ? 0 : 4;
  return (['base64', 'base64url'] as const).map((encoding) => ({
    encoding,
    form: whole.toString(encoding).slice(from),
  }));
}

// Six digits also occur inside hashes and fractions of seconds, which are not the code.
function isWord(text: string, form: string): boolean {
  if (!/^\d{6}$/.test(form)) return text.includes(form);
  return new RegExp(`(?<![0-9a-f.])${form}(?![0-9a-f])`).test(text);
}
