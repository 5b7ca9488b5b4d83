// An amount with its network, and a withdrawal's stage in a frame.

import { Chip } from '../../forms/index.ts';
import { Amount } from '../../ui/index.ts';
import { useLook } from '../use-words.ts';
import type { Stage, Withdrawal } from './withdrawal-view.ts';

const COLOURS: Readonly<Record<Stage, string>> = {
  review: 'text-warn',
  approved: 'text-accent',
  claimed: 'text-accent',
  completed: 'text-up',
  dismissed: 'text-quiet',
  rejected: 'text-down',
};

export function StageChip({ stage }: { stage: Stage }) {
  const { t } = useLook();
  return <Chip color={COLOURS[stage]}>{t(`stage.${stage}`)}</Chip>;
}

export function WithdrawalAmount({ row }: { row: Withdrawal }) {
  return <Amount value={row.amount} unit={row.currency} />;
}
