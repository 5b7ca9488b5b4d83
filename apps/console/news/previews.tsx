// Previews an announcement in three languages, with their direction, font and dates. The exchange
// stores one text and translates nothing.

import { formatTime } from '../../decimals/index.ts';
import { paragraphsOf } from '../../forms/index.ts';
import { LANGUAGE_NAMES } from '../../ui/index.ts';
import { useLook } from '../use-words.ts';

const PAGES = [
  { language: 'en', dir: 'ltr' },
  { language: 'fa', dir: 'rtl' },
  { language: 'zh', dir: 'ltr' },
] as const;

export function Previews({
  at,
  message,
  title,
}: {
  title: string;
  message: string;
  at: string | null;
}) {
  const { preferences, t } = useLook();
  return (
    <section aria-label={t('news.preview')} className="flex flex-col gap-2">
      <h3 className="text-label text-quiet">{t('news.preview')}</h3>
      <div className="grid gap-2 sm:grid-cols-3">
        {PAGES.map(({ dir, language }) => (
          <article
            key={language}
            dir={dir}
            className="min-w-0 rounded border border-line bg-ground p-2 text-body"
          >
            <p lang={language} className="text-label text-quiet">
              {LANGUAGE_NAMES[language]} ·{' '}
              {formatTime(at ?? new Date(), 'short', { ...preferences, language })}
            </p>
            <h4 className="font-semibold break-words">
              <bdi>{title}</bdi>
            </h4>
            {paragraphsOf(message).map((paragraph) => (
              <p key={paragraph} dir="auto" className="mt-1 break-words">
                {paragraph}
              </p>
            ))}
          </article>
        ))}
      </div>
    </section>
  );
}
