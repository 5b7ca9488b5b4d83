// Stop dialog: whom it affects, the reason, a text for users, and how to undo it. Resume dialog:
// what resumes, and how many approvals it needs.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SwitchImpact } from '../../../client/index.ts';
import { Facts } from '../../forms/index.ts';
import { Amount, Field, marketName, Panel, Select, stateOfError } from '../../ui/index.ts';
import { exchange, workQuery } from '../exchange.ts';
import { ActDialog } from '../parts/act-dialog.tsx';
import { useLook, useNames } from '../use-words.ts';
import {
  type Mode,
  modesFrom,
  peopleToResume,
  resumeBodyOf,
  type Stop,
  type Target,
} from './switch-view.ts';

/** Returns `Trading (BTC/USDT)` or `Withdrawals (all)`. */
export function useTargetName(): (target: Target) => string {
  const { t } = useLook();
  const nameOf = useNames();
  return ({ name, service, symbol }) => {
    const object = symbol === undefined ? service : marketName(symbol);
    const part = nameOf('switch', name);
    if (object !== undefined) return t('switches.partOf', { part, object });
    return t('switches.whole', { part });
  };
}

export function StopDialog({
  onClose,
  stop,
  target,
}: {
  target: Target;
  /** Set if the target is already stopped and can be stopped more strictly. */
  stop: Stop | undefined;
  onClose(): void;
}) {
  const { t } = useLook();
  const nameOf = useTargetName();
  const modes = modesFrom(stop);
  const [mode, setMode] = useState<Mode>(modes.includes('cancel-only') ? 'cancel-only' : modes[0]);
  const [banner, setBanner] = useState(stop?.banner ?? '');
  const isMarket = target.name === 'trading';
  const chosen = isMarket ? { ...target, mode } : target;
  const people = peopleToResume(target);
  return (
    <ActDialog
      title={t('switches.stopTitle', { target: nameOf(target) })}
      submit={t('switches.stop')}
      isDanger
      form="wide"
      reason="required"
      onClose={onClose}
      act={({ reason }) =>
        exchange.stopSwitch({
          ...chosen,
          reason,
          ...(banner.trim() === '' ? {} : { banner: banner.trim() }),
        })
      }
    >
      <p className="text-body">{t(`switches.text.${target.name}`)}</p>
      {isMarket && (
        <Select
          label={t('switches.mode')}
          choices={modes.map((value) => ({ value, label: t(`switches.${value}`) }))}
          value={mode}
          onValue={setMode}
        />
      )}
      <ImpactPanel target={chosen} />
      <UndoNote needed={people} />
      <Field
        label={t('switches.banner')}
        hint={t('switches.bannerHint')}
        maxLength={500}
        value={banner}
        onChange={({ target: field }) => setBanner(field.value)}
      />
    </ActDialog>
  );
}

/** Who can undo the stop later. */
function UndoNote({ needed }: { needed: 1 | 2 }) {
  const { t } = useLook();
  const { data: work } = useQuery(workQuery);
  if (work === undefined) return null;
  const team = needed === 1 ? 'switches.undoOne' : 'switches.undoTwo';
  return (
    <p className="text-body text-quiet">
      {t(work.control_mode === 'solo' ? 'switches.undoSolo' : team)}
    </p>
  );
}

function ImpactPanel({ target }: { target: Target & { readonly mode?: Mode } }) {
  const { t } = useLook();
  const impact = useQuery({
    queryKey: ['private', 'impact', target],
    queryFn: ({ signal }) => exchange.getSwitchImpact(target, { signal }),
    staleTime: 0,
  });
  return (
    <Panel
      title={t('switches.touches')}
      state={
        impact.error !== null
          ? stateOfError(impact.error)
          : impact.data === undefined
            ? { kind: 'loading' }
            : { kind: 'ready' }
      }
      onRetry={() => void impact.refetch()}
      skeletonRows={4}
      className="flex-none border border-line"
    >
      {impact.data !== undefined && <ImpactFacts impact={impact.data} />}
    </Panel>
  );
}

function ImpactFacts({ impact }: { impact: SwitchImpact }) {
  const { t } = useLook();
  const {
    money,
    orders,
    precision,
    unpriced,
    users,
    value,
    value_currency: unit,
    waiting,
  } = impact;
  return (
    <>
      <Facts
        facts={[
          { label: t('switches.orders'), value: <Amount value={String(orders)} /> },
          { label: t('switches.users'), value: <Amount value={String(users)} /> },
          { label: t('switches.waiting'), value: <Amount value={String(waiting)} /> },
          {
            label: t('switches.money'),
            value: (
              <>
                <Amount value={value} scale={2} unit={unit} />
                {money.map(({ amount, currency }) => (
                  <span key={currency} className="ms-3 text-quiet">
                    <Amount value={amount} unit={currency} />
                  </span>
                ))}
              </>
            ),
          },
        ]}
      />
      {(precision !== 'exact' || unpriced.length > 0) && (
        <p className="px-2 pb-2 text-label text-warn">
          {precision !== 'exact' && t(`switches.${precision}`)}{' '}
          {unpriced.length > 0 &&
            t('switches.unpriced', { coins: unpriced.join(', ').toUpperCase() })}
        </p>
      )}
    </>
  );
}

export function ResumeDialog({ onClose, stop }: { stop: Stop; onClose(): void }) {
  const { t } = useLook();
  const nameOf = useTargetName();
  const labelOf = useNames();
  const people = peopleToResume(stop.target);
  return (
    <ActDialog
      title={t('switches.resumeTitle', { target: nameOf(stop.target) })}
      submit={t('switches.resume')}
      approvals={people}
      onClose={onClose}
      act={() => exchange.resumeSwitch(resumeBodyOf(stop))}
    >
      <p className="text-body">
        {stop.resumesTo === null
          ? t('switches.resumeText')
          : t('switches.resumeTo', { status: labelOf('marketStatus', stop.resumesTo) })}
      </p>
      <Facts
        facts={[
          { label: t('console.reason'), value: stop.reason === '' ? '–' : stop.reason },
          { label: t('switches.banner'), value: stop.banner === '' ? '–' : stop.banner },
        ]}
      />
    </ActDialog>
  );
}
