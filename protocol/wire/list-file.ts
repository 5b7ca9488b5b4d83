// File variant of a list at `<path>/csv`: the same filters, order and rows, as a file unless the
// client requests `format=all`. One definition yields both endpoints; one handler serves both and
// is listed under both names. Operators need the permission `export` for files, which the gateway
// checks.

import type { Route } from './route.ts';
import { Type } from './type.ts';
import { oneOf } from './wire-types.ts';

const FileFormatIn = Type.Unsafe<'all' | 'csv'>({
  ...oneOf(['csv', 'all'], '`csv` returns a file, `all` every row as JSON.'),
  default: 'csv',
  othersIgnored: true,
});

/** Its types are those of the list, so the list's handler serves it. */
export type ListFile<List extends Route> = Omit<List, 'isFile' | 'path' | 'status' | 'summary'> & {
  readonly path: string;
  readonly summary: string;
  readonly status: 202;
  readonly isFile: true;
};

/** `getOrdersOfUsersFile: listFile(getOrdersOfUsers)`; the list has `csv` and takes `format`. */
export function listFile<List extends Route & { readonly csv: true }>(list: List): ListFile<List> {
  return {
    ...list,
    path: `${list.path}/csv`,
    summary: `${list.summary}, as a file`,
    query: Type.Object({ ...list.query.properties, format: FileFormatIn }),
    status: 202,
    isFile: true,
  };
}
