// Texts of the emails that the exchange sends: each type in each language, with a preview.

import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { MailText } from '../../../client/index.ts';
import { Chip, paragraphsOf } from '../../forms/index.ts';
import { useExchangeName } from '../../shell/index.ts';
import { Button, Field, LOADING, Panel, READY, Select, stateOfError } from '../../ui/index.ts';
import { exchange, kitQuery } from '../exchange.ts';
import { mailHtml, preview } from '../mails/mail-view.ts';
import { ActDialog } from '../parts/act-dialog.tsx';
import { useParameters } from '../parts/search-parameters.ts';
import { useOperator } from '../session.tsx';
import { useLook, useNames } from '../use-words.ts';

const FIRST = { type: 'signup', language: 'en' };

export function Screen() {
  const { t } = useLook();
  const nameOf = useNames();
  const { may } = useOperator();
  const [{ language = FIRST.language, type = FIRST.type }, change] = useParameters();
  const [isOpen, setOpen] = useState(false);
  const { data: kit } = useQuery(kitQuery);
  const types = useQuery({
    queryKey: ['private', 'mail types'],
    queryFn: ({ signal }) => exchange.getMailTypes({ signal }),
  });
  const known = types.data ?? [];
  const asked = known.includes(type) ? type : (known[0] ?? type);
  const text = useQuery({
    queryKey: ['private', 'mail text', asked, language],
    queryFn: ({ signal }) => exchange.getMailText({ type: asked, language }, { signal }),
    enabled: known.length > 0,
  });
  const languages = (kit?.valid_languages ?? 'en').split(',');
  const error = types.error ?? text.error;
  return (
    <div className="flex flex-col gap-1">
      <h1 className="sr-only">{t('screen.mails')}</h1>
      <div className="flex flex-wrap items-end gap-2 rounded bg-panel p-2">
        <Select
          label={t('mails.type')}
          value={asked}
          onValue={(next) => change({ type: next })}
          choices={known.map((value) => ({ value, label: nameOf('event.mail', value) }))}
          className="w-64"
        />
        <Select
          label={t('mails.language')}
          value={language}
          onValue={(next) => change({ language: next })}
          choices={languages.map((value) => ({ value, label: value }))}
          className="w-28"
        />
      </div>
      <Panel
        title={t('mails.preview')}
        state={text.data !== undefined ? READY : error === null ? LOADING : stateOfError(error)}
        onRetry={() => void text.refetch()}
        after={
          <span className="flex items-center gap-2">
            {text.data?.is_own === true && <Chip color="text-accent">{t('mails.own')}</Chip>}
            {may('changeMail') && text.data !== undefined && (
              <Button size="small" onClick={() => setOpen(true)}>
                {t('markets.edit')}
              </Button>
            )}
          </span>
        }
        dialogs={
          isOpen &&
          text.data !== undefined && (
            <MailDialog
              key={`${asked} ${language}`}
              text={text.data}
              onClose={() => setOpen(false)}
            />
          )
        }
      >
        {text.data !== undefined && (
          <div className="p-3">
            <Preview
              language={language}
              title={text.data.title}
              paragraphs={paragraphsOf(text.data.html)}
            />
          </div>
        )}
      </Panel>
    </div>
  );
}

function Preview({
  language,
  paragraphs,
  title,
}: {
  language: string;
  title: string;
  paragraphs: readonly string[];
}) {
  const { t } = useLook();
  const values = { exchange: useExchangeName(), host: location.hostname };
  return (
    <article
      lang={language}
      dir="auto"
      className="flex max-w-xl flex-col gap-2 rounded border border-line p-4 text-value"
    >
      <h2 className="font-semibold">{preview(title, values)}</h2>
      {paragraphs.map((line) => (
        <p key={line}>{preview(line, values)}</p>
      ))}
      <p className="text-label text-quiet">{t('mails.rest')}</p>
    </article>
  );
}

function MailDialog({ onClose, text }: { text: MailText; onClose(): void }) {
  const { t } = useLook();
  const id = useId();
  const [title, setTitle] = useState(text.title);
  const [body, setBody] = useState(paragraphsOf(text.html).join('\n\n'));
  const [isReset, setReset] = useState(false);
  const paragraphs = body.split('\n').filter((line) => line.trim() !== '');
  const send = isReset ? { title: '', html: '' } : { title, html: mailHtml(paragraphs) };
  return (
    <ActDialog
      title={t('mails.edit')}
      submit={t(isReset ? 'mails.reset' : 'control.save')}
      form="wide"
      approvals={1}
      isDisabled={!isReset && (title.trim() === '' || paragraphs.length === 0)}
      onClose={onClose}
      act={() => exchange.changeMailText({ type: text.type, language: text.language, ...send })}
    >
      {isReset ? (
        <p className="text-body">{t('mails.resetText')}</p>
      ) : (
        <>
          <Field
            label={t('mails.subject')}
            required
            maxLength={150}
            dir="auto"
            value={title}
            onChange={({ target }) => setTitle(target.value)}
          />
          <div className="flex flex-col gap-1">
            <label htmlFor={id} className="text-label text-quiet">
              {t('mails.body')}
            </label>
            <textarea
              id={id}
              rows={8}
              dir="auto"
              value={body}
              onChange={({ target }) => setBody(target.value)}
              className="w-full rounded border border-edge bg-raised p-2 text-value"
            />
            <p className="text-label text-quiet">
              {t('mails.bodyHint', { names: '{exchange}, {host}' })}
            </p>
          </div>
          <Preview language={text.language} title={title} paragraphs={paragraphs} />
        </>
      )}
      {text.is_own && (
        <Button onClick={() => setReset(!isReset)}>
          {t(isReset ? 'mails.keep' : 'mails.reset')}
        </Button>
      )}
    </ActDialog>
  );
}
