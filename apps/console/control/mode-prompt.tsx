// Prompt on the overview: the first choice of the control mode, or advice to use team mode.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Line } from '../../forms/index.ts';
import { Panel, READY } from '../../ui/index.ts';
import { controlQuery } from '../exchange.ts';
import { useOperator } from '../session.tsx';
import { useLook } from '../use-words.ts';
import { modePrompt } from './control-view.ts';
import { ModeChoice } from './mode-choice.tsx';

export function ModePrompt() {
  const { t } = useLook();
  const { may } = useOperator();
  const queries = useQueryClient();
  const { data: control } = useQuery({ ...controlQuery, enabled: may('changeMode') });
  const prompt = control === undefined ? 'none' : modePrompt(control);
  if (control === undefined || prompt === 'none') return null;
  if (prompt === 'recommend-team') {
    return (
      <Panel title={t('control.mode')} state={READY}>
        <Line
          act={
            <Link to="/control" className="text-body text-accent hover:underline">
              {t('control.open')}
            </Link>
          }
        >
          {t('control.recommendTeam')}
        </Line>
      </Panel>
    );
  }
  const refresh = () => void queries.invalidateQueries({ queryKey: controlQuery.queryKey });
  return (
    <Panel title={t('control.choose')} state={READY}>
      <div className="p-3">
        <ModeChoice control={control} onDone={refresh} />
      </div>
    </Panel>
  );
}
