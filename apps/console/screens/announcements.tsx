// Announcements for users, with a preview in three languages before sending.

import { useState } from 'react';
import type { Announcement } from '../../../client/index.ts';
import { Chip, paragraphsOf } from '../../forms/index.ts';
import { Button, type Column, Field } from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { htmlOf, phaseOf } from '../news/announcement-text.ts';
import { Previews } from '../news/previews.tsx';
import { ActDialog } from '../parts/act-dialog.tsx';
import { PagedPanel } from '../parts/paged-panel.tsx';
import { useOperator } from '../session.tsx';
import { useLook } from '../use-words.ts';

const COLOURS = { planned: 'text-warn', shown: 'text-up', over: 'text-quiet' } as const;

export function Screen() {
  const { t, time } = useLook();
  const { may } = useOperator();
  const [written, setWritten] = useState<Announcement | 'new'>();
  const [removed, setRemoved] = useState<Announcement>();
  const columns: Column<Announcement>[] = [
    { key: 'title', label: t('news.title'), cell: ({ title }) => <bdi>{title}</bdi> },
    {
      key: 'phase',
      label: t('users.state'),
      cell: (one) => {
        const phase = phaseOf(one, Date.now());
        return <Chip color={COLOURS[phase]}>{t(`news.${phase}`)}</Chip>;
      },
    },
    {
      key: 'from',
      label: t('audit.filter.from'),
      cell: ({ start_date: at }) => (at === null ? '–' : time(at, 'short')),
    },
    {
      key: 'to',
      label: t('audit.filter.to'),
      cell: ({ end_date: at }) => (at === null ? '–' : time(at, 'short')),
    },
    {
      key: 'act',
      label: <span className="sr-only">{t('users.acts')}</span>,
      cell: (one) => (
        <span className="flex justify-end gap-1">
          {may('changeAnnouncement') && (
            <Button size="small" onClick={() => setWritten(one)}>
              {t('people.change')}
            </Button>
          )}
          {may('removeAnnouncement') && (
            <Button size="small" look="danger" onClick={() => setRemoved(one)}>
              {t('people.remove')}
            </Button>
          )}
        </span>
      ),
    },
  ];
  return (
    <>
      <h1 className="sr-only">{t('screen.announcements')}</h1>
      <PagedPanel
        title={t('screen.announcements')}
        queryKey={['announcements']}
        load={(page, signal) => exchange.listAnnouncements(page, { signal })}
        columns={columns}
        keyOf={({ id }) => String(id)}
        emptyText={t('news.none')}
        after={
          may('announce') && (
            <Button size="small" look="main" onClick={() => setWritten('new')}>
              {t('news.write')}
            </Button>
          )
        }
      />
      {written !== undefined && (
        <WriteDialog
          announcement={written === 'new' ? undefined : written}
          onClose={() => setWritten(undefined)}
        />
      )}
      {removed !== undefined && (
        <ActDialog
          title={t('news.remove')}
          submit={t('news.remove')}
          isDanger
          act={() => exchange.removeAnnouncement({ id: removed.id })}
          onClose={() => setRemoved(undefined)}
        >
          <p className="text-value">{t('news.removeText', { title: removed.title })}</p>
        </ActDialog>
      )}
    </>
  );
}

/** Formats a `datetime-local` value in the page's time zone. */
function localText(at: string | null | undefined): string {
  if (at === null || at === undefined) return '';
  const date = new Date(at);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function instantOf(local: string): string | null {
  return local === '' ? null : new Date(local).toISOString();
}

function WriteDialog({
  announcement,
  onClose,
}: {
  announcement: Announcement | undefined;
  onClose(): void;
}) {
  const { t } = useLook();
  const [title, setTitle] = useState(announcement?.title ?? '');
  const [text, setText] = useState(paragraphsOf(announcement?.message ?? '').join('\n\n'));
  const [from, setFrom] = useState(localText(announcement?.start_date));
  const [to, setTo] = useState(localText(announcement?.end_date));
  const body = {
    title,
    message: htmlOf(text),
    start_date: instantOf(from),
    end_date: instantOf(to),
  };
  return (
    <ActDialog
      title={t(announcement === undefined ? 'news.write' : 'news.change')}
      submit={t('news.publish')}
      form="wide"
      isDisabled={title.trim() === '' || body.message === ''}
      act={() =>
        announcement === undefined
          ? exchange.createAnnouncement(body)
          : exchange.changeAnnouncement({ id: announcement.id, ...body })
      }
      onClose={onClose}
    >
      <Field
        label={t('news.title')}
        required
        maxLength={200}
        dir="auto"
        value={title}
        onChange={({ target }) => setTitle(target.value)}
      />
      <label className="flex flex-col gap-1 text-label text-quiet">
        {t('news.text')}
        <textarea
          required
          dir="auto"
          rows={5}
          maxLength={5_000}
          value={text}
          onChange={({ target }) => setText(target.value)}
          className="w-full rounded border border-edge bg-raised p-2 text-value text-text"
        />
      </label>
      <div className="grid gap-2 sm:grid-cols-2">
        <Field
          label={t('audit.filter.from')}
          type="datetime-local"
          value={from}
          onChange={({ target }) => setFrom(target.value)}
        />
        <Field
          label={t('audit.filter.to')}
          type="datetime-local"
          value={to}
          onChange={({ target }) => setTo(target.value)}
        />
      </div>
      <Previews title={title} message={body.message} at={body.start_date} />
      <p className="text-body text-quiet">{t('news.everyone')}</p>
    </ActDialog>
  );
}
