// Who must agree before an action takes effect, in the control mode of the exchange.

import { useQuery } from '@tanstack/react-query';
import { workQuery } from '../exchange.ts';
import { useOperator } from '../session.tsx';
import { useLook } from '../use-words.ts';
import { consentFor, type Needed } from './consent.ts';

export function ApprovalNote({ needed }: { needed: Needed }) {
  const { t } = useLook();
  const { role } = useOperator();
  const { data: work } = useQuery(workQuery);
  if (work === undefined) return null;
  return (
    <p className="text-body text-quiet">
      {t(`consent.${consentFor(needed, { mode: work.control_mode, role })}`)}
    </p>
  );
}
