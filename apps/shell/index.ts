// Parts that every app starts with: the page, its frame, and the signed-in user.

export { Brand, NotFound, ScreenFailed, SkipLink, useExchangeName } from './frame.tsx';
export { forgetPrivateData, userOrNull, userQueryKey } from './signed-in.ts';
export { startApp } from './start-app.tsx';
