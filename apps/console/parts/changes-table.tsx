// Fields before and after, with changes highlighted.

import { type Column, WideTable } from '../../ui/index.ts';
import { useLook, useNames } from '../use-words.ts';
import { type ChangeRow, changesOf } from './value.ts';

export function ChangesTable({
  after,
  before,
  isNewOnly = false,
  label,
}: {
  before?: unknown;
  after: unknown;
  label: string;
  /** True if there is no state before. */
  isNewOnly?: boolean;
}) {
  const { t } = useLook();
  const rows = changesOf(before, after, { nameOf: useNames() });
  const columns: Column<ChangeRow>[] = [
    {
      key: 'field',
      label: t('approvals.field'),
      cell: ({ field, label: name }) => <bdi title={field}>{name}</bdi>,
    },
    ...(isNewOnly
      ? []
      : [
          {
            key: 'before',
            label: t('changes.before'),
            cell: ({ before: was }: ChangeRow) => (
              <bdi dir="ltr" className="whitespace-normal text-quiet">
                {was}
              </bdi>
            ),
          },
        ]),
    {
      key: 'after',
      label: t('approvals.after'),
      cell: ({ after: is, isChanged }) => (
        <bdi
          dir="ltr"
          className={`whitespace-normal ${isChanged && !isNewOnly ? 'font-semibold text-accent' : ''}`}
        >
          {is}
        </bdi>
      ),
    },
  ];
  return <WideTable caption={label} columns={columns} rows={rows} keyOf={({ field }) => field} />;
}
