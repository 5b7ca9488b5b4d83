// Styles of HTML emails: inline ones for light mode, and a style sheet that replaces the colors in
// dark mode. The contrast of every text is at least 4.5 to 1.

const FONT = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const MONOSPACE = "ui-monospace,SFMono-Regular,Menlo,Consolas,'Liberation Mono',monospace";

const PAGE = '#f3f4f6';
const CARD = '#ffffff';
const LINE = '#e5e7eb';
const INK = '#111827';
const SOFT = '#5b6472';
const ALARM = '#b42318';
const ALARM_PANEL = '#fef3f2';

const CODE = `margin:0 0 16px;padding:18px 12px;background:${PAGE};border-radius:8px;color:${INK};`;
const CODE_TEXT = 'text-align:center;letter-spacing:0.1em;word-break:break-all;';

export const STYLES = {
  page: `margin:0;padding:0;background:${PAGE};`,
  // Mail programs show this text next to the subject in their lists.
  preview: 'display:none;max-height:0;overflow:hidden;',
  margin: 'padding:32px 12px;',
  column: 'max-width:560px;',
  exchange: `padding:0 8px 16px;font:700 17px/1.4 ${FONT};color:${INK};`,
  card: `background:${CARD};border:1px solid ${LINE};border-radius:12px;padding:32px 28px;`,
  footer: `padding:20px 8px 0;font:400 13px/1.6 ${FONT};color:${SOFT};`,
  heading: `margin:0 0 16px;font:700 22px/1.35 ${FONT};color:${INK};`,
  paragraph: `margin:0 0 16px;font:400 16px/1.6 ${FONT};color:${INK};`,
  note: `margin:0 0 16px;font:400 14px/1.6 ${FONT};color:${SOFT};`,
  ink: `color:${INK};`,
  word:
    `margin:0 0 24px;padding:10px 14px;background:${PAGE};border-radius:8px;` +
    `font:400 13px/1.6 ${FONT};color:${SOFT};`,
  code: `${CODE}${CODE_TEXT}font:700 30px/1.3 ${MONOSPACE};`,
  longCode: `${CODE}${CODE_TEXT}font:700 18px/1.3 ${MONOSPACE};`,
  button: `background:${INK};border-radius:8px;`,
  onButton:
    `display:inline-block;padding:13px 24px;font:600 16px/1.2 ${FONT};color:${CARD};` +
    'text-decoration:none;',
  gap: 'height:20px;line-height:20px;',
  url: `margin:0 0 16px;font:400 13px/1.5 ${MONOSPACE};word-break:break-all;color:${SOFT};`,
  message:
    `margin:0 0 16px;padding:14px 18px;background:${PAGE};border-radius:8px;` +
    `font:400 15px/1.6 ${FONT};color:${INK};`,
  line: `margin:8px 0 14px;height:1px;background:${LINE};`,
  label:
    'padding:5px 0;padding-inline-end:16px;vertical-align:top;text-align:start;' +
    `font:400 14px/1.5 ${FONT};color:${SOFT};`,
  value:
    `padding:5px 0;vertical-align:top;font:400 14px/1.5 ${FONT};` +
    `word-break:break-word;color:${INK};`,
  warning: `margin:24px 0 0;padding:16px 18px;background:${ALARM_PANEL};border-radius:8px;`,
  warningTitle: `margin:0 0 6px;font:700 15px/1.4 ${FONT};color:${ALARM};`,
  warningText: `margin:0 0 12px;font:400 14px/1.6 ${FONT};color:${INK};`,
  freeze: `font:600 15px/1.4 ${FONT};color:${ALARM};text-decoration:underline;`,
} as const;

export const DARK_STYLE = `
:root{color-scheme:light dark}
@media (prefers-color-scheme:dark){
.page{background:#0b0d11!important}
.card{background:#15181e!important;border-color:#2a2f38!important}
.panel{background:#20252d!important}
.line{background:#2a2f38!important}
.ink{color:#f2f4f7!important}
.soft{color:#a3acb9!important}
.button{background:#f2f4f7!important}
.on-button{color:#111827!important}
.warning{background:#33191a!important}
.alarm{color:#ff9c8f!important}
}
@media (max-width:480px){.card{padding:24px 18px!important}}
`;
