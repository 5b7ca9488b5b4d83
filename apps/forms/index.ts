// Forms and values that the apps share: actions and their rejections, sign-in, fields, passkeys.

export { ActForm, isCode, Refusal, useAct } from './act.tsx';
export { withCaptcha } from './captcha.ts';
export { Card } from './card.tsx';
export { deviceName } from './device-name.ts';
export { Chip, type Fact, Facts, Line } from './facts.tsx';
export {
  CodeField,
  CopyButton,
  DownloadButton,
  EmailField,
  PasswordField,
  saveFile,
} from './fields.tsx';
export { nextPath } from './next-path.ts';
export { addPasskey, hasPasskeys, provePasskey } from './passkey.ts';
export { paragraphsOf } from './plain-text.ts';
export { QrCode } from './qr-code.tsx';
export { RecoveryCodes } from './recovery-codes.tsx';
export { SignIn } from './sign-in.tsx';
export { VerifyEmail } from './verify-email.tsx';
