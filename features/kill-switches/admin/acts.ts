// Actions in this feature that can need approval. Votes find them by name.

import { REMOVE_BANNER, SET_BANNER } from './banners.ts';
import { RESUME, STOP } from './stop-and-resume.ts';

export const KILL_SWITCHES_ACTS = [REMOVE_BANNER, SET_BANNER, RESUME, STOP] as const;
