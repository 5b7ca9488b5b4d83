// Language and theme menu.

import { Languages } from 'lucide-react';
import { useLook } from './look.tsx';
import { Menu, MenuItem, MenuLine } from './menu.tsx';
import { LANGUAGE_NAMES, type Language } from './preferences.ts';

export function LookMenu({ languages }: { languages: readonly Language[] }) {
  const { prefer, preferences, t } = useLook();
  return (
    <Menu
      label={`${t('shell.language')}, ${t('shell.theme')}`}
      trigger={<Languages size={16} aria-hidden="true" />}
    >
      {languages.map((language) => (
        <MenuItem
          key={language}
          isChosen={language === preferences.language}
          onClick={() => prefer({ language })}
        >
          <span lang={language}>{LANGUAGE_NAMES[language]}</span>
        </MenuItem>
      ))}
      <MenuLine />
      {(['dark', 'light', 'system'] as const).map((theme) => (
        <MenuItem
          key={theme}
          isChosen={theme === preferences.theme}
          onClick={() => prefer({ theme })}
        >
          {t(`shell.${theme}`)}
        </MenuItem>
      ))}
    </Menu>
  );
}
