// Labels of a user: frozen, blocked, flagged and so on, each in a frame.

import type { OperatorUser } from '../../../client/index.ts';
import { Chip } from '../../forms/index.ts';
import { useLook } from '../use-words.ts';
import { marksOf } from './user-view.ts';

const COLOURS = { bad: 'text-down', warn: 'text-warn', plain: 'text-quiet' } as const;

export function Marks({ user }: { user: OperatorUser }) {
  const { t, time } = useLook();
  return (
    <span className="inline-flex flex-wrap gap-1">
      {marksOf(user, Date.now()).map(({ name, role, until, weight }) => (
        <Chip key={name} color={COLOURS[weight]}>
          {t(`mark.${name}`, {
            until: until === undefined ? '' : time(until, 'short'),
            role: role ?? '',
          })}
        </Chip>
      ))}
    </span>
  );
}
