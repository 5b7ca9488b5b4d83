// Links between screens that the role can open.

import { Link } from '@tanstack/react-router';
import { mayCall } from '../access.ts';
import { useOperator } from '../session.tsx';
import { useLook } from '../use-words.ts';

/** User ID as a link to the user page. */
export function UserLink({ id, name }: { id: number; name?: string }) {
  const { t } = useLook();
  const operator = useOperator();
  const text = name ?? t('console.userNumber', { id });
  if (!mayCall(operator, 'getUsers')) return <bdi dir="ltr">{text}</bdi>;
  return (
    <Link to="/people" search={{ id: String(id) } as never} className="text-accent hover:underline">
      <bdi dir="ltr">{text}</bdi>
    </Link>
  );
}
