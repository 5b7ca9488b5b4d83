// UI kit for all apps: look, texts, parts and live values.

import './tokens.css';

export { Amount, Change } from './amount.tsx';
export { Button, type ButtonLook } from './button.tsx';
export type { Area, Word, WordValues } from './catalogue.ts';
export { DecimalField } from './decimal-field.tsx';
export { Dialog } from './dialog.tsx';
export { Field } from './field.tsx';
export { Cell } from './live-store.ts';
export { type Look, LookProvider, loadLook, needWords, useLook } from './look.tsx';
export { LookMenu } from './look-menu.tsx';
export { marketName } from './market-name.ts';
export { Menu, MenuItem, MenuLine } from './menu.tsx';
export { Notice, Panel } from './panel.tsx';
export { LOADING, type PanelState, READY, stateOfError, stateOfList } from './panel-state.ts';
export { LANGUAGE_NAMES, LANGUAGES, type Language, type Preferences } from './preferences.ts';
export { ScrollArea } from './scroll-area.tsx';
export { Select } from './select.tsx';
export { type Column, Table, WideTable } from './table.tsx';
export { Segments, type Tab, Tabs } from './tabs.tsx';
export { showToast, type ToastKind, ToastProvider } from './toast.tsx';
export { Checkbox, Toggle } from './toggle.tsx';
export { useCell } from './use-cell.ts';
