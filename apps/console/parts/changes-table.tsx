// Fields before and after, changed ones marked.

import { type Column, WideTable } from '../../ui/index.ts';
import { useLook } from '../use-words.ts';
import type { ChangeRow } from './value.ts';

export function ChangesTable({
  isNewOnly = false,
  label,
  rows,
}: {
  rows: readonly ChangeRow[];
  label: string;
  /** There is no state before. */
  isNewOnly?: boolean;
}) {
  const { t } = useLook();
  const columns: Column<ChangeRow>[] = [
    {
      key: 'field',
      label: t('approvals.field'),
      cell: ({ field }) => <bdi dir="ltr">{field}</bdi>,
    },
    ...(isNewOnly
      ? []
      : [
          {
            key: 'before',
            label: t('changes.before'),
            cell: ({ before }: ChangeRow) => (
              <bdi dir="ltr" className="whitespace-normal text-quiet">
                {before}
              </bdi>
            ),
          },
        ]),
    {
      key: 'after',
      label: t('approvals.after'),
      cell: ({ after, isChanged }) => (
        <bdi
          dir="ltr"
          className={`whitespace-normal ${isChanged && !isNewOnly ? 'font-semibold text-accent' : ''}`}
        >
          {after}
        </bdi>
      ),
    },
  ];
  return <WideTable caption={label} columns={columns} rows={rows} keyOf={({ field }) => field} />;
}
