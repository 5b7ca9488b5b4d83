// People, as operators see and find them: masks, look-ups with a budget, and the break glass.

export { hideText, maskEmail, maskEnding, maskName, maskText } from './masks.ts';
