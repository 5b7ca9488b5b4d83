// Commands of the queue that the projected tables do not show yet. Acts that compare with tables
// count them, so acting while the tables lag has no advantage.

import { assertPlainName, idOf, type Statements } from '../../infra/postgres/index.ts';
import { decodeRecord, type EngineCommand } from './engine-commands.ts';
import { withListed } from './repetition.ts';

export interface UnprojectedQuestion<Kind extends EngineCommand['kind']> {
  readonly kinds: readonly Kind[];
  /** The schema of the projected tables, in the same database. */
  readonly projectionSchema: string;
}

export interface UnprojectedCommand<Kind extends EngineCommand['kind']> {
  readonly id: number;
  readonly command: Extract<EngineCommand, { readonly kind: Kind }>;
}

/**
 * Commands that the projected tables do not show yet, in order: those that wait, and those that the
 * engine accepted in a later frame. One that follows a listing names what was listed, or 0.
 */
export async function readUnprojectedCommands<Kind extends EngineCommand['kind']>(
  statements: Statements,
  { kinds, projectionSchema: schema }: UnprojectedQuestion<Kind>,
): Promise<UnprojectedCommand<Kind>[]> {
  assertPlainName(schema);
  const { rows } = await statements.query(
    `select c.id, c.schema_version, c.record, b.listed
     from engine_commands c left join engine_commands b on b.id = c.follows
     where c.kind = any($1)
       and (c.state = 'waiting' or c.state = 'accepted' and c.frame > coalesce((
       select case when is_complete then frame_sequence else frame_sequence - 1 end
       from ${schema}.projection), 0))
     order by c.id`,
    [kinds],
  );
  return rows.map((row) => {
    const command = decodeRecord(row.record, Number(row.schema_version));
    const whole = row.listed === null ? command : withListed(command, Number(row.listed));
    return { id: idOf(row.id), command: whole as UnprojectedCommand<Kind>['command'] };
  });
}
