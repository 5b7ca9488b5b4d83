// Wire definitions for auth: routes, schemas and errors.

export { accessErrors } from './access-errors.ts';
export { ApiKey, ApiKeyCreated } from './api-key.ts';
export { apiKeyRoutes } from './api-key-routes.ts';
export { developmentRoutes } from './development-routes.ts';
export { factorRoutes } from './factor-routes.ts';
export { identityErrors } from './identity-errors.ts';
export { CaptchaChallenge, SessionToken, UserDevice, UserLogin, UserSession } from './login.ts';
export { loginRoutes } from './login-routes.ts';
export { Passkey, PasskeyOptions } from './passkey.ts';
export { sessionRoutes } from './session-routes.ts';
export { signUpRoutes } from './sign-up-routes.ts';
