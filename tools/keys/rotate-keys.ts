// Steps of a key-encryption key rotation. Each can be repeated; docs/operating/keys.md explains
// when to run which.

import { withConnection } from '../../infra/postgres/index.ts';
import { addKeyToFile, readKeks, readKeyFile } from '../../platform/vault/index.ts';
import { ToolFault } from '../command-line.ts';
import { type Column, tableLines } from '../text-table.ts';
import type { Context } from './keys-context.ts';
import type { KeysRequest } from './keys-request.ts';
import {
  activateKek,
  addKek,
  type RotationRefusal,
  retireKek,
  rewrapToActiveKek,
} from './rotation/kek-states.ts';
import { countSealed } from './rotation/rewrap.ts';

const KEK_COLUMNS: readonly Column[] = [
  { title: 'key', isNumber: true },
  { title: 'state' },
  { title: 'since' },
  { title: 'fingerprint' },
  { title: 'in this file' },
  { title: 'values', isNumber: true },
];

const REASONS: Record<RotationRefusal, string> = {
  key_unknown: 'the registry does not have this key (run: rotate add)',
  key_not_in_file: 'the key file does not have this key',
  key_not_added: 'its state is not added',
  key_added_just_now: 'some processes might not have read it yet (wait 15 seconds)',
  key_not_retiring: 'its state is not retiring',
  key_replaced_just_now: 'some processes might still use the replaced key (wait 15 seconds)',
  key_in_use: 'it still encrypts values (run: rotate rewrap)',
};

export async function rotationStatus({ openVault, pool }: Context): Promise<readonly string[]> {
  const vault = await openVault();
  const counts = await countSealed(pool);
  const keks = await readKeks(pool);
  return tableLines(
    KEK_COLUMNS,
    keks.map(({ fingerprint, id, state, stateSince }) => [
      `${id}`,
      state,
      stateSince.toISOString(),
      fingerprint,
      vault.fingerprint(id) === undefined ? 'no' : 'yes',
      `${counts.get(id) ?? 0}`,
    ]),
  );
}

/** Records a key from the file that the registry lacks; otherwise generates one. */
export async function rotateAdd({ config, openVault, pool }: Context): Promise<readonly string[]> {
  const vault = await openVault();
  const source = { ...config, isDevelopment: config.mode === 'development' };
  const lastRecorded = Math.max(...(await readKeks(pool)).map(({ id }) => id));
  const inFile = [...readKeyFile(source).keys()].filter((key) => key > lastRecorded);
  const id = inFile.length > 0 ? Math.min(...inFile) : lastRecorded + 1;
  if (inFile.length === 0) addKeyToFile(source, id);
  orFail('added', id, await addKek(pool, vault, id));
  return [
    `key ${id} is added, fingerprint ${vault.fingerprint(id)}`,
    'Back up the key file and copy it to every machine, then activate the key.',
  ];
}

export async function rotateActivate(
  { kek: id }: KeysRequest,
  { openVault, pool }: Context,
): Promise<readonly string[]> {
  const vault = await openVault();
  const done = await withConnection(pool, (connection) => activateKek(connection, vault, { id }));
  orFail('activated', id, done);
  return [`key ${id} is active`];
}

export async function rotateRewrap({
  openVault,
  pool,
  print,
}: Context): Promise<readonly string[]> {
  const vault = await openVault();
  const result = await rewrapToActiveKek(pool, vault, {
    onPage: (table, count) => print(`${table}: ${count} values moved`),
  });
  if (typeof result === 'string') throw new ToolFault(`No values were moved: ${REASONS[result]}.`);
  const { broken, left, moved } = result;
  if (left > 0) throw new ToolFault(`${left} values are in use; run the command again.`);
  if (broken > 0) {
    throw new ToolFault(
      `${broken} values cannot be decrypted: rows were changed outside Rialto, or the key is lost.`,
    );
  }
  return [`${moved} values moved to key ${vault.activeId}`];
}

export async function rotateRetire(
  { kek: id }: KeysRequest,
  { pool }: Context,
): Promise<readonly string[]> {
  orFail('retired', id, await withConnection(pool, (connection) => retireKek(connection, { id })));
  return [
    `key ${id} is retired`,
    'Keep its line in the key file until all sessions and backups from before today have expired.',
  ];
}

function orFail<Done extends 'added' | 'activated' | 'retired'>(
  done: Done,
  id: number,
  result: RotationRefusal | Done,
): void {
  if (result in REASONS) {
    throw new ToolFault(`Key ${id} cannot be ${done}: ${REASONS[result as RotationRefusal]}.`);
  }
}
